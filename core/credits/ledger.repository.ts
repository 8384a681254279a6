import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sqlState } from '../platform/database/database-error.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { LedgerPosting } from './ledger-entry.js';

const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';

/**
 * Credit rows are locked in a fixed order, so that two postings cannot deadlock. Spending and refunds move `used`, all else
 * moves `purchased`: balance = purchased - used holds by a CHECK, and so does balance >= 0. Entries are numbered under that
 * lock, and their time never goes back: histories rely on both.
 */
const postStatement = `
WITH posting AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[])
    WITH ORDINALITY AS p (account_id, amount, kind, source_id, note, n)
),
locked AS MATERIALIZED (
  SELECT account_id, balance, ledger_count, greatest(now(), updated_at) AS at FROM credit_accounts
  WHERE account_id IN (SELECT account_id FROM posting)
  ORDER BY account_id
  FOR NO KEY UPDATE
),
moved AS (
  UPDATE credit_accounts c
  SET balance = c.balance + m.brought + m.spent, purchased = c.purchased + m.brought, used = c.used - m.spent,
    ledger_count = c.ledger_count + m.entries, updated_at = greatest(now(), c.updated_at)
  FROM (
    SELECT
      account_id,
      count(*) AS entries,
      coalesce(sum(amount) FILTER (WHERE kind NOT IN ('message', 'otp', 'inbound', 'refund')), 0) AS brought,
      coalesce(sum(amount) FILTER (WHERE kind IN ('message', 'otp', 'inbound', 'refund')), 0) AS spent
    FROM posting GROUP BY account_id
  ) m
  WHERE c.account_id = m.account_id
)
INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, note, created_at)
SELECT account_id, ledger_count + row_number() OVER earlier, amount, balance + sum(amount) OVER earlier, kind, source_id, note, at
FROM posting JOIN locked USING (account_id)
WINDOW earlier AS (PARTITION BY account_id ORDER BY n)
ORDER BY n
RETURNING account_id`;

/** Counts the accounts whose balance is not the sum of their entries, or not purchased - used, or whose numbers have gaps. */
const checkStatement = `
WITH sums AS (SELECT account_id, sum(amount) AS total, count(*) AS entries, max(number) AS last FROM ledger_entries GROUP BY account_id)
SELECT
  (SELECT count(*) FROM credit_accounts)::int AS accounts,
  (SELECT coalesce(sum(entries), 0) FROM sums)::int AS entries,
  (SELECT count(*) FROM credit_accounts c FULL JOIN sums s USING (account_id)
    WHERE coalesce(c.balance, 0) <> coalesce(s.total, 0) OR coalesce(c.balance <> c.purchased - c.used, false)
      OR coalesce(c.ledger_count, 0) <> coalesce(s.entries, 0) OR coalesce(s.last, 0) <> coalesce(s.entries, 0))::int AS mismatches`;

const recordsStatement = {
  name: 'credits-records-1',
  text: 'SELECT account_id, balance, purchased, used, updated_at FROM credit_accounts WHERE account_id = ANY($1::uuid[])',
} as const;

interface RecordRow {
  readonly account_id: string;
  readonly balance: string;
  readonly purchased: string;
  readonly used: string;
  readonly updated_at: Date;
}

export interface LedgerCheck {
  readonly accounts: number;
  readonly entries: number;
  readonly mismatches: number;
}

/** In credits: balance = purchased - used. */
export interface Balance {
  readonly balance: number;
  readonly purchased: number;
  readonly used: number;
}

export interface CreditsRecord extends Balance {
  readonly updatedAt: Date;
}

/** Numbers of received messages, 1, 2, 3 … within an account: the first of those taken, and their time. */
export interface ReceivedNumbers {
  readonly first: number;
  readonly at: Date;
}

