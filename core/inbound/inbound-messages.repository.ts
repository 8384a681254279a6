import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';

/** A message that came in, to be kept: charged and forwarded at once, or held until credits arrive. */
export interface NewInboundMessage {
  readonly id: string;
  readonly accountId: string;
  /** 1, 2, 3 … within the account. */
  readonly number: number;
  readonly carrierId: string;
  /** The person's number. */
  readonly sender: string;
  /** Our number. */
  readonly recipient: string;
  readonly body: string;
  readonly segments: number;
  readonly held: boolean;
  readonly createdAt: Date;
}

export interface ReleasedMessage {
  readonly id: string;
  readonly sender: string;
  readonly body: string;
  readonly createdAt: Date;
}

const insert = `
INSERT INTO inbound_messages
  (id, account_id, number, carrier_id, sender, recipient, body, segments, credits, status, created_at, received_at)
SELECT id, account_id, number, carrier_id, sender, recipient, body, segments,
  CASE WHEN held THEN 0 ELSE 1 END, CASE WHEN held THEN 'held' ELSE 'received' END, at, CASE WHEN NOT held THEN now() END
FROM unnest(
  $1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[], $9::boolean[],
  $10::timestamptz[]
) AS m (id, account_id, number, carrier_id, sender, recipient, body, segments, held, at)`;

const release = `
UPDATE inbound_messages SET status = 'received', credits = 1, received_at = now()
WHERE id IN (
  SELECT id FROM inbound_messages WHERE account_id = $1 AND status = 'held' ORDER BY number LIMIT $2 FOR NO KEY UPDATE
) AND status = 'held'
RETURNING id, number::float8 AS number, sender, body, created_at AS "createdAt"`;

/** How many of each account are held, counted no further than the bound. */
const heldCounts = `
SELECT account_id AS "accountId", (
  SELECT count(*)::int FROM (
    SELECT 1 FROM inbound_messages WHERE account_id = a.account_id AND status = 'held' LIMIT $2
  ) held
) AS count
FROM unnest($1::uuid[]) AS a (account_id)`;

/** Jumps from account to account along the index of what is held. */
const holding = {
  name: 'inbound-holding-1',
  text: `
WITH RECURSIVE holding (account_id, nth) AS (
  (SELECT account_id, 1 FROM inbound_messages WHERE status = 'held' AND account_id > $1 ORDER BY account_id LIMIT 1)
  UNION ALL
  SELECT (SELECT account_id FROM inbound_messages WHERE status = 'held' AND account_id > h.account_id ORDER BY account_id LIMIT 1),
    nth + 1
  FROM holding h WHERE h.account_id IS NOT NULL AND nth < $2
)
SELECT account_id AS "accountId" FROM holding WHERE account_id IS NOT NULL`,
};

/**
 * Compares received messages with the ledger: each has its one charge of one credit unless it is held, each charge its
 * message, and the numbers of an account have no gap.
 */
const mismatches = {
  name: 'inbound-mismatches-1',
  text: `
SELECT (
  SELECT count(*)
  FROM (SELECT id::text AS source_id, account_id, credits FROM inbound_messages WHERE status = 'received') m
  FULL JOIN (SELECT source_id, account_id, amount FROM ledger_entries WHERE kind = 'inbound') l USING (source_id)
  WHERE m.credits IS DISTINCT FROM -l.amount OR m.account_id IS DISTINCT FROM l.account_id
)::int + (
  SELECT count(*)
  FROM (
    SELECT account_id, count(*) AS messages, count(DISTINCT number) AS numbers, max(number) AS last
    FROM inbound_messages GROUP BY account_id
  ) m
  FULL JOIN credit_accounts c USING (account_id)
  WHERE coalesce(c.received_count, 0) <> coalesce(m.messages, 0) OR m.numbers <> m.messages OR m.last <> m.messages
)::int AS mismatches`,
};

/** Messages that came in. */
@Injectable()
export class InboundMessagesRepository {
  constructor(private readonly postgres: Postgres) {}

  async insert(tx: EntityManager, messages: readonly NewInboundMessage[]): Promise<void> {
    await tx.query(insert, [
      messages.map(({ id }) => id),
      messages.map(({ accountId }) => accountId),
      messages.map(({ number }) => number),
      messages.map(({ carrierId }) => carrierId),
      messages.map(({ sender }) => sender),
      messages.map(({ recipient }) => recipient),
      messages.map(({ body }) => body),
      messages.map(({ segments }) => segments),
      messages.map(({ held }) => held),
      messages.map(({ createdAt }) => createdAt),
    ]);
  }

  /** How many each account holds; what is beyond the bound is not counted. */
  async heldCounts(tx: EntityManager, accountIds: readonly string[], countMax: number): Promise<Map<string, number>> {
    const rows = await tx.query<{ accountId: string; count: number }[]>(heldCounts, [accountIds, countMax]);
    return new Map(rows.map(({ accountId, count }) => [accountId, count]));
  }

  /** Up to so many held ones of the account are received from now on: the oldest, in their order. */
  async release(tx: EntityManager, accountId: string, messagesMax: number): Promise<ReleasedMessage[]> {
    const [rows] = await tx.query<[(ReleasedMessage & { number: number })[], number]>(release, [
      accountId,
      messagesMax,
    ]);
    return rows.sort((a, b) => a.number - b.number);
  }

  /** Accounts with held messages, in the order of ids, those after `afterId`. */
  async accountsHolding(afterId: string, accountsMax: number): Promise<string[]> {
    const rows = await this.postgres.query<{ accountId: string }>(holding, [afterId, accountsMax]);
    return rows.map(({ accountId }) => accountId);
  }

  async countMismatches(): Promise<number> {
    const [row] = await this.postgres.query<{ mismatches: number }>(mismatches, []);
    if (!row) throw new Error('A count answers one row');
    return row.mismatches;
  }
}
