import { Injectable } from '@nestjs/common';
import { StatusUpdates } from '../status/status-updates.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { MessageFiles } from '../files/message-files.js';
import { MessageQueues } from '../store/message-queues.js';
import { OtpPayloads } from '../store/otp-payloads.js';
import type { ClaimedDueMessage } from './due-messages.repository.js';
import { type LookUp, LookUpMessage } from './look-up-message.js';

/** A message that could not be looked up for this long after its claim fails and is refunded. */
const LOOKED_UP_FOR_MS = 24 * 3_600_000;

/**
 * Settles a claim without an outcome: the worker died, or the carrier's response was lost or
 * ambiguous, and no status callback has named the message. A message at the carrier is recorded;
 * any other is sent again once the claim's lease is over. While the carrier cannot be asked, the
 * message stays `sending` and is looked up at growing intervals. Without a look-up, it waits for
 * its receipt.
 */
@Injectable()
export class SettleClaim {
  constructor(
    private readonly lookUpMessage: LookUpMessage,
    private readonly statusUpdates: StatusUpdates,
    private readonly otpPayloads: OtpPayloads,
    private readonly messageFiles: MessageFiles,
    private readonly queues: MessageQueues,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  async settle(message: ClaimedDueMessage): Promise<void> {
    const { id, accountId, kind, carrier, attempts } = message;
    const result = await this.lookUp(message);
    this.metrics.carrierLookups.inc({ outcome: result.kind });
    switch (result.kind) {
      case 'found':
        await this.otpPayloads.taken(message);
        this.logger.info({ messageId: id, carrierId: result.carrierId }, 'claim settled: the carrier has the message');
        return;
      case 'absent':
        if (!message.leaseOver || !(await this.statusUpdates.release(id, attempts, 0))) return;
        await this.queues.ofAnyWorker(carrier).enqueued({ id, accountId, kind, requeued: true });
        this.logger.info({ messageId: id }, 'claim settled: the message is sent again');
        return;
      case 'impossible':
      case 'failed':
        if (Date.now() - message.claimedAt.getTime() > LOOKED_UP_FOR_MS) await this.giveUp(message);
        return;
      case 'undecided':
        return;
    }
  }

  /** Fails and refunds a queued message that has expired, unless it was claimed in time. */
  async expire(message: Pick<ClaimedDueMessage, 'id' | 'kind'>): Promise<void> {
    const { id } = message;
    const update = { id, status: 'failed', carrierId: null, errorCode: 'expired', onlyWaiting: true } as const;
    if (!(await this.statusUpdates.apply(update))) return;
    await this.otpPayloads.forget(message);
    this.logger.info({ messageId: id }, 'message expired before dispatch');
  }

  private async lookUp(message: ClaimedDueMessage): Promise<LookUp | { readonly kind: 'failed' }> {
    const { id, accountId, kind } = message;
    const { text } = await this.otpPayloads.read(message);
    const files = kind === 'mms' ? await this.messageFiles.countOf(accountId, id) : 0;
    try {
      return await this.lookUpMessage.lookUp(message, { text, files });
    } catch (err) {
      this.logger.warn({ messageId: message.id, err }, 'message could not be looked up at the carrier');
      return { kind: 'failed' };
    }
  }

  private async giveUp(message: ClaimedDueMessage): Promise<void> {
    const { id } = message;
    await this.statusUpdates.apply({ id, status: 'failed', carrierId: null, errorCode: 'carrier_unavailable' });
    await this.otpPayloads.forget(message);
    this.logger.error({ messageId: id }, 'message given up after a day without an answer of the carrier');
  }
}