/** The append-only ledger and the balances it explains. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Answers false when the account has its record already; waits for another transaction that is making it. */
  async open(tx: EntityManager, accountId: string): Promise<boolean> {
    const made = await tx.query<object[]>(
      `INSERT INTO credit_accounts (account_id, balance, purchased, used) VALUES ($1, 0, 0, 0)
       ON CONFLICT DO NOTHING RETURNING account_id`,
      [accountId],
    );
    return made.length > 0;
  }

  /**
   * Writes all postings of accounts that have a credits record, and answers those of the others. Throws
   * `insufficient_credits` when a balance would fall below 0.
   */
  async post(tx: EntityManager, postings: readonly LedgerPosting[]): Promise<LedgerPosting[]> {
    if (postings.length === 0) return [];
    try {
      const written = await tx.query<{ account_id: string }[]>(postStatement, [
        postings.map(({ accountId }) => accountId),
        postings.map(({ amount }) => amount),
        postings.map(({ kind }) => kind),
        postings.map(({ sourceId }) => sourceId),
        postings.map(({ note }) => note ?? null),
      ]);
      const known = new Set(written.map((row) => row.account_id));
      return written.length === postings.length ? [] : postings.filter(({ accountId }) => !known.has(accountId));
    } catch (cause) {
      if (sqlState(cause) === CHECK_VIOLATION) {
        throw new DomainError('insufficient_credits', 'The balance does not cover this.', { cause });
      }
      if (sqlState(cause) === UNIQUE_VIOLATION) throw new Error('These credits have moved already', { cause });
      throw cause;
    }
  }

  /** The balance, which nothing else moves until the transaction ends; 0 without a credits record. */
  async lockBalance(tx: EntityManager, accountId: string): Promise<number> {
    const [row] = await tx.query<{ balance: string }[]>(
      `SELECT balance FROM credit_accounts WHERE account_id = $1 FOR NO KEY UPDATE`,
      [accountId],
    );
    return Number(row?.balance ?? 0);
  }

  /** The balances of these accounts, which nothing else moves until the transaction ends; locked in a fixed order. */
  async lockBalances(tx: EntityManager, accountIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await tx.query<{ account_id: string; balance: string }[]>(
      `SELECT account_id, balance FROM credit_accounts WHERE account_id = ANY ($1::uuid[]) ORDER BY account_id FOR NO KEY UPDATE`,
      [accountIds],
    );
    return new Map(rows.map(({ account_id, balance }) => [account_id, Number(balance)]));
  }

  /** Takes so many numbers for each account, and answers the first ones and a time that does not go back with them. */
  async numberReceived(tx: EntityManager, counts: ReadonlyMap<string, number>): Promise<Map<string, ReceivedNumbers>> {
    const [rows] = await tx.query<[{ account_id: string; first: string; at: Date }[], number]>(
      `UPDATE credit_accounts c
       SET received_count = c.received_count + more.count, updated_at = greatest(now(), c.updated_at)
       FROM unnest($1::uuid[], $2::integer[]) AS more (account_id, count)
       WHERE c.account_id = more.account_id
       RETURNING c.account_id, c.received_count - more.count + 1 AS first, c.updated_at AS at`,
      [[...counts.keys()], [...counts.values()]],
    );
    return new Map(rows.map(({ account_id, first, at }) => [account_id, { first: Number(first), at }]));
  }

  async check(): Promise<LedgerCheck> {
    const [result] = await this.postgres.query<LedgerCheck>({ name: 'ledger-check-2', text: checkStatement }, []);
    if (!result) throw new Error('The ledger check answers one row');
    return result;
  }

  /** Accounts without a credits record are left out. */
  async recordsOf(accountIds: readonly string[], tx?: EntityManager): Promise<Map<string, CreditsRecord>> {
    const rows = tx
      ? await tx.query<RecordRow[]>(recordsStatement.text, [accountIds])
      : await this.postgres.query<RecordRow>(recordsStatement, [accountIds]);
    return new Map(
      rows.map(({ account_id, balance, purchased, used, updated_at }) => [
        account_id,
        { balance: Number(balance), purchased: Number(purchased), used: Number(used), updatedAt: updated_at },
      ]),
    );
  }

  /** Undefined when the account has no credits record. */
  async recordOf(accountId: string): Promise<CreditsRecord | undefined> {
    return (await this.recordsOf([accountId])).get(accountId);
  }
}
