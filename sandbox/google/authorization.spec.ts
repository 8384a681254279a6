import { type Grant, Grants } from './authorization.js';

const grant: Grant = {
  person: { name: 'Ada', email: 'ada@example.com', isVerified: true },
  request: { redirectUri: 'http://localhost/', scopes: [], state: null, nonce: null, challenge: null, loginHint: null },
};

describe('Grants', () => {
  it('lets a code work for ten minutes and a token for an hour', () => {
    let now = 0;
    const grants = new Grants(() => now);
    const [early, late, token] = [grants.newCode(grant), grants.newCode(grant), grants.newToken(grant)];
    now = 599_999;
    expect(grants.takeCode(early)).toBe(grant);
    now = 600_000;
    expect(grants.takeCode(late)).toBeUndefined();
    now = 3_598_999;
    expect(grants.byToken(token)).toBe(grant);
    now = 3_599_000;
    expect(grants.byToken(token)).toBeUndefined();
  });

  it('keeps a bounded number: the oldest code goes first', () => {
    const grants = new Grants();
    const oldest = grants.newCode(grant);
    for (let n = 0; n < 10_000; n++) grants.newCode(grant);
    expect(grants.takeCode(oldest)).toBeUndefined();
  });
});
