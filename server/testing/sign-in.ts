import { Sessions } from '#core/accounts/sessions/sessions.js';
import type { TestAccount } from '#core/testing/test-accounts.js';
import type { TestCore } from '#core/testing/test-core.js';

/** Headers of a request out of a browser in which this account is signed in. */
export async function signIn(server: Pick<TestCore, 'get'>, { id }: TestAccount): Promise<Record<string, string>> {
  const token = await server.get(Sessions).start(id, { method: 'google', earlierToken: undefined });
  return { cookie: `pennytext_session=${token}`, 'sec-fetch-site': 'same-origin' };
}

/** Headers of a request out of our own pages, in a browser in which nobody is signed in. */
export const nobody = { 'sec-fetch-site': 'same-origin' };
