import { setTimeout as pause } from 'node:timers/promises';
import type { Postgres } from '../../database/postgres.js';
import type { Logger } from '../../logging/logger.js';

const ATTEMPTS_MAX = 6;
const PAUSE_MS = 500;

// The lock is for what it needs, a database that may write: a standby that lags would say of a message that it is not there.
const statement = {
  name: 'accepted-among-2',
  text: 'SELECT id, account_id FROM messages WHERE id = ANY($1::uuid[]) FOR KEY SHARE',
};

/** Which of these messages exist, and whose they are; undefined when the database does not come back within seconds. */
export async function acceptedAmong(
  postgres: Postgres,
  logger: Logger,
  ids: string[],
): Promise<Map<string, string> | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    await pause(PAUSE_MS);
    try {
      const rows = await postgres.query<{ id: string; account_id: string }>(statement, [ids]);
      return new Map(rows.map((row) => [row.id, row.account_id]));
    } catch (err) {
      logger.warn({ err, attempt }, 'database still away');
    }
  }
  return undefined;
}
