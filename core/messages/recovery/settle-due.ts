import { Injectable } from '@nestjs/common';
import { Reroute } from '../handover/reroute.js';
import type { DueMessage } from './due-messages.repository.js';
import { PollSent } from './poll-sent.js';
import { SettleClaim } from './settle-claim.js';

/**
 * Settles a message that is due in its present state: an expired one, a claim without an outcome, or
 * a sent message without a receipt.
 */
@Injectable()
export class SettleDue {
  constructor(
    private readonly settleClaim: SettleClaim,
    private readonly pollSent: PollSent,
    private readonly reroute: Reroute,
  ) {}

  async settle(message: DueMessage): Promise<void> {
    if (message.isSlow && (await this.tryAnotherRoute(message))) return;
    const hasEarlier = this.reroute.areSeveral && message.status !== 'queued';
    const both = [this.settleCurrent(message), ...(hasEarlier ? [this.pollSent.pollEarlier(message)] : [])];
    const failed = (await Promise.allSettled(both)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private settleCurrent(message: DueMessage): Promise<void> {
    switch (message.status) {
      case 'queued':
        return this.settleClaim.expire(message);
      case 'sending':
        return this.settleClaim.settle(message);
      case 'sent':
        return this.pollSent.poll(message);
    }
  }

  /** Handles a message whose receipt or carrier's answer has not come in time. */
  private tryAnotherRoute({ id, status, attempts: claim, carrier }: DueMessage): Promise<boolean> {
    const known = { claim, carrier, from: [status] };
    return this.reroute.leaveInDoubt(
      id,
      status === 'sent'
        ? { ...known, reason: 'slow', outcome: 'accepted' }
        : { ...known, reason: 'doubtful', outcome: 'doubtful' },
    );
  }
}
