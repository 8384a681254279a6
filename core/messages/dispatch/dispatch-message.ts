import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import {
  exponentialWaits,
  retryDelayMs,
  type Claimed as ClaimedRow,
  type Lease,
  type RetrySchedule,
} from '../../platform/durable-work/durable-work.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import { StatusUpdates } from '../status/status-updates.js';
import { OtpPayloads } from '../otp-payloads.js';
import { Carrier, type SendOutcome } from './carrier.js';
import { ClaimMessages, type ClaimedMessage, type ClaimRow } from './claim-messages.js';
import { DispatchGate } from './dispatch-gate.js';

/**
 * A message that the carrier cannot take for this long fails and is refunded; pauses do not count.
 * Twilio's own validity period.
 */
const GIVE_UP_AFTER_MS = 4 * 3_600_000;
/** Exponential backoff with jitter in its upper half. */
const retrySchedule: RetrySchedule = {
  waitMs: exponentialWaits({ firstMs: 1_000, factor: 2, maxMs: 60_000 }),
  jitter: [0.5, 1],
};

type Claimed = ClaimedMessage & { readonly context: RequestContext; readonly isProbe: boolean };

/**
 * `retry`: a job of its own runs the message again after this time. `held`: the worker stops while
 * dispatch is paused, so the same job has to run again.
 */
export type DispatchResult = { readonly kind: 'done' | 'held' } | { readonly kind: 'retry'; readonly delayMs: number };

const done: DispatchResult = { kind: 'done' };

/**
 * Claims a queued message, hands it to the carrier and records the result. Running it twice sends
 * once: the row decides.
 */
