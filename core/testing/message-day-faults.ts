import type { TestDatabase } from './test-database.js';

/** Every account and day whose counted states are not those of its messages. */
export async function messageDayFaults(database: TestDatabase): Promise<object[]> {
  return database.sql(`
    SELECT * FROM (
      SELECT account_id, (created_at AT TIME ZONE 'America/New_York')::date AS day,
        count(*) FILTER (WHERE status = 'sent') AS sent,
        count(*) FILTER (WHERE status = 'delivered') AS delivered,
        count(*) FILTER (WHERE status = 'undelivered') AS undelivered,
        count(*) FILTER (WHERE status = 'failed') AS failed,
        count(*) FILTER (WHERE status = 'canceled') AS canceled
      FROM messages WHERE status NOT IN ('scheduled', 'queued', 'sending') GROUP BY 1, 2
    ) seen
    FULL JOIN message_days d USING (account_id, day)
    WHERE (seen.sent, seen.delivered, seen.undelivered, seen.failed, seen.canceled)
      IS DISTINCT FROM (d.sent, d.delivered, d.undelivered, d.failed, d.canceled)`);
}
