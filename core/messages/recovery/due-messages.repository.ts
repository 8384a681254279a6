import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { retryUndone } from '../../platform/database/database-error.js';
import { Postgres } from '../../platform/database/postgres.js';
import {
  expediteStatement,
  releaseScheduledStatement,
  takeChecksStatement,
  takeDueStatement,
  unsettledStatement,
} from './due-messages.sql.js';
import type { UnsettledMessage } from './match-records.js';

interface DueMessageFields {
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'sms' | 'otp';
  readonly recipient: string;
  readonly sender: string;
  readonly body: string;
  /** The number of its last claim. */
  readonly attempts: number;
  /** It must not be handed to the carrier any more. */
  readonly expired: boolean;
}

/** A message whose claim has no outcome yet. */
export interface ClaimedDueMessage extends DueMessageFields {
  readonly status: 'sending';
  /** When it was accepted, or the time that it was scheduled for. */
  readonly waitsSince: Date;
  readonly claimedAt: Date;
  /** Whether its claim is older than the lease. */
  readonly leaseOver: boolean;
}

export type DueMessage =
  | (DueMessageFields & { readonly status: 'queued' })
  | ClaimedDueMessage
  | (DueMessageFields & { readonly status: 'sent'; readonly carrierId: string });

/** A row of the statement that takes checks: the count alone, when nothing has to be done for any of the messages. */
type CheckedRow = { readonly looked: number } & (DueMessage | { readonly id: null });

/** A scheduled message that is queued now. */
export type ReleasedMessage = Pick<DueMessageFields, 'id' | 'accountId' | 'kind'>;

/** A row of the statement that releases messages: the count alone, when none is left to be released. */
export type ReleasedRow = { readonly schedules: number } & (ReleasedMessage | { readonly id: null });

/** The rows that recovery takes. */
@Injectable()
export class DueMessagesRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Takes at most a batch of due messages; fewer than there are, but none only when none is due. */
  async take(leaseSeconds: number, lookupSeconds: number): Promise<DueMessage[]> {
    const times = [leaseSeconds, lookupSeconds];
    const due = await this.postgres.query<DueMessage>(takeDueStatement, times);
    for (;;) {
      const rows = await this.postgres.query<CheckedRow>(takeChecksStatement, times);
      due.push(...rows.filter((row) => row.id !== null));
      if (due.length > 0 || !rows[0]?.looked) return due;
    }
  }

  /** Makes a batch of scheduled messages whose time has come queued; returns them, and whether there may be more. */
  async releaseScheduled(): Promise<{ messages: ReleasedMessage[]; more: boolean }> {
    const rows = await retryUndone(() => this.postgres.query<ReleasedRow>(releaseScheduledStatement, []));
    return { messages: rows.filter((row) => row.id !== null), more: (rows[0]?.schedules ?? 0) > 0 };
  }

  /** Makes every queued message due now, because the queue lost its data; returns how many. */
  async expedite(): Promise<number> {
    const [row] = await this.postgres.query<{ count: number }>(expediteStatement, []);
    return row?.count ?? 0;
  }

  /** Returns which of the carrier's ids belong to messages to this recipient. */
  async knownCarrierIds(tx: EntityManager, recipient: string, carrierIds: string[]): Promise<Set<string>> {
    const rows = await tx.query<{ carrier_id: string }[]>(
      `SELECT carrier_id FROM messages WHERE recipient = $1 AND carrier_id = ANY($2::text[])`,
      [recipient, carrierIds],
    );
    return new Set(rows.map(({ carrier_id }) => carrier_id));
  }

  /**
   * Returns other messages to the recipient without an outcome, with whether their lease is over. The real text of a one-time
   * password is not among them, and no message equals it.
   */
  async unsettledTo(
    tx: EntityManager,
    { id, kind, recipient }: ClaimedDueMessage,
    leaseSeconds: number,
  ): Promise<(UnsettledMessage & { readonly leaseOver: boolean })[]> {
    if (kind === 'otp') return [];
    return tx.query(unsettledStatement.text, [recipient, id, leaseSeconds]);
  }

  /** Lets one worker at a time match the carrier's records of a recipient, until the transaction ends. */
  async lockRecipient(tx: EntityManager, recipient: string): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('settle'), hashtext($1))`, [recipient]);
  }
}
