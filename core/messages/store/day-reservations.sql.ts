import type { EntityManager } from 'typeorm';
import type { Postgres } from '../../platform/database/postgres.js';

/**
 * Places of scheduled messages in the daily limit of the New York day on which they leave.
 * `daily_counts.scheduled` counts the messages that have a place and no claim yet; the claim counts
 * them in `count` instead (claim-messages.ts). Acceptance refuses a message when both together
 * reach the limit.
 */

/** SQL: the New York day of an instant. */
export const newYorkDayOf = (instant: string) => `(${instant} AT TIME ZONE 'America/New_York')::date`;

/** The instant of a UUIDv7 (RFC 9562, section 5.7): 48 bits of milliseconds. */
export const instantOf = (id: string) =>
  `to_timestamp(('x' || lpad(left(replace(${id}::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)`;

/** SQL: the New York day of a message, by its scheduled time or else its id. */
export const messageDay = (message: string) =>
  newYorkDayOf(`coalesce(${message}.send_at, ${instantOf(`${message}.id`)})`);

/**
 * Locks the days on which scheduled requests of a relation would leave, for locked accounts, and
 * returns the number of taken places. A day has no row until its first message.
 */
export const lockedDays = (requests: string, accounts: string) => `
  SELECT d.account_id, d.day, d.count + d.scheduled AS day_taken
  FROM daily_counts d
  WHERE (d.account_id, d.day) IN (
    SELECT r.account_id, ${newYorkDayOf('r.send_at')} FROM ${requests} r JOIN ${accounts} USING (account_id)
    WHERE r.send_at IS NOT NULL AND r.price IS NOT NULL AND NOT r.test
  )
  ORDER BY d.account_id, d.day
  FOR NO KEY UPDATE`;

/**
 * Takes a place for each scheduled message of a relation with account_id and send_at. A day whose
 * first row was written after this statement began is not locked: if it is full, the CHECK of
 * `count` fails the statement, and a retry sees the row.
 */
export const reserveDays = (messages: string) => `
  INSERT INTO daily_counts AS d (account_id, day, count, last_granted, scheduled)
  SELECT account_id, ${newYorkDayOf('send_at')} AS day, 0, 0, count(*) FROM ${messages} WHERE send_at IS NOT NULL
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account_id, day) DO UPDATE SET
    scheduled = d.scheduled + excluded.scheduled,
    count = CASE
      WHEN d.count + d.scheduled + excluded.scheduled <= (SELECT daily_limit FROM accounts
        WHERE id = d.account_id) THEN d.count
      ELSE -1
    END`;

interface Ended {
  readonly accountId: string;
  readonly reservedOn: string | null;
}

const freeDaysStatement = {
  name: 'days-free-1',
  text: `
UPDATE daily_counts d SET scheduled = greatest(0, d.scheduled - freed.count)
FROM (
  SELECT account_id, day, count(*) FROM unnest($1::uuid[], $2::date[]) AS f (account_id, day)
  GROUP BY account_id, day ORDER BY account_id, day
) freed
WHERE d.account_id = freed.account_id AND d.day = freed.day`,
} as const;

/** Gives up the places of messages that ended without being claimed. */
export async function freeDays(postgres: Postgres, tx: EntityManager, ended: readonly Ended[]): Promise<void> {
  const freed = ended.filter(({ reservedOn }) => reservedOn !== null);
  if (freed.length === 0) return;
  const values = [freed.map(({ accountId }) => accountId), freed.map(({ reservedOn }) => reservedOn)];
  await postgres.run(tx, freeDaysStatement, values);
}

/** Places that are taken on some days. Parameters: account, days. A day without messages has no row. */
export const takenDaysStatement = {
  name: 'days-taken-1',
  text: `
SELECT day::text AS day, count + scheduled AS taken FROM daily_counts WHERE account_id = $1 AND day = ANY ($2::date[])`,
} as const;
