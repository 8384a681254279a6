import { setTimeout as pause } from 'node:timers/promises';
import type { Postgres } from '../../platform/database/postgres.js';
import type { Logger } from '../../platform/telemetry/logger.js';
import { lockCallersStatement } from './acceptance.sql.js';

const ATTEMPTS_MAX = 6;
const PAUSE_MS = 500;

/**
 * Reads the outcome of an acceptance whose connection broke: its commit may have happened. Returns
 * the result of `read` once no acceptance of these keys' accounts can be running; undefined when
 * the database does not return within seconds.
 *
 * Postgres does not notice a lost client while its statement waits for a lock, and may commit
 * seconds later. Taking the same locks waits for that commit, which a lagging standby cannot do.
 */
export async function settle<T>(
  { postgres, logger }: { readonly postgres: Postgres; readonly logger: Logger },
  keyHashes: readonly Buffer[],
  read: () => Promise<T>,
): Promise<{ readonly found: T } | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    await pause(PAUSE_MS);
    try {
      await postgres.query(lockCallersStatement, [keyHashes]);
      return { found: await read() };
    } catch (err) {
      logger.warn({ err, attempt }, 'database still unavailable');
    }
  }
  return undefined;
}
