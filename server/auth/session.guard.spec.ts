import { DomainError } from '#core/platform/errors/domain-error.js';
import { refuseForeignId } from './session.guard.js';

const account = { accountId: '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f', email: 'ada@example.com', displayName: 'Ada' };

describe('refuseForeignId', () => {
  it('lets the session’s own id pass, and none', () => {
    expect(() => refuseForeignId(account, undefined, null, account.accountId.toUpperCase())).not.toThrow();
  });

  it.each(['', 'x', '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e60'])('refuses %j, which is somebody else', (claimed) => {
    expect(() => refuseForeignId(account, undefined, claimed)).toThrow(DomainError);
  });
});
