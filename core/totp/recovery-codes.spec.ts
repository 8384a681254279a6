import { testConfig } from '../testing/test-config.js';
import { typedTotpCodeOf } from '../rules/totp.js';
import { RecoveryCodes, shownRecoveryCode } from './recovery-codes.js';

describe('RecoveryCodes', () => {
  const recoveryCodes = new RecoveryCodes(testConfig());

  it('are ten different codes that are read as they are shown', () => {
    const codes = recoveryCodes.generate();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(shownRecoveryCode(code)).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
      expect(typedTotpCodeOf(shownRecoveryCode(code))).toEqual({ method: 'recovery_code', code });
    }
  });

  it('have a hash of their own for each authenticator', () => {
    const [one, other] = ['a', 'b'].map((id) => recoveryCodes.hash(id, '0123456789').toString('hex'));
    expect(one).toHaveLength(64);
    expect(one).not.toBe(other);
  });
});
