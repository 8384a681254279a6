import { type Grant, Grants } from './authorization.js';

const grant: Grant = {
  person: { name: 'Ada', email: 'ada@example.com', isVerified: true },
  request: { redirectUri: 'http://localhost/', scopes: [], state: null, challenge: null, loginHint: null },
};

describe('Grants', () => {
  it('expires a code after ten minutes and a token after an hour', () => {
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

  it('drops the oldest code at its bound', () => {
    const grants = new Grants();
    const oldest = grants.newCode(grant);
    for (let n = 0; n < 10_000; n++) grants.newCode(grant);
    expect(grants.takeCode(oldest)).toBeUndefined();
  });
});
