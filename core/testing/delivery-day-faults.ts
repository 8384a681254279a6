import { ACCOUNT_KEY } from '../messages/status/status-updates.sql.js';
import type { TestDatabase } from './test-database.js';

/** Every account, day, country, key and reason whose count is not that of its messages. */
export async function deliveryDayFaults(database: TestDatabase): Promise<object[]> {
  return database.sql(`
    SELECT * FROM (
      SELECT account_id, (created_at AT TIME ZONE 'America/New_York')::date AS day, country,
        coalesce(key_id, '${ACCOUNT_KEY}') AS key_id,
        CASE WHEN status = 'delivered' THEN ''
          ELSE coalesce(carrier_error::text, error_code, 'not_delivered') END AS reason,
        count(*) AS messages
      FROM messages WHERE status IN ('delivered', 'undelivered', 'failed') GROUP BY 1, 2, 3, 4, 5
    ) seen
    FULL JOIN delivery_days d USING (account_id, day, country, key_id, reason)
    WHERE seen.messages IS DISTINCT FROM d.messages`);
}
