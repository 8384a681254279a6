import { Sessions } from '#core/accounts/sessions/sessions.js';
import type { TestAccount } from '#core/testing/test-accounts.js';
import type { TestCore } from '#core/testing/test-core.js';

/** Headers of a request out of a browser in which this account is signed in. */
export function signIn(server: Pick<TestCore, 'get'>, { id, email }: TestAccount): Record<string, string> {
  const token = `account=${id} ${email}`;
  server.get(Sessions).find = async (given) => {
    const [, accountId, address] = /^account=(\S+) (\S+)$/.exec(given ?? '') ?? [];
    return accountId && address ? { accountId, email: address, displayName: 'Test' } : undefined;
  };
  return { cookie: token, 'sec-fetch-site': 'same-origin' };
}
