import { randomBytes } from 'node:crypto';
import { AccountsRepository, type AccountChanges } from '../accounts/accounts.repository.js';
import { Accounts } from '../accounts/accounts.js';
import type { TestCore } from './test-core.js';
import type { TestDatabase } from './test-database.js';

export interface TestAccount {
  readonly id: string;
  readonly email: string;
  readonly apiKey: string;
}

/** Opens an account through the product's own use case, by default with 100 credits. */
export async function createTestAccount(
  parts: Pick<TestCore, 'get'>,
  { credits = 100, ...changes }: AccountChanges & { credits?: number } = {},
): Promise<TestAccount> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const account = await parts.get(Accounts).create({ email, displayName: 'Test', signInType: 'google', credits });
  if (Object.keys(changes).length > 0) await parts.get(AccountsRepository).change(account.id, changes);
  return account;
}

/** Sets the New York day's count of an account, as if this many messages had been sent already. */
export async function countDay(database: TestDatabase, accountId: string, count: number): Promise<void> {
  await database.sql(
    `INSERT INTO daily_counts (account_id, day, count, last_granted)
     VALUES ($1, (now() AT TIME ZONE 'America/New_York')::date, $2, 0)
     ON CONFLICT (account_id, day) DO UPDATE SET count = excluded.count`,
    [accountId, count],
  );
}
