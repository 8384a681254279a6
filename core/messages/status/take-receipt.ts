import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { contextFields } from '../../platform/telemetry/request-context.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import type { CarrierReceipt } from '../../carriers/carrier.js';
import { RecordReceipt } from './record-receipt.js';

/** Most messages are delivered within this time of the carrier's `sent`. */
const SENT_WAITS_MS = 2_000;
/** Maximum of waiting receipts: about 3 KB each, and fewer than may wait for the database. */
const WAITING_MAX = 5_000;

interface WaitingReceipt {
  readonly receipt: CarrierReceipt;
  readonly timer: NodeJS.Timeout;
}

/**
 * Takes receipts as a carrier posts them. A receipt of `sent` repeats the carrier's answer to the
 * hand-over, except after a crash: it waits two seconds in this process and is dropped if a final
 * receipt comes meanwhile. A killed process loses waiting receipts; recovery asks the carrier about
 * messages that do not end.
 */
@Injectable()
export class TakeReceipt implements BeforeApplicationShutdown {
  private readonly waiting = new Map<string, WaitingReceipt>();
  private isEnding = false;

  constructor(
    private readonly recordReceipt: RecordReceipt,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Resolves when the receipt is recorded, or waits. */
  async take(receipt: CarrierReceipt): Promise<void> {
    const { carrier, carrierId, messageId, status, sender, costMicrousd } = receipt;
    const name = `${carrier} ${carrierId} ${messageId}`;
    // The answer had no sender and no price. A receipt that names no message of ours does not wait.
    const isRepetition = status === 'sent' && sender === undefined && costMicrousd === undefined;
    const mayWait = isRepetition && messageIdFromPublic(messageId) !== undefined;
    if (mayWait && !this.isEnding && this.waiting.size < WAITING_MAX) {
      if (this.waiting.has(name)) return;
      const timer = setTimeout(() => void this.recordWaiting(name), SENT_WAITS_MS);
      this.waiting.set(name, { receipt, timer });
      return;
    }
    if (this.end(name)) this.metrics.receipts.inc({ status: 'sent' });
    await this.recordReceipt.record(receipt);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await Promise.all([...this.waiting.keys()].map((name) => this.recordWaiting(name)));
  }

  private async recordWaiting(name: string): Promise<void> {
    const receipt = this.end(name);
    if (!receipt) return;
    try {
      await this.recordReceipt.record(receipt);
    } catch (err) {
      this.logger.error({ ...contextFields(receipt.context), err }, 'receipt of sent not recorded');
    }
  }

  private end(name: string): CarrierReceipt | undefined {
    const found = this.waiting.get(name);
    clearTimeout(found?.timer);
    this.waiting.delete(name);
    return found?.receipt;
  }
}
