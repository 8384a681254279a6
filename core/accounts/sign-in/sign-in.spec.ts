import { DomainError } from '../../platform/errors/domain-error.js';
import { SignIn } from './sign-in.js';

const profile = { subject: 'subject', email: 'ada@example.com', emailVerified: true, displayName: 'Ada' };
const winner = { id: 'winner', blockedAt: null };

/** A first sign-in that loses the race; it sees the winner's account after `unseenLooks` looks. */
function losing(unseenLooks: number): SignIn {
  let looks = 0;
  const accounts = {
    findByGoogleSubject: async () => ((looks += 1) > unseenLooks ? winner : null),
    findByEmail: async () => null,
  };
  const signUp = { signUp: () => Promise.reject(new DomainError('account_exists', 'It is taken.')) };
  const unused = undefined as never;
  return new SignIn(unused, accounts as never, unused, signUp as never, unused);
}

describe('SignIn with Google', () => {
  it.each([0, 1, 2, 4])('ends in the account of the request that won, seen after %i looks', async (unseenLooks) => {
    expect(await losing(unseenLooks).withGoogle(profile)).toEqual({ accountId: 'winner', lacksCredits: false });
  });

  it('is refused when the account is never seen', async () => {
    await expect(losing(Infinity).withGoogle(profile)).rejects.toMatchObject({ code: 'sign_in_failed' });
  });
});
