import { Injectable } from '@nestjs/common';
import { publicMessageId } from '../../rules/ids.js';
import { Carrier } from '../dispatch/carrier.js';
import { RecordReceipt } from '../status/record-receipt.js';

/** Asks the carrier about sent messages whose receipt has not come. */
@Injectable()
export class PollSent {
  constructor(
    private readonly carrier: Carrier,
    private readonly recordReceipt: RecordReceipt,
  ) {}

  async poll(id: string, carrierId: string): Promise<void> {
    const record = await this.carrier.find(carrierId);
    if (!record || record.status === 'sent') return;
    const { status, carrierError, chosenNumber } = record;
    const sender = chosenNumber ?? undefined;
    await this.recordReceipt.record({ messageId: publicMessageId(id), carrierId, status, carrierError, sender });
  }
}
