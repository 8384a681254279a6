import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { WebhookQueue } from '../../platform/queue/queues.js';
import { publicWebhookId } from '../../rules/ids.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import { SwitchWebhook } from '../endpoints/switch-webhook.js';
import { WebhookSecrets } from '../endpoints/webhook-secrets.js';
import { GuardedClient, type PostOutcome } from '../http/guarded-client.js';
import type { ClaimedDelivery } from './claims.sql.js';
import { CALL_TIMEOUT_MS } from './call-timeout.js';
import { Claims } from './claims.js';
import { Lanes } from './lanes.js';
import { Outcomes, type AttemptOutcome } from './outcomes.js';
import { retryAfterSeconds, retryWaitSeconds } from './retry-wait.js';
import { signatureHeaders } from './signature.js';

const GONE = 410;
/** Too many requests, and not now: what they say of when to come again counts. */
const asksForTime: readonly number[] = [429, 503];

/**
 * Makes one attempt to deliver a webhook and writes down what came of it. Any 2xx within the time is a success. Running it twice
 * calls once: the row decides. After a crash in the middle it is called again, with the same `webhook-id`.
 */
@Injectable()
export class DeliverWebhook {
  private readonly lanes = new Lanes();

  constructor(
    private readonly queue: WebhookQueue,
    private readonly claims: Claims,
    private readonly secrets: WebhookSecrets,
    private readonly client: GuardedClient,
    private readonly outcomes: Outcomes,
    private readonly switchWebhook: SwitchWebhook,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {}

  run(deliveryId: string, accountId: string, origin: RequestContext = {}): Promise<void> {
    const attributes = { 'pennytext.delivery_id': deliveryId };
    return this.tracer.within('deliver webhook', { kind: 'consumer', parent: origin.traceparent, attributes }, (span) =>
      this.deliver(deliveryId, accountId, { ...origin, traceparent: span.traceparent }),
    );
  }

  private async deliver(deliveryId: string, accountId: string, origin: RequestContext): Promise<void> {
    this.queue.started(accountId);
    const entry = this.lanes.enter(accountId);
    if (entry.kind === 'full') return this.outcomes.park(deliveryId, entry.waitMs);
    let call: { isAnswered: boolean; durationMs: number } | undefined;
    try {
      call = await this.attempt(deliveryId, origin);
    } finally {
      if (this.lanes.leave(accountId, call)) await this.outcomes.unpark(accountId);
    }
  }

  private async attempt(
    deliveryId: string,
    origin: RequestContext,
  ): Promise<{ isAnswered: boolean; durationMs: number } | undefined> {
    const claimed = await this.claims.claim(deliveryId);
    // A call may only start while the lease covers it; recovery retries this delivery when the lease ends.
    if (!claimed?.lease.covers(CALL_TIMEOUT_MS)) return undefined;
    const claim = claimed.row;
    const startedAt = new Date();
    const startedAtMs = performance.now();
    const outcome = await this.tracer.within('webhook call', { kind: 'client', parent: origin.traceparent }, () =>
      this.call(claim, startedAt),
    );
    const durationMs = performance.now() - startedAtMs;
    const attempt = this.attemptOf(claim, outcome, { startedAt, durationMs });
    const isHopeless = await this.outcomes.record(attempt);
    this.tell(claim, attempt, origin);
    if (attempt.status === GONE) await this.switchWebhook.giveUp(claim.accountId, claim.url, 'gone');
    else if (isHopeless) await this.switchWebhook.giveUp(claim.accountId, claim.url, 'failing');
    return { isAnswered: outcome.kind === 'answered' && outcome.status < 500, durationMs };
  }

  private async call(claim: ClaimedDelivery, at: Date): Promise<PostOutcome> {
    const { id, accountId, url, body } = claim;
    const secrets = await this.secrets.of(accountId, claim);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `Pennytext-Webhooks (+${this.config.http.publicUrl})`,
      accept: '*/*',
      'accept-encoding': 'identity',
      ...signatureHeaders({ webhookId: publicWebhookId(id), body, at, secrets }),
    };
    return this.client.post(url, headers, body);
  }

  private attemptOf(
    claim: ClaimedDelivery,
    outcome: PostOutcome,
    time: Pick<AttemptOutcome, 'startedAt' | 'durationMs'>,
  ): AttemptOutcome {
    if (outcome.kind === 'failed')
      return { claim, ...time, ...this.after(claim, undefined), status: null, answer: '', error: outcome.reason };
    const { status, text: answer, retryAfter } = outcome;
    const isDelivered = status >= 200 && status < 300;
    const asked = asksForTime.includes(status) ? retryAfterSeconds(retryAfter, new Date()) : undefined;
    const next = isDelivered ? { verdict: 'delivered' as const, waitSeconds: null } : this.after(claim, asked);
    return { claim, ...time, ...next, status, answer, error: null };
  }

  /** A failure leads to the next wait of the schedule, or to its end; a test has one attempt. */
  private after(
    { failures, isTest }: ClaimedDelivery,
    asked: number | undefined,
  ): Pick<AttemptOutcome, 'verdict' | 'waitSeconds'> {
    const { retrySeconds } = this.config.webhooks;
    const wait = isTest ? undefined : retryWaitSeconds(retrySeconds, failures + 1, { asked, chance: Math.random() });
    return wait === undefined ? { verdict: 'failed', waitSeconds: null } : { verdict: 'waiting', waitSeconds: wait };
  }

  private tell(
    claim: ClaimedDelivery,
    { verdict, status, durationMs, error }: AttemptOutcome,
    origin: RequestContext,
  ): void {
    this.metrics.webhookAttempts.observe({ outcome: outcomeOf(status) }, durationMs / 1_000);
    if (verdict === 'failed') this.metrics.webhooksFailed.inc();
    const { id: deliveryId, accountId, type, sourceId } = claim;
    const about = type === 'credits.low' ? {} : { messageId: sourceId };
    const line = {
      ...contextFields(origin),
      deliveryId,
      accountId,
      type,
      ...about,
      status,
      error,
      durationMs: Math.round(durationMs),
    };
    if (verdict === 'delivered') this.logger.debug(line, 'webhook delivered');
    else this.logger.info({ ...line, verdict }, 'webhook not delivered');
  }
}

/** The receiver's word as a metric has it. */
function outcomeOf(status: number | null): string {
  if (status === null) return 'unreachable';
  if (status < 300) return 'delivered';
  return status < 400 ? 'redirect' : status < 500 ? 'refused' : 'broken';
}
