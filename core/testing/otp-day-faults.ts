import type { TestDatabase } from './test-database.js';

/**
 * Returns every account, day and country whose counts differ from its codes. A code that expired
 * without a message was never sent, and does not count.
 */
export async function otpDayFaults(database: TestDatabase): Promise<object[]> {
  return database.sql(`
    SELECT * FROM (
      SELECT account_id, (c.created_at AT TIME ZONE 'America/New_York')::date AS day, m.country,
        count(*) AS sent, count(*) FILTER (WHERE c.state = 'used') AS verified
      FROM otp_codes c JOIN messages m USING (id, account_id) WHERE c.code_hash IS NOT NULL GROUP BY 1, 2, 3
    ) seen
    FULL JOIN (SELECT * FROM otp_days WHERE sent > 0) d USING (account_id, day, country)
    WHERE seen.sent IS DISTINCT FROM d.sent OR seen.verified IS DISTINCT FROM d.verified`);
}
