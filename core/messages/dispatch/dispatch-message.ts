import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import type { Claimed as ClaimedRow, Lease } from '../../platform/durable-work/durable-work.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { OtpPayloads } from '../otp-payloads.js';
import { Carrier, type SendOutcome } from './carrier.js';
import { ClaimMessages, type ClaimRow } from './claim-messages.js';
import { DispatchGate } from './dispatch-gate.js';
import { type Claimed, DispatchOutcomes, type DispatchResult } from './dispatch-outcomes.js';

/**
 * Claims a queued message, hands it to the carrier and records the result. Running it twice sends
 * once: the row decides.
 */
@Injectable()
export class DispatchMessage {
  constructor(
    private readonly claims: ClaimMessages,
    private readonly gate: DispatchGate,
    private readonly otpPayloads: OtpPayloads,
    private readonly carrier: Carrier,
    private readonly outcomes: DispatchOutcomes,
    private readonly config: Config,
    private readonly telemetry: Telemetry,
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
  ): Promise<DispatchResult | 'paused'> {
    if (claim.verdict === 'paused') return 'paused';
    if (claim.verdict !== 'claimed') return this.outcomes.refusedAtClaim(claim, context);
    const { text, isUseful } = await this.otpPayloads.read(claim);
    const message = { ...claim, context, isProbe };
    if (!isUseful) return this.outcomes.expired(message);
    if (!this.mayCall(lease)) return this.outcomes.retry(message, 0);
    const outcome = await this.send({ ...message, body: text });
    const result = await this.outcomes.record(message, outcome);
    if (isProbe && (outcome.kind === 'accepted' || outcome.kind === 'refused')) await this.gate.resume();
    return result;
  }

  private send(message: Claimed): Promise<SendOutcome> {
    const observed = {
      kind: 'client',
      parent: message.context.traceparent,
      outcomeOf: ({ kind }: SendOutcome) => kind,
      timed: this.telemetry.metrics.carrierCalls,
    } as const;
    return this.telemetry.observe('carrier send', observed, () => this.carrier.send(message));
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
