import { Injectable } from '@nestjs/common';
import { Recovery } from '../../platform/durable-work/durable-work.js';
import { WebhookQueue } from '../../platform/queue/queues.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import { AttemptsRepository, type DueRow } from './attempts.repository.js';
import { RecordAttempt } from './record-attempt.js';
import { CALL_TIMEOUT_MS, WebhookClient } from './webhook-client.js';

/** Concurrent calls of one account in this worker, so that other accounts always get theirs. */
const CALLS_MAX = 16;
/** After this many failures in a row the receiver counts as down, and gets fewer concurrent calls until it answers. */
const DOWN_AFTER_FAILURES = 3;
const CALLS_WHILE_DOWN_MAX = 2;
const WAIT_MS_MIN = 1_000;
const WAIT_MS_MAX = 60_000;
const ACCOUNTS_MAX = 10_000;

/**
 * Makes one attempt to deliver a webhook and records it. Runs of the same delivery at the same time make one call, because its
 * row is claimed. After a crash during the call the delivery is sent again, with the same `webhook-id`.
 */
@Injectable()
export class DeliverWebhook {
  private readonly concurrency = new AccountConcurrency();
  private readonly recovery: Recovery<DueRow>;

  constructor(
    private readonly queue: WebhookQueue,
    private readonly claims: AttemptsRepository,
    private readonly client: WebhookClient,
    private readonly recordAttempt: RecordAttempt,
    private readonly tracer: Tracer,
    logger: Logger,
  ) {
    this.recovery = new Recovery({
      name: 'webhook deliveries',
      logger,
      takeDue: () => claims.takeDue(),
      enqueue: async ({ id, accountId, status, again }) => {
        if (status === 'pending') await queue.enqueued({ id, accountId, requeued: again });
      },
    });
  }

  /** Handles a job. An account with too many calls in flight has its delivery postponed, without an attempt. */
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

  /** Enqueues one batch of due deliveries and returns how many were due. Safe in several workers at once. */
  recover(): Promise<number> {
    return this.recovery.run();
  }

  private async attempt(deliveryId: string, context: RequestContext): Promise<FinishedCall | undefined> {
    const claimed = await this.claims.claim(deliveryId);
    // A call starts only if the lease outlasts it; otherwise recovery takes the delivery when the lease has expired.
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

interface Receiver {
  calls: number;
  failures: number;
  /** Deliveries postponed since there was last no call in flight. */
  postponed: number;
  lastMs: number;
}

export interface FinishedCall {
  readonly isAnswered: boolean;
  readonly durationMs: number;
}

export type Slot = { readonly kind: 'free' } | { readonly kind: 'full'; readonly waitMs: number };

/** Limits the concurrent calls of each account in this worker: a receiver that hangs occupies a few slots, never all. */
export class AccountConcurrency {
  private readonly receivers = new Map<string, Receiver>();

  /** Takes a slot. `full` carries about the time that the deliveries before this one need. Call `leave` after every `free`. */
  enter(accountId: string): Slot {
    const receiver = this.receivers.get(accountId) ?? { calls: 0, failures: 0, postponed: 0, lastMs: 0 };
    this.remember(accountId, receiver);
    const callsMax = isDown(receiver) ? CALLS_WHILE_DOWN_MAX : CALLS_MAX;
    if (receiver.calls < callsMax) {
      receiver.calls += 1;
      return { kind: 'free' };
    }
    receiver.postponed += 1;
    const waitMs = WAIT_MS_MIN + (receiver.postponed * receiver.lastMs) / callsMax;
    return { kind: 'full', waitMs: Math.min(waitMs, WAIT_MS_MAX) };
  }

  /** Returns the slot; `call` is undefined when none was made. Returns whether a receiver that was down answers again. */
  leave(accountId: string, call: FinishedCall | undefined): boolean {
    const receiver = this.receivers.get(accountId);
    if (!receiver) return false;
    receiver.calls -= 1;
    const wasDown = isDown(receiver);
    if (call) {
      receiver.failures = call.isAnswered ? 0 : receiver.failures + 1;
      receiver.lastMs = call.durationMs;
    }
    if (receiver.calls === 0) receiver.postponed = 0;
    if (receiver.calls === 0 && receiver.failures === 0) this.receivers.delete(accountId);
    return wasDown && !isDown(receiver);
  }

  /** Removes the receiver that has been idle for longest when there are too many. */
  private remember(accountId: string, receiver: Receiver): void {
    this.receivers.delete(accountId);
    this.receivers.set(accountId, receiver);
    if (this.receivers.size <= ACCOUNTS_MAX) return;
    for (const [other, { calls }] of this.receivers) {
      if (calls > 0) continue;
      this.receivers.delete(other);
      return;
    }
  }
}

function isDown({ failures }: Receiver): boolean {
  return failures >= DOWN_AFTER_FAILURES;
}
