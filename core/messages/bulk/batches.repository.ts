import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RejectedItem } from '#contract/bulk.js';
import type { MessageStatus } from '#contract/messages.js';
import { creditAccounts } from '../../credits/credits.sql.js';
import { Postgres } from '../../platform/database/postgres.js';

/** A rejected item without its number. */
export type KeptRejection = Omit<RejectedItem, 'to'>;

/** Messages that were accepted together; their numbers follow each other from `firstNumber` on. */
export interface Batch {
  readonly id: string;
  readonly accountId: string;
  readonly firstNumber: number;
  readonly messages: number;
  readonly credits: number;
  /** Null without an Idempotency-Key, and after the key has expired. */
  readonly rejected: readonly KeptRejection[] | null;
  readonly createdAt: Date;
}

/** Number and cost of the messages of a batch with one status. */
export interface BatchPart {
  readonly status: MessageStatus;
  readonly messages: number;
  readonly refunded: number;
}

const columns = `id, account_id AS "accountId", first_number::float8 AS "firstNumber", messages,
  credits::float8 AS credits, rejected,
  created_at AS "createdAt"`;

export interface CountedBatch extends Batch {
  readonly parts: readonly BatchPart[];
}

export const findBatchStatement = { text: `SELECT ${columns} FROM batches WHERE account_id = $1 AND id = $2` } as const;

export const listBatchesStatement = {
  text: `
SELECT ${columns}, coalesce(parts, '[]') AS parts
FROM (SELECT * FROM batches WHERE account_id = $1 AND first_number < $2 ORDER BY first_number DESC LIMIT $3) AS b,
LATERAL (
  SELECT jsonb_agg(jsonb_build_object('status', p.status, 'messages', p.messages, 'refunded', p.refunded)) AS parts
  FROM (
    SELECT status, count(*) AS messages, sum(refunded) AS refunded
    FROM messages m
    WHERE m.account_id = $1 AND m.number >= b.first_number AND m.number < b.first_number + b.messages
    GROUP BY status
  ) AS p
) AS counted
ORDER BY b.first_number DESC`,
} as const;

export const batchPartsStatement = {
  text: `
SELECT status, count(*)::int AS messages, sum(refunded)::float8 AS refunded
FROM messages WHERE account_id = $1 AND number >= $2 AND number < $3 GROUP BY status`,
} as const;

export const lastMessageStatement = {
  text: `SELECT sent_count::float8 AS number, balance::float8 AS balance FROM ${creditAccounts} c
    WHERE account_id = $1`,
} as const;

/** After this time a bulk whose process crashed no longer blocks its account. */
const BULK_SECONDS_MAX = 30;

/** Also removes rows that crashed processes left. Parameters: batch, account. */
const beginBulkStatement = {
  text: `
WITH over AS (DELETE FROM running_bulks WHERE ends_at < now() - interval '1 hour')
INSERT INTO running_bulks (batch_id, account_id, ends_at)
  VALUES ($1, $2, now() + interval '${BULK_SECONDS_MAX} seconds')
ON CONFLICT (batch_id) DO UPDATE SET ends_at = excluded.ends_at
RETURNING batch_id`,
} as const;

const endBulkStatement = { text: 'DELETE FROM running_bulks WHERE batch_id = $1' } as const;

@Injectable()
export class BatchesRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(accountId: string, id: string): Promise<Batch | undefined> {
    const [batch] = await this.postgres.query<Batch>(findBatchStatement, [accountId, id]);
    return batch;
  }

  /**
   * Keeps single messages of the account out of other accounts' acceptance batches until the bulk
   * is stored.
   */
  async begin({ id, accountId }: Pick<Batch, 'id' | 'accountId'>): Promise<void> {
    await this.postgres.query(beginBulkStatement, [id, accountId]);
  }

  /** Ends a bulk that will not be stored. */
  async abandon(id: string): Promise<void> {
    await this.postgres.query(endBulkStatement, [id]);
  }

  /** Returns batches, newest first; with a number, only the batches before it. */
  async page(accountId: string, beforeNumber: number | undefined, size: number): Promise<CountedBatch[]> {
    return this.postgres.query<CountedBatch>(listBatchesStatement, [
      accountId,
      beforeNumber ?? Number.MAX_SAFE_INTEGER,
      size,
    ]);
  }

  async parts({ accountId, firstNumber, messages }: Batch): Promise<BatchPart[]> {
    return this.postgres.query<BatchPart>(batchPartsStatement, [accountId, firstNumber, firstNumber + messages]);
  }

  /** The number of the account's last message, and its balance. */
  async lastMessage(tx: EntityManager, accountId: string): Promise<{ number: number; balance: number }> {
    const [last] = await tx.query<{ number: number; balance: number }[]>(lastMessageStatement.text, [accountId]);
    return last ?? { number: 0, balance: 0 };
  }

  /**
   * Stores the batch of the account's latest messages, which the transaction has just accepted.
   * Returns the balance.
   */
  async store(
    tx: EntityManager,
    batch: Omit<Batch, 'firstNumber' | 'createdAt' | 'rejected'>,
    rejected: readonly KeptRejection[] | null,
  ): Promise<number> {
    const { id, accountId, messages, credits } = batch;
    const last = await this.lastMessage(tx, accountId);
    await tx.query(
      `INSERT INTO batches (account_id, first_number, messages, id, credits, rejected, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())`,
      [accountId, last.number - messages + 1, messages, id, credits, rejected && JSON.stringify(rejected)],
    );
    await tx.query(endBulkStatement.text, [id]);
    return last.balance;
  }
}
