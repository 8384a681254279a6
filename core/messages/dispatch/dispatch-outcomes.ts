import { Injectable } from '@nestjs/common';
import type { MessageErrorCode } from '#contract/delivery-errors.js';
import { exponentialWaits, retryDelayMs, type RetrySchedule } from '../../platform/durable-work/durable-work.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { OtpPayloads } from '../store/otp-payloads.js';
import { StatusUpdates } from '../status/status-updates.js';
import type { SendOutcome } from '../../carriers/carrier.js';
import { type Leaving, Reroute } from '../handover/reroute.js';
import type { ClaimedMessage, PausedClaim, RefusedClaim } from './claim-messages.js';
import { MessageQueues } from '../store/message-queues.js';
import { DispatchGate } from './dispatch-gate.js';
import { NumberTurns, type Turn } from './number-turns.js';

/**
 * A message that the carrier cannot take for this long fails and is refunded; pauses do not count.
 * Twilio's own validity period.
 */
const GIVE_UP_AFTER_MS = 4 * 3_600_000;
/** Exponential backoff with jitter in the upper half. */
const retrySchedule: RetrySchedule = {
  waitMs: exponentialWaits({ firstMs: 1_000, factor: 2, maxMs: 60_000 }),
  jitter: [0.5, 1],
};

/** A claimed message; `isProbe`: claimed while its carrier is paused. */
export type Claimed = ClaimedMessage & { readonly context: RequestContext; readonly isProbe: boolean };

/**
 * `retry`: a job of its own runs the message again after this time. `held`: the worker stops while
 * dispatch is paused, so the same job has to run again.
 */
export type DispatchResult = { readonly kind: 'done' | 'held' } | { readonly kind: 'retry'; readonly delayMs: number };

/**
 * Reason why a message with files cannot be handed to its carrier. `gone`: a file has been deleted.
 * `too_large`: the new sender takes fewer bytes. `unsupported`: the carrier takes no files.
 * `unavailable`: the store of files does not answer.
 */
export type FilesFault = 'gone' | 'too_large' | 'unsupported' | 'unavailable';

const filesErrors = {
  gone: 'media_expired',
  too_large: 'media_too_large',
  unsupported: 'media_unsupported',
} as const satisfies Record<Exclude<FilesFault, 'unavailable'>, MessageErrorCode>;

/** A queued message that waits for its number's turn. */
interface PostponedMessage extends Turn {
  readonly id: string;
  readonly accountId: string;
}

/** Wait for the next worker of a carrier when the last has just lost its connection. */
const MOVE_AGAIN_MS = 1_000;

const done: DispatchResult = { kind: 'done' };
/** A separate job hands the message to its new route. */
const rerouted: DispatchResult = { kind: 'retry', delayMs: 0 };

/** A message that its route has not taken. */
function notTaken({ attempts: claim, carrier, context }: Claimed): Leaving {
  return { reason: 'not_taken', outcome: 'not_taken', from: ['sending'], claim, carrier, context };
}

/** Records the outcomes of messages that a worker has taken from the queue. */
@Injectable()
export class DispatchOutcomes {
  constructor(
    private readonly gate: DispatchGate,
    private readonly statusUpdates: StatusUpdates,
    private readonly otpPayloads: OtpPayloads,
    private readonly reroute: Reroute,
    private readonly queues: MessageQueues,
    private readonly turns: NumberTurns,
    private readonly telemetry: Telemetry,
  ) {}

  /** Fails and refunds a message that the claim refused. */
  async refusedAtClaim({ id, verdict: errorCode }: RefusedClaim, context: RequestContext): Promise<DispatchResult> {
    await this.fail(id, errorCode, context);
    const about = { ...contextFields(context), messageId: id, reason: errorCode };
    this.telemetry.logger.info(about, 'message refused at dispatch');
    return done;
  }

  /** Records the carrier's answer. */
  async record(claim: Claimed, outcome: SendOutcome): Promise<DispatchResult> {
    const { id, kind, carrier, waitsSince, context } = claim;
    const about = { ...contextFields(context), messageId: id };
    switch (outcome.kind) {
      case 'accepted':
        this.telemetry.metrics.dispatchLatency.observe(
          { kind },
          Math.max(0, Date.now() - waitsSince.getTime()) / 1_000,
        );
        await this.statusUpdates.apply({ id, status: 'sent', carrier, carrierId: outcome.carrierId, context });
        this.telemetry.logger.debug({ ...about, carrierId: outcome.carrierId }, 'message handed to the carrier');
        await this.otpPayloads.taken(claim);
        return done;
      case 'refused': {
        const { carrierError } = outcome;
        if (await this.reroute.leaveFailed(id, { ...notTaken(claim), carrier, carrierError })) return rerouted;
        await this.statusUpdates.apply({
          id,
          status: 'failed',
          carrier,
          carrierId: null,
          errorCode: 'carrier_refused',
          carrierError,
          context,
        });
        await this.otpPayloads.taken(claim);
        this.telemetry.logger.info({ ...about, carrierError }, 'carrier refused message');
        return done;
      }
      case 'suspended':
        return this.hold(claim, outcome);
      case 'unavailable':
        this.telemetry.logger.warn({ ...about, attempt: claim.attempts, err: outcome.cause }, 'carrier unavailable');
        if (await this.reroute.leave(id, notTaken(claim))) return rerouted;
        return this.retry(
          claim,
          retryDelayMs(retrySchedule, claim.attempts, { atLeastMs: outcome.retryAfterMs ?? 0 }) ?? 0,
        );
      case 'unknown':
        this.telemetry.logger.warn({ ...about, err: outcome.cause }, 'carrier gave no conclusive answer');
        if (await this.reroute.leaveInDoubt(id, { ...notTaken(claim), reason: 'doubtful', outcome: 'doubtful' }))
          return rerouted;
        await this.statusUpdates.settleSoon(id);
        return done;
    }
  }

