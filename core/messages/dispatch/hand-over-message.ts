import { Injectable } from '@nestjs/common';
import { Carriers, type SendOutcome } from '../../carriers/carrier.js';
import { Config } from '../../platform/config/config.js';
import type { Lease } from '../../platform/durable-work/durable-work.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { DispatchGate } from './dispatch-gate.js';
import { type Claimed, DispatchOutcomes, type DispatchResult } from './dispatch-outcomes.js';
import { MessageContent } from './message-content.js';

/** Hands a claimed message to its carrier and records the outcome. */
@Injectable()
export class HandOverMessage {
  constructor(
    private readonly content: MessageContent,
    private readonly carriers: Carriers,
    private readonly gate: DispatchGate,
    private readonly outcomes: DispatchOutcomes,
    private readonly config: Config,
    private readonly telemetry: Telemetry,
  ) {}

  /** Resumes the carrier of a probe when it takes or refuses the message itself. */
  async handOver(message: Claimed, lease: Lease): Promise<DispatchResult> {
    const { id, carrier, isProbe } = message;
    const content = await this.content.read(message);
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
