import { DomainError } from '../../platform/errors/domain-error.js';
import { unknownIdText } from '../../rules/ids.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, In, LessThan, MoreThanOrEqual, Repository } from 'typeorm';
import { creditAccounts, entriesOf } from '../../credits/credits.sql.js';
import { Postgres } from '../../platform/database/postgres.js';
import type { MessageStatus, ReceiptLevel } from '#contract/messages.js';
import { receiptLevelStatement } from './receipt-level.sql.js';
import { MessageEntity } from './message.entity.js';
import { reasonCodeSql } from '../../rules/carrier-code.js';

/**
 * Compares messages with the ledger: each has its charge, and its refund exactly when it is marked
 * as refunded; no charge or refund lacks its message; and the messages of an account are numbered
 * 1, 2, 3 … without a gap.
 */
export const chargeMismatchesStatement = {
  name: 'messages-charge-mismatches-1',
  text: `
SELECT (
  SELECT count(*)
  FROM messages m
  LEFT JOIN ${entriesOf('message', 'otp')} charge
    ON charge.kind = CASE m.kind WHEN 'otp' THEN 'otp' ELSE 'message' END AND charge.source_id = m.id::text
  LEFT JOIN ${entriesOf('refund')} refund ON refund.source_id = m.id::text
  WHERE charge.amount IS DISTINCT FROM -m.credits OR charge.account_id <> m.account_id
    OR coalesce(refund.amount, 0) <> m.refunded OR refund.account_id <> m.account_id
)::int + (
  SELECT count(*)
  FROM ${entriesOf('message', 'otp', 'refund')} l
  WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id::text = l.source_id)
)::int + (
  SELECT count(*)
  FROM (
    SELECT account_id, count(*) AS messages, count(DISTINCT number) AS numbers, max(number) AS last
      FROM messages GROUP BY account_id
  ) m
  FULL JOIN ${creditAccounts} c USING (account_id)
  WHERE coalesce(c.sent_count, 0) <> coalesce(m.messages, 0) OR m.numbers <> m.messages OR m.last <> m.messages
)::int AS mismatches`,
} as const;

/** Values that listed messages must have; null matches any. */
export interface MessageFilter {
  readonly status: MessageStatus | null;
  /** A code as `reasonCodeOf` in contract/delivery-errors returns it. */
  readonly reason: string | null;
  /** E.164. */
  readonly recipient: string | null;
  readonly reference: string | null;
  /** Accepted at this time or later. */
  readonly since: Date | null;
  /** Accepted before this time. */
  readonly until: Date | null;
}

/** Higher than every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/**
 * Length of the time, version and first random bits of a UUIDv7 (RFC 9562, section 5.7) as text.
 */
const ID_TIME_CHARACTERS = 18;
/** Rows that a search reads in one go. */
const SCANNED_MAX = 5_000;

/** Conditions by which a search finds its rows. */
const searchedBy = {
  recipient: 'recipient = $3',
  reference: 'account_id = $1 AND reference = $5',
  failures: 'account_id = $1 AND error_code IS NOT NULL',
  account: 'account_id = $1',
} as const;

/**
 * Examines a bounded number of an account's messages, newest first, and returns the matching ids,
 * and the id where it ended if there may be more: not a message's id, because the last examined
 * message may be another account's. Indexes find messages by recipient or reference, and failures.
 * Ids are in order of acceptance except for the servers' clocks, so the range of ids is an hour
 * wider than the range of times. Parameters: account, id before which to search, recipient, status,
 * reference, since, until, first and last number, maximum of ids, reason.
 */
export const filteredStatement = (by: keyof typeof searchedBy) => ({
  name: `messages-filtered-${by}-5`,
  text: `
WITH scanned AS MATERIALIZED (
  SELECT id, account_id, number, recipient, status, reference, error_code, carrier_error, created_at FROM messages
  WHERE ${searchedBy[by]} AND id < $2
    AND id >= uuid_v7_floor(coalesce($6::timestamptz, '2000-01-01') - interval '1 hour')
    AND id < uuid_v7_floor(coalesce($7::timestamptz, '2200-01-01') + interval '1 hour')
  ORDER BY id DESC LIMIT ${SCANNED_MAX}
), ending AS (
  SELECT CASE WHEN (SELECT count(*) FROM scanned) = ${SCANNED_MAX} THEN (
    SELECT (left(id::text, ${ID_TIME_CHARACTERS}) || '-bfff-ffffffffffff')::uuid FROM scanned ORDER BY id LIMIT 1
  ) END AS id
), found AS (
  SELECT id FROM scanned
  WHERE id >= coalesce((SELECT id FROM ending), id) AND account_id = $1
    AND ($3::text IS NULL OR recipient = $3) AND ($4::text IS NULL OR status = $4)
    AND ($5::text IS NULL OR reference = $5)
    AND ($6::timestamptz IS NULL OR created_at >= $6) AND ($7::timestamptz IS NULL OR created_at < $7)
    AND ($8::bigint IS NULL OR number >= $8) AND ($9::bigint IS NULL OR number < $9)
    AND ($11::text IS NULL OR error_code IS NOT NULL AND ${reasonCodeSql} = $11)
  ORDER BY id DESC LIMIT $10
)
SELECT ARRAY(SELECT id FROM found) AS ids, (SELECT id FROM ending) AS "scannedTo"`,
});

