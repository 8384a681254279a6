import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Carriers, type SendOutcome } from '../../carriers/carrier.js';
import { MediaFilesUnavailable } from '../../media/media-files.js';
import { Config } from '../../platform/config/config.js';
import type { Claimed as ClaimedRow, Lease } from '../../platform/durable-work/durable-work.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { MessageToDispatch } from '../../platform/queue/queues.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { MessageFiles } from '../files/message-files.js';
import { OtpPayloads } from '../store/otp-payloads.js';
import { ClaimMessages, type ClaimRow, type PausedClaim } from './claim-messages.js';
import { DispatchGate } from './dispatch-gate.js';
import { type Claimed, DispatchOutcomes, type DispatchResult, type FilesFault } from './dispatch-outcomes.js';
import { NumberTurns } from './number-turns.js';

/** A message with a later turn than this lets others pass. */
const WAITED_HERE_MS = 500;

/** Content for the carrier, or the reason why there is none. */
type ReadContent =
  | { readonly kind: 'ready'; readonly text: string; readonly mediaUrls: readonly string[] }
  /** A one-time password that has expired. */
  | { readonly kind: 'useless' }
  | { readonly kind: 'without_files'; readonly fault: FilesFault };

/** Hands a claimed message to its carrier and records the outcome. */
@Injectable()
export class HandOverMessage {
  constructor(
    private readonly otpPayloads: OtpPayloads,
    private readonly messageFiles: MessageFiles,
    private readonly carriers: Carriers,
    private readonly gate: DispatchGate,
    private readonly outcomes: DispatchOutcomes,
    private readonly config: Config,
    private readonly telemetry: Telemetry,
  ) {}

  /** Resumes the carrier of a probe when it takes or refuses the message itself. */
  async handOver(message: Claimed, lease: Lease): Promise<DispatchResult> {
    const { id, carrier, isProbe } = message;
    const content = await this.read(message);
    if (content.kind === 'useless') return this.outcomes.expired(message);
    if (content.kind === 'without_files') return this.outcomes.withoutFiles(message, content.fault);
    if (!this.mayCall(lease)) return this.outcomes.retry(message, 0);
    const startedMs = performance.now();
    const outcome = await this.send({ ...message, body: content.text }, content.mediaUrls);
    await this.gate.hear(carrier, id, outcome, startedMs);
    const result = await this.outcomes.record(message, outcome);
    if (isProbe && (outcome.kind === 'accepted' || outcome.kind === 'refused')) await this.gate.resume(carrier);
    return result;
  }

  /** Reads the text and files. */
  private async read(claim: Claimed): Promise<ReadContent> {
    const { text, isUseful } = await this.otpPayloads.read(claim);
    if (!isUseful) return { kind: 'useless' };
    if (claim.kind !== 'mms') return { kind: 'ready', text, mediaUrls: [] };
    if (!this.carriers.of(claim.carrier).carriesMedia) return { kind: 'without_files', fault: 'unsupported' };
    try {
      const files = await this.messageFiles.forCarrier(claim);
      if (files.kind !== 'links') return { kind: 'without_files', fault: files.kind };
      return { kind: 'ready', text, mediaUrls: files.urls };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return { kind: 'without_files', fault: 'unavailable' };
    }
  }

  private send(message: Claimed, mediaUrls: readonly string[]): Promise<SendOutcome> {
    const observed = {
      kind: 'client',
      parent: message.context.traceparent,
      outcomeOf: ({ kind }: SendOutcome) => kind,
      timed: this.telemetry.metrics.carrierCalls,
    } as const;
    return this.telemetry.observe('carrier send', observed, () => {
      const carried = mediaUrls.length === 0 ? message : { ...message, mediaUrls };
      return this.carriers.of(message.carrier).send(carried);
    });
  }

  /**
   * A call may only start while the lease covers twice its timeout: an abandoned call may reach the
   * carrier's records later, and after the lease recovery sends messages again that the carrier
   * does not know.
   */
  private mayCall(lease: Lease): boolean {
    return lease.covers(2 * this.config.dispatch.timeoutMs);
  }
}

/** A message whose carrier is paused. */
interface Paused {
  readonly kind: 'paused';
  readonly claim: PausedClaim;
}