  /**
   * Returns the message to the queue and pauses its carrier, unless the carrier keeps refusing this
   * message but takes others.
   */
  private async hold(
    claim: Claimed,
    { httpStatus, carrierError }: Extract<SendOutcome, { kind: 'suspended' }>,
  ): Promise<DispatchResult> {
    const { id, accountId, kind, carrier, attempts, context } = claim;
    if (!(await this.gate.pause({ carrier, messageId: id, httpStatus, carrierError })))
      return this.record(claim, { kind: 'refused', carrierError });
    if (await this.reroute.leave(id, { ...notTaken(claim), carrierError })) return rerouted;
    if (!(await this.statusUpdates.release(id, attempts, 0))) return done;
    // The original job of a probe is still waiting.
    if (!claim.isProbe) await this.queues.ofAnyWorker(carrier).enqueued({ id, accountId, kind, context });
    return { kind: 'retry', delayMs: 0 };
  }

  /**
   * Hands a message whose carrier is paused to another route, or enqueues a job that tries it again
   * later.
   */
  async wait({ id, accountId, kind, carrier }: PausedClaim, context: RequestContext): Promise<DispatchResult> {
    const delayMs = this.gate.probeMs;
    this.queues.shared.started(accountId);
    const leaving = { reason: 'route_paused', outcome: 'not_taken', from: ['queued'], carrier, context } as const;
    if (await this.reroute.leave(id, leaving)) return rerouted;
    await this.queues.ofAnyWorker(carrier).enqueued({ id, accountId, kind, context, delayMs });
    return { kind: 'retry', delayMs };
  }

  /**
   * Enqueues a job that sends a message when its number's turn comes; a message has one such job,
   * and none while it is on its number's list.
   */
  async postpone(
    { id, accountId, kind, waitMs, isKnown }: PostponedMessage,
    context: RequestContext,
  ): Promise<DispatchResult> {
    this.queues.shared.started(accountId);
    if (waitMs === null) return done;
    const delayMs = Math.ceil(waitMs);
    if (!isKnown) await this.queues.shared.enqueued({ id, accountId, kind, context, delayMs });
    return { kind: 'retry', delayMs };
  }

  /** Puts a message into its carrier's own queue. */
  async moveToOwnQueue(
    { id, accountId, kind, carrier }: PausedClaim,
    context: RequestContext,
    isAgain: boolean,
  ): Promise<DispatchResult> {
    this.queues.shared.started(accountId);
    await this.queues.of(carrier).enqueued({ id, accountId, kind, context, delayMs: isAgain ? MOVE_AGAIN_MS : 0 });
    return done;
  }

  /** Fails and refunds a one-time password that has expired. */
  async expired(claim: Claimed): Promise<DispatchResult> {
    const { id, context } = claim;
    await this.fail(id, 'expired', context);
    await this.otpPayloads.forget(claim);
    this.telemetry.logger.info({ ...contextFields(context), messageId: id }, 'message expired before dispatch');
    return done;
  }

  /**
   * Handles a message whose files cannot be handed to its carrier: tries another route, retries if
   * the store does not answer, or else fails and refunds the message.
   */
  async withoutFiles(claim: Claimed, fault: FilesFault): Promise<DispatchResult> {
    const { id, attempts, context } = claim;
    if (fault === 'unavailable') return this.retry(claim, retryDelayMs(retrySchedule, attempts, { atLeastMs: 0 }) ?? 0);
    if (fault !== 'gone' && (await this.reroute.leave(id, notTaken(claim)))) return rerouted;
    const errorCode = filesErrors[fault];
    await this.fail(id, errorCode, context);
    this.telemetry.logger.info({ ...contextFields(context), messageId: id, errorCode }, 'message without its files');
    return done;
  }

  /**
   * Returns the message to the queue, or gives it up if the carrier could not take it for too long.
   */
  async retry(claim: Claimed, delayMs: number): Promise<DispatchResult> {
    const { id, accountId, kind, carrier, attempts, context } = claim;
    if (await this.isGivenUp(claim)) {
      await this.fail(id, 'carrier_unavailable', context);
      return done;
    }
    if (!(await this.statusUpdates.release(id, attempts, delayMs))) return done;
    await this.queues.of(carrier).enqueued({ id, accountId, kind, context, delayMs });
    return { kind: 'retry', delayMs };
  }

  /** Fails and refunds a message that is handed to no carrier. */
  private async fail(id: string, errorCode: MessageErrorCode, context: RequestContext): Promise<void> {
    await this.statusUpdates.apply({ id, status: 'failed', carrierId: null, errorCode, context });
  }

  /** The time that a message waited for its number's turn does not count. */
  private async isGivenUp({ id, accountId, carrier, waitsSince }: Claimed): Promise<boolean> {
    const isOver = (since: Date | undefined) => Date.now() - (since?.getTime() ?? 0) > GIVE_UP_AFTER_MS;
    return isOver(waitsSince) && isOver(this.gate.resumedAt(carrier)) && isOver(await this.turns.turnOf(accountId, id));
  }
}
