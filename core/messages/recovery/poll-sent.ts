import { Injectable } from '@nestjs/common';
import { publicMessageId } from '../../rules/ids.js';
import { MessageAttempts } from '../handover/message-attempts.js';
import { Carriers } from '../../carriers/carrier.js';
import type { DueMessage } from './due-messages.repository.js';
import { RecordReceipt } from '../status/record-receipt.js';

/** Asks the carriers that can be asked about sent messages without a receipt. */
@Injectable()
export class PollSent {
  constructor(
    private readonly carriers: Carriers,
    private readonly recordReceipt: RecordReceipt,
    private readonly attempts: MessageAttempts,
  ) {}

  poll({ id, carrier, carrierId }: Extract<DueMessage, { status: 'sent' }>): Promise<void> {
    return this.ask(id, carrier, carrierId);
  }

  /**
   * Asks about earlier hand-overs: any of them may deliver the message. A carrier that cannot be
   * asked delays no other.
   */
  async pollEarlier({ id }: DueMessage): Promise<void> {
    const asked = (await this.attempts.open(id)).map(({ carrier, carrierId }) => this.ask(id, carrier, carrierId));
    const failed = (await Promise.allSettled(asked)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async ask(id: string, carrier: number, carrierId: string): Promise<void> {
    const record = await this.carriers.find(carrier)?.capabilities.records?.find(carrierId);
    if (!record || record.status === 'sent') return;
    const { status, carrierError, chosenNumber, costMicrousd } = record;
    const messageId = publicMessageId(id);
    const sender = chosenNumber ?? undefined;
    await this.recordReceipt.record({ messageId, carrier, carrierId, status, carrierError, sender, costMicrousd });
  }
}
