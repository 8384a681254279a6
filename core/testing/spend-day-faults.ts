import { ACCOUNT_KEY } from '../keys/callers.sql.js';
import type { TestDatabase } from './test-database.js';

/**
 * Returns every account, day, kind, country and key whose counted spend differs from the ledger
 * entries up to the account's progress.
 */
export async function spendDayFaults(database: TestDatabase): Promise<object[]> {
  return database.sql(`
    SELECT * FROM (
      SELECT e.account_id, (e.created_at AT TIME ZONE 'America/New_York')::date AS day,
        CASE WHEN e.kind = 'inbound' THEN 'reply' WHEN e.kind IN ('number_rent', 'number_setup') THEN 'number'
          WHEN coalesce(m.kind, e.kind) = 'otp' THEN 'otp' ELSE 'message' END AS kind,
        coalesce(m.country, n.country, '') AS country, coalesce(m.key_id, o.key_id, '${ACCOUNT_KEY}') AS key_id,
        count(*) FILTER (WHERE e.kind IN ('message', 'otp', 'inbound')) AS messages,
        coalesce(sum(-e.amount) FILTER (WHERE e.kind <> 'refund'), 0) AS charged,
        coalesce(sum(e.amount) FILTER (WHERE e.kind = 'refund'), 0) AS refunded
      FROM ledger_entries e
      JOIN spend_progress p ON p.account_id = e.account_id AND e.number <= p.last
      LEFT JOIN messages m ON m.id::text = e.source_id
      LEFT JOIN numbers n ON n.id::text = split_part(e.source_id, ':', 1)
      LEFT JOIN number_orders o ON e.source_id IN (o.id::text, o.id || ':1')
      WHERE e.kind IN ('message', 'otp', 'inbound', 'refund', 'number_rent', 'number_setup')
      GROUP BY 1, 2, 3, 4, 5
    ) entered
    FULL JOIN spend_days d USING (account_id, day, kind, country, key_id)
    WHERE (entered.messages, entered.charged, entered.refunded)
      IS DISTINCT FROM (d.messages, d.charged, d.refunded)`);
}