/** Claims a queued message and has it handed over, or puts it off. Running it twice sends once: the row decides. */
@Injectable()
export class DispatchMessage {
  constructor(
    private readonly claims: ClaimMessages,
    private readonly gate: DispatchGate,
    private readonly carriers: Carriers,
    private readonly handOverMessage: HandOverMessage,
    private readonly outcomes: DispatchOutcomes,
    private readonly turns: NumberTurns,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * As {@link dispatch}, but at the number's rate if the account has bought the sender.
   * `takesTurns`: the accepting process knows that it has. `queueOf`: the carrier whose own queue
   * the job is from.
   */
  async dispatchInTurn(
    { accountId, messageId, takesTurns = false }: Omit<MessageToDispatch, keyof RequestContext>,
    context: RequestContext = {},
    queueOf?: number,
  ): Promise<DispatchResult> {
    const turn = await this.turns.take(accountId, messageId, takesTurns);
    if (turn) {
      const { waitMs } = turn;
      if (waitMs === null || waitMs > WAITED_HERE_MS)
        return this.outcomes.postpone({ id: messageId, accountId, ...turn }, context);
      if (waitMs > 0) await sleep(waitMs);
      if (this.gate.isClosed && (await this.isBackOnList({ id: messageId, accountId, kind: turn.kind })))
        return this.outcomes.postpone({ id: messageId, accountId, ...turn, waitMs: null }, context);
    }
    return this.dispatch(messageId, context, queueOf);
  }

  /**
   * Waits while every carrier of text messages is paused, unless the job is from the queue of
   * another channel. Enqueues the message for later while only its own carrier is paused. A message
   * of an exclusive carrier goes to that carrier's queue. `queueOf`: the carrier whose own queue the
   * job is from.
   */
  async dispatch(messageId: string, context: RequestContext = {}, queueOf?: number): Promise<DispatchResult> {
    const isOwnQueue = queueOf !== undefined;
    for (;;) {
      if (!(await this.gate.passed(queueOf))) return { kind: 'held' };
      const result = await this.traced(messageId, context, () => this.claims.claim(messageId, isOwnQueue));
      if (result.kind !== 'paused') return result;
      if (await this.isBackOnList(result.claim))
        return this.outcomes.postpone({ ...result.claim, waitMs: null, isKnown: true }, context);
      // The carrier's own queue has no worker while no bind is connected.
      const isPaused = this.gate.isPausedAlone(result.claim.carrier);
      if (!isPaused && this.carriers.elsewhere(isOwnQueue).includes(result.claim.carrier))
        return this.outcomes.moveToOwnQueue(result.claim, context, isOwnQueue);
      await this.gate.refresh();
      if (this.gate.isPausedAlone(result.claim.carrier)) return this.outcomes.wait(result.claim, context);
    }
  }

  /** A one-time password does not wait for a turn, now or later. */
  private async isBackOnList({
    id,
    accountId,
    kind,
  }: Pick<PausedClaim, 'id' | 'accountId' | 'kind'>): Promise<boolean> {
    return kind !== 'otp' && this.turns.giveBack(accountId, id);
  }

  /**
   * Dispatches a message while its carrier is paused; resumes the carrier when it takes or refuses
   * the message itself. Returns false when the message was not for the carrier, whose state stays
   * unknown.
   */
  async probe(messageId: string): Promise<boolean> {
    let isClaimed = false;
    const claim = async () => {
      const claimed = await this.claims.claimProbe(messageId);
      isClaimed = claimed?.row.verdict === 'claimed';
      return claimed;
    };
    await this.traced(messageId, {}, claim, true);
    return isClaimed;
  }

  private traced(
    messageId: string,
    context: RequestContext,
    claim: () => ReturnType<ClaimMessages['claim']>,
    isProbe = false,
  ): Promise<DispatchResult | Paused> {
    const attributes = { 'pennytext.message_id': messageId };
    return this.telemetry.observe(
      'dispatch',
      { kind: 'consumer', parent: context.traceparent, attributes },
      async (span) => {
        const claimed = await claim();
        return claimed ? this.run(claimed, { ...context, traceparent: span.traceparent }, isProbe) : { kind: 'done' };
      },
    );
  }

  private async run(
    { row: claim, lease }: ClaimedRow<ClaimRow>,
    context: RequestContext,
    isProbe: boolean,
  ): Promise<DispatchResult | Paused> {
    if (claim.verdict === 'paused') return { kind: 'paused', claim };
    if (claim.verdict !== 'claimed') return this.outcomes.refusedAtClaim(claim, context);
    return this.handOverMessage.handOver({ ...claim, context, isProbe }, lease);
  }
}

/** Whether the same read may succeed a moment later. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof MediaFilesUnavailable) return true;
  return error instanceof DomainError && (error.code === 'unavailable' || error.code === 'media_limit');
}
