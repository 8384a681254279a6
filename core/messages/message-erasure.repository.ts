import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';

/** Rows in one statement, so that a long history is no long lock. */
const FORGOTTEN_AT_ONCE_MAX = 5_000;

const underWay = {
  text: `SELECT count(*)::int AS messages FROM messages WHERE account_id = $1 AND due_at IS NOT NULL`,
};

const forgetTexts = {
  text: `
WITH forgotten AS (
  UPDATE messages SET recipient = '', body = '', reference = NULL, carrier_id = NULL
  WHERE id IN (SELECT id FROM messages WHERE account_id = $1 AND number > $2 ORDER BY number LIMIT ${FORGOTTEN_AT_ONCE_MAX})
  RETURNING id, number
), unsealed AS (
  DELETE FROM sealed_texts WHERE message_id IN (SELECT id FROM forgotten)
)
SELECT max(number)::float8 AS last FROM forgotten`,
};

/** What sent messages tell of people: their numbers, the texts, and by what a customer or the carrier knows them. */
@Injectable()
export class MessageErasureRepository implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
  ) {
    accountErasure.register(this);
  }

  async inProgress(accountId: string): Promise<string | undefined> {
    const [row] = await this.postgres.query<{ messages: number }>(underWay, [accountId]);
    if (!row?.messages) return undefined;
    return row.messages === 1 ? '1 message' : `${row.messages} messages`;
  }

  async erase(accountId: string): Promise<void> {
    let last: number | null = 0;
    while (last !== null) {
      const rows: { last: number | null }[] = await this.postgres.query(forgetTexts, [accountId, last]);
      last = rows[0]?.last ?? null;
    }
    await this.postgres.query({ text: 'DELETE FROM conversations WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM idempotency_keys WHERE account_id = $1' }, [accountId]);
  }
}
