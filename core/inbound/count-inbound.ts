import { Injectable } from '@nestjs/common';
import { InboundMessagesRepository } from './inbound-messages.repository.js';
import { InboundReceiptsRepository, type InboundOutcome } from './inbound-receipts.repository.js';

/** What became of the messages that came in, and whether each was charged once: for the operator. */
@Injectable()
export class CountInbound {
  constructor(
    private readonly receipts: InboundReceiptsRepository,
    private readonly messages: InboundMessagesRepository,
  ) {}

  /** By what they became on arrival, over the last hours. */
  async outcomes(hours: number): Promise<Record<InboundOutcome, number>> {
    const counts = await this.receipts.counts(hours);
    const of = (outcome: InboundOutcome) => counts.get(outcome) ?? 0;
    return { received: of('received'), held: of('held'), unrouted: of('unrouted'), off: of('off'), full: of('full') };
  }

  /** Received messages without exactly their charge, charges without their message, and gaps in the numbers. */
  async mismatches(): Promise<number> {
    return this.messages.countMismatches();
  }
}
