import { setTimeout as pause } from 'node:timers/promises';
import type { Postgres } from '../../platform/database/postgres.js';
import type { Logger } from '../../platform/telemetry/logger.js';
import type { AcceptanceRow } from './acceptance.sql.js';

const ATTEMPTS_MAX = 6;
const PAUSE_MS = 500;

/**
 * Postgres does not notice a lost caller while his statement waits for a lock: it may commit seconds later. Whoever takes the
 * same locks, in the order of the acceptance statement, comes after it. A standby, which may lag, has no such locks to give.
 */
const takeTurn = {
  name: 'accepted-among-turn-1',
  text: `
SELECT account_id FROM credit_accounts
WHERE account_id IN (SELECT account_id FROM api_keys WHERE key_hash = ANY($1::bytea[]))
ORDER BY account_id
FOR NO KEY UPDATE`,
};

const look = { name: 'accepted-among-1', text: 'SELECT id, account_id FROM messages WHERE id = ANY($1::uuid[])' };

/**
 * Which of these messages exist, and whose they are, once no acceptance of them can be under way any more; undefined when the
 * database does not come back within seconds.
 */
export async function acceptedAmong(
  postgres: Postgres,
  logger: Logger,
  batch: readonly AcceptanceRow[],
): Promise<Map<string, string> | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    await pause(PAUSE_MS);
    try {
      await postgres.query(takeTurn, [batch.map(({ keyHash }) => keyHash)]);
      const rows = await postgres.query<{ id: string; account_id: string }>(look, [batch.map(({ id }) => id)]);
      return new Map(rows.map((row) => [row.id, row.account_id]));
    } catch (err) {
      logger.warn({ err, attempt }, 'database still away');
    }
  }
  return undefined;
}
