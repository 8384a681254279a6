import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Carrier, type CarrierRecord } from '../dispatch/carrier.js';
import { StatusUpdates, type StatusUpdate } from '../status/status-updates.js';
import { OtpPayloads } from '../otp-payloads.js';
import { DueMessagesRepository, type ClaimedDueMessage } from './due-messages.repository.js';

/** The clocks of carrier and Postgres may differ by this much. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Settles a claim without an outcome: the worker died or the carrier's answer was lost. A message that the carrier has is
 * recorded; one that it does not know is sent again once the claim's lease is over. Throws when the carrier cannot be asked.
 */
@Injectable()
export class SettleClaim {
  constructor(
    private readonly carrier: Carrier,
    private readonly due: DueMessagesRepository,
    private readonly statusUpdates: StatusUpdates,
    private readonly otpPayloads: OtpPayloads,
    private readonly postgres: Postgres,
    private readonly queue: DispatchQueue,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  async settle(message: ClaimedDueMessage): Promise<void> {
    const { id, claimedAt } = message;
    const listed = await this.carrier.listTo(message.recipient, new Date(claimedAt.getTime() - CLOCK_SKEW_MS));
    const { text } = await this.otpPayloads.read(message);
    const found = await this.match(message, text, listed);
    if (found === 'undecided') return;
    if (found) {
      await this.otpPayloads.forget(message);
      this.logger.info({ messageId: id, carrierId: found.carrierId }, 'claim settled: the carrier has the message');
      return;
    }
    if (!message.leaseOver) return;
    if (!(await this.statusUpdates.release(id, message.attempts, 0))) return;
    await this.queue.enqueued({ id, accountId: message.accountId, kind: message.kind, requeued: true });
    this.logger.info({ messageId: id }, 'claim settled: the message is sent again');
  }

  /**
   * The carrier's list does not contain our id: a record is this message's when recipient, sender and text are equal and no
   * other message of ours has it, so that two equal messages get one each. While an equal message is claimed, a free record
   * may be that one's, and the next round decides.
   */
  private async match(
    message: ClaimedDueMessage,
    text: string,
    listed: CarrierRecord[],
  ): Promise<CarrierRecord | 'undecided' | undefined> {
    const alike = listed.filter(
      ({ body, sender }) => body === text && (sender === message.sender || isService(message.sender)),
    );
    if (alike.length === 0) return undefined;
    const carrierIds = alike.map(({ carrierId }) => carrierId);
    return this.postgres.transaction(async (tx) => {
      await this.due.lockRecipient(tx, message.recipient);
      const known = await this.due.knownCarrierIds(tx, message.recipient, carrierIds);
      const free = alike.find(({ carrierId }) => !known.has(carrierId));
      if (!free) return undefined;
      if (await this.due.isEqualOneClaimed(tx, message, this.config.dispatch.leaseSeconds)) return 'undecided';
      await this.statusUpdates.applyIn(tx, updateOf(message.id, free));
      return free;
    });
  }
}

function updateOf(id: string, { carrierId, status, carrierError }: CarrierRecord): StatusUpdate {
  const failed = status === 'failed' || status === 'undelivered';
  return { id, status, carrierId, carrierError, ...(failed && { errorCode: 'not_delivered' }) };
}

/** A messaging service chooses the number itself. */
function isService(sender: string): boolean {
  return sender.startsWith('MG');
}
