import { Injectable } from '@nestjs/common';
import { eachDueRow } from '../../platform/durable-work/durable-work.js';
import { WebhookQueue } from '../../platform/queue/queues.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import { AttemptsRepository } from './attempts.repository.js';
import { RecordAttempt } from './record-attempt.js';
import { CALL_TIMEOUT_MS, WebhookClient } from './webhook-client.js';
import { type FinishedCall, AccountConcurrency } from './account-concurrency.js';
import { Every } from '../../platform/schedules/every.js';

/**
 * Makes one attempt to deliver a webhook and records it. Concurrent runs of the same delivery make
 * one call, because its row is claimed. After a crash during the call the delivery is sent again,
 * with the same `webhook-id`.
 */
@Injectable()
export class DeliverWebhook {
  private readonly concurrency = new AccountConcurrency();

  constructor(
    private readonly queue: WebhookQueue,
    private readonly claims: AttemptsRepository,
    private readonly client: WebhookClient,
    private readonly recordAttempt: RecordAttempt,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {}

  /**
   * Handles a job. An account with too many calls in flight has its delivery postponed, without an
   * attempt.
   */
  deliver(deliveryId: string, accountId: string, context: RequestContext = {}): Promise<void> {
    const attributes = { 'pennytext.delivery_id': deliveryId };
    const span = { kind: 'consumer', parent: context.traceparent, attributes } as const;
    return this.tracer.within('deliver webhook', span, async ({ traceparent }) => {
      this.queue.started(accountId);
      const slot = this.concurrency.enter(accountId);
      if (slot.kind === 'full') return this.claims.postpone(deliveryId, slot.waitMs);
      let call: FinishedCall | undefined;
      try {
        call = await this.attempt(deliveryId, { ...context, traceparent });
      } finally {
        if (this.concurrency.leave(accountId, call)) await this.claims.resumePostponed(accountId);
      }
    });
  }

  /**
   * Enqueues one batch of due deliveries and returns how many were due. Safe in several workers at
   * once.
   */
  @Every({ name: 'webhook recovery', everyMs: ({ dispatch }) => dispatch.recoveryIntervalMs, whileMore: true })
  async recover(): Promise<number> {
    const due = await this.claims.takeDue();
    const work = { name: 'webhook deliveries', logger: this.logger };
    return eachDueRow(due, work, async ({ id, accountId, status, again }) => {
      if (status === 'pending') await this.queue.enqueued({ id, accountId, requeued: again });
    });
  }

  private async attempt(deliveryId: string, context: RequestContext): Promise<FinishedCall | undefined> {
    const claimed = await this.claims.claim(deliveryId);
    // A call starts only if the lease outlasts it; otherwise recovery takes the delivery when the
    // lease has expired.
    if (!claimed?.lease.covers(CALL_TIMEOUT_MS)) return undefined;
    const { row: claim } = claimed;
    const startedAt = new Date();
    const startedAtMs = performance.now();
    const span = { kind: 'client', parent: context.traceparent } as const;
    const outcome = await this.tracer.within('webhook call', span, () => this.client.post(claim, startedAt));
    const durationMs = performance.now() - startedAtMs;
    await this.recordAttempt.record({ claim, outcome, startedAt, durationMs }, context);
    return { isAnswered: outcome.kind === 'answered' && outcome.status < 500, durationMs };
  }
}
