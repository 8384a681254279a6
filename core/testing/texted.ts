import { Acceptance } from '../messages/send/acceptance.js';
import { acceptanceRow } from './acceptance-rows.js';
import type { TestAccount } from './test-accounts.js';
import type { TestCore } from './test-core.js';
import type { TestDatabase } from './test-database.js';

export interface Texted {
  readonly recipient: string;
  readonly sender?: string;
  readonly status?: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed';
}

/**
 * Sends a message of the account for one credit up to this state; `failed`: the carrier refused it.
 */
export async function texted(
  parts: Pick<TestCore, 'get'>,
  database: TestDatabase,
  account: TestAccount,
  { recipient, sender = '+15005550006', status = 'delivered' }: Texted,
): Promise<string> {
  const row = acceptanceRow(parts, account.apiKey, { recipient, sender });
  const { kind } = await parts.get(Acceptance).decide(row);
  if (kind !== 'accepted') throw new Error(`The message was not accepted: ${kind}`);
  const left = status !== 'queued' && status !== 'failed';
  await database.sql(
    `UPDATE messages SET status = $2, claimed_at = CASE WHEN $3 THEN clock_timestamp() END,
       sent_at = CASE WHEN $3 AND $2 <> 'sending' THEN clock_timestamp() END WHERE id = $1`,
    [row.id, status, left],
  );
  return row.id;
}
