import { DomainError } from '#core/platform/errors/domain-error.js';
import { refuseForeignId } from './session.guard.js';

const account = { accountId: '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e6f' };

describe('refuseForeignId', () => {
  it('accepts the session’s own id and no id', () => {
    for (const id of [undefined, null, account.accountId.toUpperCase()])
      expect(() => refuseForeignId(account, id)).not.toThrow();
  });

  it.each(['', 'x', '0d8a7c1e-5b7f-4c1b-9f0a-3f2b1c4d5e60'])('rejects %j, which is not the session’s id', (claimed) => {
    expect(() => refuseForeignId(account, claimed)).toThrow(DomainError);
  });
});