/** A scheduled or queued message. */
interface WaitingMessage {
  readonly id: string;
  readonly number: number;
  readonly status: 'scheduled' | 'queued';
}

const waitingStatement = {
  text: `
SELECT id, number::float8 AS number, status FROM messages
WHERE account_id = $1 AND number >= $2 AND number < $3 AND kind <> 'otp' AND status IN ('scheduled', 'queued')
ORDER BY number LIMIT $4`,
} as const;

/** Outgoing messages, for reading. */
@Injectable()
export class MessagesRepository {
  constructor(
    @InjectRepository(MessageEntity) private readonly messages: Repository<MessageEntity>,
    private readonly postgres: Postgres,
  ) {}

  async find(id: string): Promise<MessageEntity | null> {
    return this.postgres.ofRow('messages', id, () => this.messages.findOneBy({ id }));
  }

  async findOf(accountId: string, id: string): Promise<MessageEntity | null> {
    return this.messages.findOneBy({ id, accountId });
  }

  /** Returns what a delivery receipt of the message proves. */
  async receiptLevelOf(id: string): Promise<ReceiptLevel> {
    const [row] = await this.postgres.query<{ level: ReceiptLevel }>(receiptLevelStatement, [id]);
    return row?.level ?? 'handset';
  }

  /** Returns messages by id, oldest first. */
  async among(ids: readonly string[]): Promise<MessageEntity[]> {
    return this.messages.find({ where: { id: In([...ids]) }, order: { id: 'ASC' } });
  }

  /** Returns messages, newest first, optionally before `beforeId` and with these numbers. */
  async page(
    accountId: string,
    beforeId: string | undefined,
    size: number,
    numbers?: BatchNumbers,
  ): Promise<MessageEntity[]> {
    return this.messages.find({
      where: {
        accountId,
        ...(beforeId && { id: LessThan(beforeId) }),
        ...(numbers && { number: And(MoreThanOrEqual(numbers.first), LessThan(numbers.below)) }),
      },
      order: { id: 'DESC' },
      take: size,
    });
  }

  /**
   * Returns messages before `beforeId`, newest first. With fewer than `size` messages, the search
   * may go on at `scannedTo`.
   */
  async search(
    accountId: string,
    beforeId: string | undefined,
    size: number,
    { status, reason, recipient, reference, since, until }: MessageFilter,
    numbers?: BatchNumbers,
  ): Promise<{ messages: MessageEntity[]; scannedTo: string | null }> {
    const values = [accountId, beforeId ?? LAST_ID, recipient, status, reference, since, until];
    const [found] = await this.postgres.query<{ ids: string[]; scannedTo: string | null }>(
      filteredStatement(
        reference !== null ? 'reference' : recipient !== null ? 'recipient' : reason !== null ? 'failures' : 'account',
      ),
      [...values, numbers?.first ?? null, numbers?.below ?? null, size, reason],
    );
    const { ids, scannedTo } = found ?? { ids: [], scannedTo: null };
    return { messages: (await this.among(ids)).reverse(), scannedTo };
  }

  /**
   * Returns the first messages with these numbers that wait for their claim, without one-time
   * passwords.
   */
  async waiting(accountId: string, { first, below }: BatchNumbers, size: number): Promise<WaitingMessage[]> {
    return this.postgres.query<WaitingMessage>(waitingStatement, [accountId, first, below, size]);
  }

  async countChargeMismatches(): Promise<number> {
    const counts = await this.postgres.queryEach<{ mismatches: number }>(chargeMismatchesStatement, []);
    return counts.reduce((total, { mismatches }) => total + mismatches, 0);
  }
}

/** Numbers of a batch's messages, which follow each other. */
export interface BatchNumbers {
  readonly first: number;
  readonly below: number;
}

export function messageNotFound(publicId: string): DomainError {
  return new DomainError('message_not_found', unknownIdText('message', publicId));
}
