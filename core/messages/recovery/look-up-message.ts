import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { type CarrierRecord, Carriers, type HandOverNotes } from '../../carriers/carrier.js';
import { CarrierMatches } from '../status/carrier-matches.js';
import { type StatusUpdate, StatusUpdates } from '../status/status-updates.js';
import { type ClaimedDueMessage, DueMessagesRepository } from './due-messages.repository.js';
import { canMatch, matchRecords, recordsSince, type UnsettledMessage } from './match-records.js';

/**
 * `impossible`: the carrier has no look-up, so that the receipt decides. `undecided`: the carrier
 * has a record that may belong to this message or to an equal message whose claim is under way; or
 * it has no record, and its list may lag.
 */
export type LookUp =
  | { readonly kind: 'found'; readonly carrierId: string }
  | { readonly kind: 'absent' | 'undecided' | 'impossible' };

/** Looks up a message at the carrier and records what it finds. */
@Injectable()
export class LookUpMessage {
  constructor(
    private readonly carriers: Carriers,
    private readonly due: DueMessagesRepository,
    private readonly matches: CarrierMatches,
    private readonly statusUpdates: StatusUpdates,
    private readonly postgres: Postgres,
    private readonly config: Config,
  ) {}

  /**
   * Compares records if the carrier's list does not have our ids. Only records without a message
   * count, and other unsettled messages to the recipient compete for them, so that each gets at
   * most one. `sent` is the sent text and its number of files. While the list may lag, a missing
   * message is undecided. Throws when the carrier does not answer or is no longer configured.
   */
  async lookUp(claim: ClaimedDueMessage, sent: Pick<UnsettledMessage, 'text' | 'files'>): Promise<LookUp> {
    const message = { ...claim, ...sent };
    const { records, handOverNotes } = this.carriers.of(message.carrier).capabilities;
    if (!records) return handOverNotes ? this.settleByNotes(message, handOverNotes) : { kind: 'impossible' };
    const listed = await records.listTo(message.recipient, recordsSince(message));
    const possible = listed.filter((record) => canMatch(message, record));
    const isComplete = Date.now() - message.claimedAt.getTime() >= records.completeAfterMs;
    const absent = { kind: isComplete ? 'absent' : 'undecided' } as const;
    if (possible.length === 0) return absent;
    return this.postgres.transaction(async (tx): Promise<LookUp> => {
      await this.due.lockRecipient(tx, message.recipient);
      const carrierIds = possible.map(({ carrierId }) => carrierId);
      const known = await this.due.knownCarrierIds(tx, message, carrierIds);
      const free = possible.filter(({ carrierId }) => !known.has(carrierId));
      const others = await this.due.unsettledTo(tx, message, this.config.dispatch.leaseSeconds);
      const record = recordOf(message, others, free);
      if (record === undefined) return absent;
      if (record === 'undecided') return { kind: record };
      const transition = await this.statusUpdates.applyIn(tx, updateOf(message, record));
      if (transition) await this.matches.add(tx, record.carrierId, message.id);
      return { kind: 'found', carrierId: record.carrierId };
    });
  }

  private async settleByNotes(
    { id, carrier, leaseOver }: ClaimedDueMessage,
    handOverNotes: HandOverNotes,
  ): Promise<LookUp> {
    // A submit may follow until the lease is over.
    if (!leaseOver) return { kind: 'undecided' };
    const note = await handOverNotes.of(id);
    if (note.kind !== 'taken') return { kind: note.kind === 'none' ? 'absent' : 'impossible' };
    const { carrierId } = note;
    await this.statusUpdates.apply({ id, status: 'sent', carrier, carrierId });
    return { kind: 'found', carrierId };
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

function updateOf(
  { id, carrier }: ClaimedDueMessage,
  { carrierId, status, carrierError }: CarrierRecord,
): StatusUpdate {
  const failed = status === 'failed' || status === 'undelivered';
  return { id, status, carrier, carrierId, carrierError, ...(failed && { errorCode: 'not_delivered' }) };
}
