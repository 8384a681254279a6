import { ACCOUNT_KEY } from '../keys/callers.sql.js';
import { reasonCodeSql } from '../rules/carrier-code.js';
import type { TestDatabase } from './test-database.js';

/**
 * Returns every account, day, country, key and reason whose counts differ from its messages. The
 * count of sent messages is the sum of the reasons' counts.
 */
export async function deliveryDayFaults(database: TestDatabase): Promise<object[]> {
  return database.sql(`
    SELECT * FROM (
      SELECT account_id, (created_at AT TIME ZONE 'America/New_York')::date AS day, country,
        coalesce(key_id, '${ACCOUNT_KEY}') AS key_id,
        CASE WHEN status IN ('undelivered', 'failed') THEN coalesce(${reasonCodeSql}, 'not_delivered') ELSE '' END
          AS reason,
        count(*) FILTER (WHERE status IN ('delivered', 'undelivered', 'failed')) AS messages,
        count(*) FILTER (WHERE status = 'sent') AS sent,
        count(*) FILTER (WHERE status = 'failed') AS failed,
        count(*) FILTER (WHERE status = 'canceled') AS canceled
      FROM messages WHERE status NOT IN ('scheduled', 'queued', 'sending') GROUP BY 1, 2, 3, 4, 5
    ) seen
    FULL JOIN (
      SELECT account_id, day, country, key_id, reason, sum(messages) AS messages, sum(sent) AS sent,
        sum(failed) AS failed, sum(canceled) AS canceled
      FROM (
        SELECT account_id, day, country, key_id, reason, messages, 0 AS sent, failed, canceled FROM delivery_days
        UNION ALL
        SELECT account_id, day, country, key_id, '', 0, sent, 0, 0 FROM delivery_days
      ) figures
      GROUP BY 1, 2, 3, 4, 5 HAVING (sum(messages), sum(sent), sum(canceled)) <> (0, 0, 0)
    ) d USING (account_id, day, country, key_id, reason)
    WHERE (seen.messages, seen.sent, seen.failed, seen.canceled)
      IS DISTINCT FROM (d.messages, d.sent, d.failed, d.canceled)`);
}
