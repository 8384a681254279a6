import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Senders } from '../senders/senders.js';
import { Acceptance } from './acceptance.js';
import type { Decision, AcceptanceRow } from './decision.js';
import type { ApiKey } from '../../keys/api-key.js';

const ATTEMPTS_MAX = 3;

/** A request whose sender is still to be chosen. */
export type MessageRow = Omit<AcceptanceRow, 'sender'> & { readonly recipient: string; readonly country: string };

export type FinalDecision = Exclude<Decision, { readonly kind: 'sender_changed' }>;

/**
 * Chooses a message's sender and lets acceptance decide; chooses again when the operator has just
 * given the sender away.
 */
@Injectable()
export class DecideMessage {
  constructor(
    private readonly acceptance: Acceptance,
    private readonly senders: Senders,
  ) {}

  /** Throws `unavailable` when the account has no sender. */
  async decide(key: ApiKey, row: MessageRow, context?: RequestContext): Promise<FinalDecision> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const sender = await this.senders.senderFor(key, row.recipient, row.country);
      const decision = await this.acceptance.decide({ sender, ...row }, context);
      if (decision.kind !== 'sender_changed') return decision;
      this.senders.forget(key, row.recipient);
    }
    return { kind: 'refused', account: null, code: 'lost', cause: new Error('The senders keep changing') };
  }

  /** Decides about a message that the rules refuse: it has no recipient and needs no sender. */
  async decideRefused(row: Omit<AcceptanceRow, 'sender'>, context?: RequestContext): Promise<FinalDecision> {
    const decision = await this.acceptance.decide({ sender: null, ...row }, context);
    if (decision.kind === 'sender_changed') throw new Error('A request without a sender cannot have a wrong one');
    return decision;
  }
}
