import { Injectable } from '@nestjs/common';
import { failureInWords } from '#contract/webhooks.js';
import { Config } from '../../platform/config/config.js';
import { listedWaits, retryDelayMs, type RetrySchedule } from '../../platform/durable-work/durable-work.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { AttemptsRepository, tellsHealth, type AttemptOutcome, type ClaimedDelivery } from './attempts.repository.js';
import type { PostOutcome } from './webhook-client.js';
import { FailingEndpoints } from '../endpoints/failing-endpoints.js';

const GONE = 410;
/** Too Many Requests and Service Unavailable: their Retry-After delays the next attempt. */
const statusesWithRetryAfter: readonly number[] = [429, 503];
/** The longest wait of the schedule: no receiver can delay a retry for longer. */
const RETRY_AFTER_SECONDS_MAX = 86_400;
/**
 * Waits grow by up to a tenth, so that deliveries that failed together are not retried together.
 */
const JITTER = [1, 1.1] as const;

interface Call {
  readonly claim: ClaimedDelivery;
  readonly outcome: PostOutcome;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** Records a webhook call: delivered, waiting for the next attempt, or failed. */
@Injectable()
export class RecordAttempt {
  constructor(
    private readonly attempts: AttemptsRepository,
    private readonly failingEndpoints: FailingEndpoints,
    private readonly accountEvents: AccountEvents,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Any 2xx is a success. Emails the owner of an endpoint that has failed for some time, and turns
   * it off after 410, or when it has failed for days.
   */
  async record(call: Call, context: RequestContext): Promise<void> {
    const { accountId, url } = call.claim;
    const attempt = this.attemptOf(call);
    const health = await this.attempts.record(attempt);
    this.log(call.claim, attempt, context);
    if (!tellsHealth(attempt)) return;
    if (health?.changed) this.accountEvents.notificationsChanged(accountId);
    const { failingSince = null, isOver = false } = health ?? {};
    if (attempt.status === GONE) await this.failingEndpoints.disable(accountId, url, 'gone');
    else if (isOver) await this.failingEndpoints.disable(accountId, url, 'failing');
    else if (failingSince) {
      const failure = failureInWords(attempt);
      await this.failingEndpoints.warn({ accountId, url, since: failingSince, failure });
    }
  }

  private attemptOf({ claim, outcome, startedAt, durationMs }: Call): AttemptOutcome {
    const time = { startedAt, durationMs };
    if (outcome.kind === 'failed')
      return { claim, ...time, ...this.retryOf(claim, undefined), status: null, answer: '', error: outcome.reason };
    const { status, text: answer, retryAfter } = outcome;
    const isDelivered = status >= 200 && status < 300;
    const asked = statusesWithRetryAfter.includes(status) ? retryAfterSeconds(retryAfter, new Date()) : undefined;
    const isOver = status === GONE && claim.format !== 'standard';
    const next = isDelivered || isOver ? endOf(isDelivered) : this.retryOf(claim, asked);
    return { claim, ...time, ...next, status, answer, error: null };
  }

  /** A test event is not retried. */
  private retryOf(
    { failures, isTest }: ClaimedDelivery,
    asked: number | undefined,
  ): Pick<AttemptOutcome, 'verdict' | 'waitSeconds'> {
    if (isTest) return { verdict: 'failed', waitSeconds: null };
    const schedule = retrySchedule(this.config.webhooks.retrySeconds);
    const waitMs = retryDelayMs(schedule, failures + 1, { atLeastMs: (asked ?? 0) * 1_000 });
    return waitMs === undefined
      ? { verdict: 'failed', waitSeconds: null }
      : { verdict: 'waiting', waitSeconds: waitMs / 1_000 };
  }

  private log(claim: ClaimedDelivery, attempt: AttemptOutcome, context: RequestContext): void {
    const { verdict, status, durationMs, error } = attempt;
    this.metrics.webhookAttempts.observe({ outcome: outcomeLabel(status) }, durationMs / 1_000);
    if (verdict === 'failed') this.metrics.webhooksFailed.inc();
    const { id: deliveryId, accountId, type, sourceId } = claim;
    const fields = {
      ...contextFields(context),
      deliveryId,
      accountId,
      type,
      ...(!type.startsWith('credits.') && { messageId: sourceId }),
      status,
      error,
      durationMs: Math.round(durationMs),
    };
    if (verdict === 'delivered') this.logger.debug(fields, 'webhook delivered');
    else this.logger.info({ ...fields, verdict }, 'webhook not delivered');
  }
}

function endOf(isDelivered: boolean) {
  return { verdict: isDelivered ? ('delivered' as const) : ('failed' as const), waitSeconds: null };
}

/** The schedule of retries after these waits in seconds. */
export function retrySchedule(waitsSeconds: readonly number[]): RetrySchedule {
  return { waitMs: listedWaits(waitsSeconds.map((seconds) => seconds * 1_000)), jitter: JITTER };
}

/**
 * Parses `Retry-After` (RFC 9110, 10.2.3), a number of seconds or a date; undefined for other
 * texts.
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), RETRY_AFTER_SECONDS_MAX);
}

/** The value of the metric's `outcome` label. */
function outcomeLabel(status: number | null): string {
  if (status === null) return 'unreachable';
  if (status < 300) return 'delivered';
  return status < 400 ? 'redirect' : status < 500 ? 'refused' : 'broken';
}
