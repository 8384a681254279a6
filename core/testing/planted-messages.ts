import type { MessageStatus } from '#contract/messages.js';
import { ACCOUNT_KEY } from '../keys/callers.sql.js';
import { uuidV7Floor } from '../rules/ids.js';
import type { TestDatabase } from './test-database.js';

export interface PlantedMessage {
  readonly at: Date;
  readonly recipient: string;
  readonly country: string;
  readonly body: string;
  readonly status: MessageStatus;
  /** The carrier's code of a message that was not delivered. */
  readonly carrierError: number | null;
}

const plant = `
WITH given AS (
  SELECT g.*, row_number() OVER (ORDER BY n) AS nth
  FROM unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[])
    WITH ORDINALITY AS g (id, at, recipient, body, status, carrier_error, country, n)
),
account AS (
  SELECT * FROM credit_accounts WHERE account_id = $1 FOR UPDATE
),
counted AS (
  UPDATE credit_accounts SET balance = balance - (SELECT count(*)
    FROM given), used = used + (SELECT count(*) FROM given),
    ledger_count = ledger_count + (SELECT count(*) FROM given), sent_count = sent_count + (SELECT count(*) FROM given)
  WHERE account_id = $1
),
entered AS (
  INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
  SELECT $1, ledger_count + nth, -1, balance - nth, 'message', id::text, at FROM given, account
),
dated AS (
  INSERT INTO delivery_days AS d (account_id, day, country, key_id, reason, messages, sent, failed)
  SELECT $1, (at AT TIME ZONE 'America/New_York')::date AS day, country, '${ACCOUNT_KEY}',
    CASE WHEN status IN ('sent', 'delivered') THEN '' ELSE coalesce(carrier_error::text, 'not_delivered') END AS reason,
    count(*) FILTER (WHERE status <> 'sent'), count(*) FILTER (WHERE status = 'sent'),
    count(*) FILTER (WHERE status = 'failed')
  FROM given WHERE status IN ('sent', 'delivered', 'undelivered', 'failed') GROUP BY day, country, reason
  ON CONFLICT (account_id, day, country, key_id, reason) DO UPDATE SET messages = d.messages + excluded.messages,
    sent = d.sent + excluded.sent, failed = d.failed + excluded.failed
)
INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits,
  status, error_code, carrier_error, created_at)
SELECT id, $1, sent_count + nth, 'sms', recipient, country, '+15005550006', body, 1, 1, status,
  CASE WHEN status IN ('undelivered', 'failed') THEN 'not_delivered' END, carrier_error, at FROM given, account`;

/**
 * Writes messages of one credit each into the account's past, in this order. The code under test
 * has its own clock.
 */
export async function plantMessages(
  database: TestDatabase,
  accountId: string,
  messages: readonly Partial<PlantedMessage>[],
): Promise<void> {
  const rows = messages.map((message) => ({
    at: new Date(),
    recipient: '+14155552671',
    country: 'US',
    body: 'Hello',
    status: 'delivered',
    carrierError: null,
    ...message,
  }));
  await database.sql(plant, [
    accountId,
    rows.map(({ at }) => uniqueId(at)),
    rows.map(({ at }) => at),
    rows.map(({ recipient }) => recipient),
    rows.map(({ body }) => body),
    rows.map(({ status }) => status),
    rows.map(({ carrierError }) => carrierError),
    rows.map(({ country }) => country),
  ]);
}

let planted = 0;

function uniqueId(at: Date): string {
  planted += 1;
  return `${uuidV7Floor(at).slice(0, 24)}${planted.toString(16).padStart(12, '0')}`;
}
