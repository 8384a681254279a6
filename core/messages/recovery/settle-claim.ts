import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Carrier, type CarrierRecord } from '../dispatch/carrier.js';
import { CarrierMatches } from '../status/carrier-matches.js';
import { type StatusUpdate, StatusUpdates } from '../status/status-updates.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { OtpPayloads } from '../otp-payloads.js';
import { type ClaimedDueMessage, DueMessagesRepository } from './due-messages.repository.js';
import { canMatch, matchRecords, recordsSince, type UnsettledMessage } from './match-records.js';

/** `undecided`: the carrier has a record that may belong to this message or to an equal one whose claim is under way. */
type LookUp = { readonly kind: 'found'; readonly carrierId: string } | { readonly kind: 'absent' | 'undecided' };

/** Looks up a message at the carrier and records what it finds. */
@Injectable()
export class LookUpMessage {
  constructor(
    private readonly carrier: Carrier,
    private readonly due: DueMessagesRepository,
    private readonly matches: CarrierMatches,
    private readonly statusUpdates: StatusUpdates,
    private readonly postgres: Postgres,
    private readonly config: Config,
  ) {}

  /**
   * The carrier's list does not contain our id, so records are compared. Only those count that no message of ours has, and
   * other unsettled messages to the recipient compete for them, so that each gets at most one. `text` is what was sent. Throws
   * when the carrier cannot be asked.
   */
  async lookUp(claim: ClaimedDueMessage, text: string): Promise<LookUp> {
    const message = { ...claim, text };
    const listed = await this.carrier.listTo(message.recipient, recordsSince(message));
    const possible = listed.filter((record) => canMatch(message, record));
    if (possible.length === 0) return { kind: 'absent' };
    return this.postgres.transaction(async (tx): Promise<LookUp> => {
      await this.due.lockRecipient(tx, message.recipient);
      const carrierIds = possible.map(({ carrierId }) => carrierId);
      const known = await this.due.knownCarrierIds(tx, message.recipient, carrierIds);
      const free = possible.filter(({ carrierId }) => !known.has(carrierId));
      const others = await this.due.unsettledTo(tx, message, this.config.dispatch.leaseSeconds);
      const record = recordOf(message, others, free);
      if (record === undefined || record === 'undecided') return { kind: record ?? 'absent' };
      const transition = await this.statusUpdates.applyIn(tx, updateOf(message.id, record));
      if (transition) await this.matches.add(tx, record.carrierId, message.id);
      return { kind: 'found', carrierId: record.carrierId };
    });
  }
}

function recordOf(
  message: UnsettledMessage,
  others: readonly (UnsettledMessage & { readonly leaseOver: boolean })[],
  free: readonly CarrierRecord[],
): CarrierRecord | 'undecided' | undefined {
  const rivals = others.filter(({ leaseOver }) => leaseOver);
  const record = matchRecords([message, ...rivals], free).get(message.id);
  if (!record) return undefined;
  const isContested = others.some((other) => !other.leaseOver && free.some((one) => canMatch(other, one)));
  return isContested ? 'undecided' : record;
}

function updateOf(id: string, { carrierId, status, carrierError }: CarrierRecord): StatusUpdate {
  const failed = status === 'failed' || status === 'undelivered';
  return { id, status, carrierId, carrierError, ...(failed && { errorCode: 'not_delivered' }) };
}

/** A message that could not be looked up for this long after its claim fails and is refunded. */
const LOOKED_UP_FOR_MS = 24 * 3_600_000;

/**
 * Settles a claim without an outcome: the worker died, or the carrier's response was lost or ambiguous, and no status callback
 * has named the message. One that the carrier has is recorded; one that it does not have is sent again once the claim's lease
 * is over. While the carrier cannot be asked, the message stays `sending` and is looked up again at growing intervals.
 */
@Injectable()
export class SettleClaim {
  constructor(
    private readonly lookUpMessage: LookUpMessage,
    private readonly statusUpdates: StatusUpdates,
    private readonly otpPayloads: OtpPayloads,
    private readonly queue: DispatchQueue,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  async settle(message: ClaimedDueMessage): Promise<void> {
    const { id, accountId, kind, attempts } = message;
    const result = await this.lookUp(message);
    this.metrics.carrierLookups.inc({ outcome: result.kind });
    switch (result.kind) {
      case 'found':
        await this.otpPayloads.forget(message);
        this.logger.info({ messageId: id, carrierId: result.carrierId }, 'claim settled: the carrier has the message');
        return;
      case 'absent':
        if (!message.leaseOver || !(await this.statusUpdates.release(id, attempts, 0))) return;
        await this.queue.enqueued({ id, accountId, kind, requeued: true });
        this.logger.info({ messageId: id }, 'claim settled: the message is sent again');
        return;
      case 'undecided':
      case 'failed':
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
    const { text } = await this.otpPayloads.read(message);
    try {
      return await this.lookUpMessage.lookUp(message, text);
    } catch (err) {
      if (Date.now() - message.claimedAt.getTime() > LOOKED_UP_FOR_MS) await this.giveUp(message);
      this.logger.warn({ messageId: message.id, err }, 'message could not be looked up at the carrier');
      return { kind: 'failed' };
    }
  }

  private async giveUp(message: ClaimedDueMessage): Promise<void> {
    const { id } = message;
    await this.statusUpdates.apply({ id, status: 'failed', carrierId: null, errorCode: 'carrier_unavailable' });
    await this.otpPayloads.forget(message);
    this.logger.error({ messageId: id }, 'message given up after a day of failed lookups');
  }
}
