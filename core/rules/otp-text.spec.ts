import fc from 'fast-check';
import { isOtpOrg, maskedOtpText, otpDomainOf, otpText } from './otp-text.js';
import { segmentsOf } from './segments.js';

const code = '123456';
const plain = { code, org: undefined, domain: undefined };

describe('the text of a one-time password', () => {
  it.each([
    [plain, 'Your one-time verification code is 123456.'],
    [{ ...plain, org: 'Acme' }, 'Message from Acme. Your one-time verification code is 123456.'],
    [{ ...plain, domain: 'example.com' }, 'Your one-time verification code is 123456.\n@example.com #123456'],
    [
      { code: '0042', org: 'Acme', domain: 'login.example.com' },
      'Message from Acme. Your one-time verification code is 0042.\n@login.example.com #0042',
    ],
  ])('of %j is as specified', (parts, text) => {
    expect(otpText(parts)).toBe(text);
  });

  it('is shown without the code, and as long as it is', () => {
    expect(maskedOtpText({ org: 'Acme', domain: 'example.com', digits: 6 })).toBe(
      'Message from Acme. Your one-time verification code is ******.\n@example.com #******',
    );
    const digits = fc.integer({ min: 4, max: 8 });
    fc.assert(
      fc.property(digits, fc.option(fc.string({ unit: 'grapheme', maxLength: 40 }), { nil: undefined }), (n, org) => {
        const sent = otpText({ code: '7'.repeat(n), org, domain: undefined });
        expect(segmentsOf(maskedOtpText({ org, domain: undefined, digits: n }))).toEqual(segmentsOf(sent));
      }),
    );
  });
});

describe('a domain', () => {
  it.each(['example.com', 'a.b-c.example.co.uk', 'xn--bcher-kva.example', `${'a'.repeat(63)}.com`])('is %s', (host) =>
    expect(otpDomainOf(host)).toBe(host),
  );

  it('is kept in lower case', () => expect(otpDomainOf('Login.EXAMPLE.com')).toBe('login.example.com'));

  it.each([
    'localhost',
    'https://example.com',
    'example.com/path',
    'example.com:443',
    'user@example.com',
    '192.0.2.1',
    '[2001:db8::1]',
    'example.com.',
    '.example.com',
    'exa mple.com',
    'example..com',
    '-example.com',
    'bücher.example',
    'example.com #999999',
    'example.com\n',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
  ])('is not %j', (text) => expect(otpDomainOf(text)).toBeUndefined());
});

describe('the name of an organisation', () => {
  it.each(['Acme', 'Müller & Söhne', '株式会社', 'Acme 🚀', '👩‍🚀 Labs'])('may be %s', (org) => {
    expect(isOtpOrg(org)).toBe(true);
  });

  it.each(['A\nB', 'A\rB', 'A\tB', 'A\u0007', 'A\u2028B', 'A\u202eB', 'A\u0085'])('is not %j', (org) => {
    expect(isOtpOrg(org)).toBe(false);
  });
});