@Injectable()
export class DispatchMessage {
  constructor(
    private readonly claims: ClaimMessages,
    private readonly gate: DispatchGate,
    private readonly carrier: Carrier,
    private readonly statusUpdates: StatusUpdates,
    private readonly otpPayloads: OtpPayloads,
    private readonly queue: DispatchQueue,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {}

  /** Waits while dispatch is paused. */
  async dispatch(messageId: string, context: RequestContext = {}): Promise<DispatchResult> {
    for (;;) {
      if (!(await this.gate.passed())) return { kind: 'held' };
      const result = await this.traced(messageId, context, () => this.claims.claim(messageId));
      if (result !== 'paused') return result;
      await this.gate.refresh();
    }
  }

  /**
   * Dispatches a message while dispatch is paused; resumes it when the carrier takes or refuses the
   * message itself.
   */
  async probe(messageId: string): Promise<void> {
    await this.traced(messageId, {}, () => this.claims.claimProbe(messageId), true);
  }

  private traced(
    messageId: string,
    context: RequestContext,
    claim: () => ReturnType<ClaimMessages['claim']>,
    isProbe = false,
  ): Promise<DispatchResult | 'paused'> {
    const attributes = { 'pennytext.message_id': messageId };
    return this.tracer.within(
      'dispatch',
      { kind: 'consumer', parent: context.traceparent, attributes },
      async (span) => {
        const claimed = await claim();
        return claimed ? this.run(claimed, { ...context, traceparent: span.traceparent }, isProbe) : done;
      },
    );
  }

  private async run(
    { row: claim, lease }: ClaimedRow<ClaimRow>,
    context: RequestContext,
    isProbe: boolean,
  ): Promise<DispatchResult | 'paused'> {
    const { id: messageId } = claim;
    if (claim.verdict === 'paused') return 'paused';
    this.queue.started(claim.accountId);
    if (claim.verdict !== 'claimed') {
      await this.statusUpdates.apply({
        id: messageId,
        status: 'failed',
        carrierId: null,
        errorCode: claim.verdict,
        context,
      });
      this.logger.info({ ...contextFields(context), messageId, reason: claim.verdict }, 'message refused at dispatch');
      return done;
    }
    const { text, isUseful } = await this.otpPayloads.read(claim);
    const message = { ...claim, context, isProbe };
    if (!isUseful) return this.expire(message);
    if (!this.mayCall(lease)) return this.retry(message, 0);
    const outcome = await this.send({ ...message, body: text });
    const result = await this.record(message, outcome);
    if (isProbe && (outcome.kind === 'accepted' || outcome.kind === 'refused')) await this.gate.resume();
    return result;
  }

  private async send(message: Claimed): Promise<SendOutcome> {
    const startedAtMs = performance.now();
    const outcome = await this.tracer.within(
      'carrier send',
      { kind: 'client', parent: message.context.traceparent },
      async (span) => {
        const answer = await this.carrier.send(message);
        span.set('pennytext.outcome', answer.kind);
        return answer;
      },
    );
    this.metrics.carrierCalls.observe({ outcome: outcome.kind }, (performance.now() - startedAtMs) / 1_000);
    return outcome;
  }

  private async record(claim: Claimed, outcome: SendOutcome): Promise<DispatchResult> {
    const { id, kind, waitsSince, context } = claim;
    const about = { ...contextFields(context), messageId: id };
    switch (outcome.kind) {
      case 'accepted':
        this.metrics.dispatchLatency.observe({ kind }, Math.max(0, Date.now() - waitsSince.getTime()) / 1_000);
        await this.statusUpdates.apply({ id, status: 'sent', carrierId: outcome.carrierId, context });
        this.logger.debug({ ...about, carrierId: outcome.carrierId }, 'message handed to the carrier');
        await this.otpPayloads.forget(claim);
        return done;
      case 'refused': {
        const { carrierError } = outcome;
        await this.statusUpdates.apply({
          id,
          status: 'failed',
          carrierId: null,
          errorCode: 'carrier_refused',
          carrierError,
          context,
        });
        await this.otpPayloads.forget(claim);
        this.logger.info({ ...about, carrierError }, 'carrier refused message');
        return done;
      }
      case 'suspended':
        return this.hold(claim, outcome);
      case 'unavailable':
        this.logger.warn({ ...about, attempt: claim.attempts, err: outcome.cause }, 'carrier unavailable');
        return this.retry(
          claim,
          retryDelayMs(retrySchedule, claim.attempts, { atLeastMs: outcome.retryAfterMs ?? 0 }) ?? 0,
        );
      case 'unknown':
        this.logger.warn({ ...about, err: outcome.cause }, 'carrier gave no conclusive answer');
        await this.statusUpdates.settleSoon(id);
        return done;
    }
  }

  /**
   * Returns the message to the queue and pauses dispatch, unless the carrier keeps refusing this
   * message while it takes others.
   */
  private async hold(
    claim: Claimed,
    { httpStatus, carrierError }: Extract<SendOutcome, { kind: 'suspended' }>,
  ): Promise<DispatchResult> {
    const { id, accountId, kind, attempts, context } = claim;
    if (!(await this.gate.pause({ messageId: id, httpStatus, carrierError })))
      return this.record(claim, { kind: 'refused', carrierError });
    if (!(await this.statusUpdates.release(id, attempts, 0))) return done;
    // A probe's own job is still waiting.
    if (!claim.isProbe) await this.queue.enqueued({ id, accountId, kind, context });
    return { kind: 'retry', delayMs: 0 };
  }

  /** Fails and refunds a one-time password that has expired. */
  private async expire(claim: Claimed): Promise<DispatchResult> {
    const { id, context } = claim;
    await this.statusUpdates.apply({ id, status: 'failed', carrierId: null, errorCode: 'expired', context });
    await this.otpPayloads.forget(claim);
    this.logger.info({ ...contextFields(context), messageId: id }, 'message expired before dispatch');
    return done;
  }

  private async retry(
    { id, accountId, kind, attempts, waitsSince, context }: Claimed,
    delayMs: number,
  ): Promise<DispatchResult> {
    const waitedSinceMs = Math.max(waitsSince.getTime(), this.gate.resumedAt?.getTime() ?? 0);
    if (Date.now() - waitedSinceMs > GIVE_UP_AFTER_MS) {
      await this.statusUpdates.apply({
        id,
        status: 'failed',
        carrierId: null,
        errorCode: 'carrier_unavailable',
        context,
      });
      return done;
    }
    if (!(await this.statusUpdates.release(id, attempts, delayMs))) return done;
    await this.queue.enqueued({ id, accountId, kind, context, delayMs });
    return { kind: 'retry', delayMs };
  }

  /**
   * A call may only start while the lease covers it and as much time again: a call that is given up
   * may reach the carrier's records later, and once the lease ends recovery asks the carrier and
   * sends again what it does not know.
   */
  private mayCall(lease: Lease): boolean {
    return lease.covers(2 * this.config.twilio.timeoutMs);
  }
}
