import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Backlog } from '../../platform/queue/backlog.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import { StatusUpdates } from '../status/status-updates.js';
import { OtpPayloads } from '../otp-payloads/otp-payloads.js';
import { Carrier, type SendOutcome } from './carrier.js';
import { Claims } from './claims.js';
import type { ClaimRow } from './claims.sql.js';
import { callWindowMs } from './call-window.js';
import { retryDelayMs } from './retry-delay.js';

/** A message the carrier cannot take for this long fails, and its credits go back. As Twilio's own validity period. */
const GIVE_UP_AFTER_MS = 4 * 3_600_000;

/** `origin`: what had it accepted, where the job still knows. */
type Claimed = Extract<ClaimRow, { verdict: 'claimed' }> & { readonly origin: RequestContext };

/** `retry`: run the same job again after this time. */
export type DispatchResult = { readonly kind: 'done' } | { readonly kind: 'retry'; readonly delayMs: number };

const done: DispatchResult = { kind: 'done' };

/** Takes one queued message to the carrier and records what came of it. Running it twice sends once: the row decides. */
@Injectable()
export class DispatchMessage {
  constructor(
    private readonly claims: Claims,
    private readonly carrier: Carrier,
    private readonly statusUpdates: StatusUpdates,
    private readonly otpPayloads: OtpPayloads,
    private readonly backlog: Backlog,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {}

  run(messageId: string, origin: RequestContext = {}): Promise<DispatchResult> {
    const attributes = { 'pennytext.message_id': messageId };
    return this.tracer.within('dispatch', { kind: 'consumer', parent: origin.traceparent, attributes }, (span) =>
      this.dispatch(messageId, { ...origin, traceparent: span.traceparent }),
    );
  }

  private async dispatch(messageId: string, origin: RequestContext): Promise<DispatchResult> {
    const askedAt = performance.now();
    const claim = await this.claims.claim(messageId);
    if (!claim) return done;
    this.leaveBacklog(claim);
    if (claim.verdict !== 'claimed') {
      await this.statusUpdates.advance({
        id: messageId,
        status: 'failed',
        carrierId: null,
        errorCode: claim.verdict,
        origin,
      });
      this.logger.info({ ...contextFields(origin), messageId, reason: claim.verdict }, 'message refused at dispatch');
      return done;
    }
    const { text, isUseful } = await this.otpPayloads.read(claim);
    const message = { ...claim, origin };
    if (!isUseful) return this.expire(message);
    if (this.leaseIsShort(askedAt)) return this.retry(message, 0);
    return this.record(message, await this.send({ ...message, body: text }));
  }

  private async send(message: Claimed): Promise<SendOutcome> {
    const startedAtMs = performance.now();
    const outcome = await this.tracer.within(
      'carrier send',
      { kind: 'client', parent: message.origin.traceparent },
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
    const { id, kind, createdAt, origin } = claim;
    const about = { ...contextFields(origin), messageId: id };
    switch (outcome.kind) {
      case 'accepted':
        this.metrics.dispatchLatency.observe({ kind }, Math.max(0, Date.now() - createdAt.getTime()) / 1_000);
        await this.statusUpdates.advance({ id, status: 'sent', carrierId: outcome.carrierId, origin });
        this.logger.debug({ ...about, carrierId: outcome.carrierId }, 'message handed to the carrier');
        await this.otpPayloads.forget(claim);
        return done;
      case 'refused': {
        const { carrierError } = outcome;
        await this.statusUpdates.advance({
          id,
          status: 'failed',
          carrierId: null,
          errorCode: 'carrier_refused',
          carrierError,
          origin,
        });
        await this.otpPayloads.forget(claim);
        this.logger.info({ ...about, carrierError }, 'carrier refused message');
        return done;
      }
      case 'unavailable':
        this.logger.warn({ ...about, attempt: claim.attempts, err: outcome.cause }, 'carrier unavailable');
        return this.retry(claim, Math.max(outcome.retryAfterMs ?? 0, retryDelayMs(claim.attempts, Math.random())));
      case 'unknown':
        this.logger.warn({ ...about, err: outcome.cause }, 'carrier did not answer');
        await this.statusUpdates.settleSoon(id);
        return done;
    }
  }

  /** A one-time password whose time has passed helps nobody: its credit goes back. */
  private async expire(claim: Claimed): Promise<DispatchResult> {
    const { id, origin } = claim;
    await this.statusUpdates.advance({ id, status: 'failed', carrierId: null, errorCode: 'expired', origin });
    await this.otpPayloads.forget(claim);
    this.logger.info({ ...contextFields(origin), messageId: id }, 'message came to the carrier too late');
    return done;
  }

  private async retry({ id, attempts, createdAt, origin }: Claimed, delayMs: number): Promise<DispatchResult> {
    if (Date.now() - createdAt.getTime() > GIVE_UP_AFTER_MS) {
      await this.statusUpdates.advance({
        id,
        status: 'failed',
        carrierId: null,
        errorCode: 'carrier_unavailable',
        origin,
      });
      return done;
    }
    const released = await this.statusUpdates.release(id, attempts, delayMs);
    return released ? { kind: 'retry', delayMs } : done;
  }

  /**
   * A call may only start while the claim outlives it and what it leaves behind: once the lease is over, recovery may give
   * the message to another worker. The time is this process's own, measured from before the claim, so no clock needs to
   * agree with another.
   */
  private leaseIsShort(askedAt: number): boolean {
    const { dispatch, twilio } = this.config;
    return performance.now() - askedAt > callWindowMs(dispatch.leaseSeconds, twilio.timeoutMs);
  }

  private leaveBacklog({ id, accountId }: ClaimRow): void {
    this.backlog.leave(accountId).catch((err: unknown) => {
      this.logger.debug({ err, messageId: id }, 'backlog not counted');
    });
  }
}
