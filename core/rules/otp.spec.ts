import fc from 'fast-check';
import {
  guessesAllowed,
  isOtpOrg,
  liveCodesCountedMax,
  maskedOtpText,
  otpDigitsOf,
  otpDomainOf,
  otpMinutesOf,
  otpText,
  typedCodeOf,
} from './otp.js';
import { segmentsOf } from './segments.js';

const code = '123456';
const plain = { code, org: undefined, domain: undefined };

describe('otpText', () => {
  it.each([
    [plain, 'Your one-time verification code is 123456.'],
    [{ ...plain, org: 'Acme' }, 'Message from Acme. Your one-time verification code is 123456.'],
    [{ ...plain, domain: 'example.com' }, 'Your one-time verification code is 123456.\n@example.com #123456'],
    [
      { code: '0042', org: 'Acme', domain: 'login.example.com' },
      'Message from Acme. Your one-time verification code is 0042.\n@login.example.com #0042',
    ],
  ])('writes the specified text for %j', (parts, text) => {
    expect(otpText(parts)).toBe(text);
  });

  it('masks the code without changing the length', () => {
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

describe('typedCodeOf', () => {
  it.each([
    ['152786', '152786'],
    ['000001', '000001'],
    ['1234', '1234'],
    ['12345678', '12345678'],
    [' 152786\r\n', '152786'],
    ['152 786', '152786'],
    ['152\u00a0786', '152786'],
    ['1 5 2 7 8 6', '152786'],
    ['152-786', '152786'],
    ['152\u2011786', '152786'],
    ['152–786', '152786'],
    ['152−786', '152786'],
    ['\u200e152786\u200f', '152786'],
    ['152\u200b786', '152786'],
    ['\u2068152\ufe0f786\u2069', '152786'],
    ['١٥٢٧٨٦', '152786'],
    ['۱۵۲۷۸۶', '152786'],
    ['१५२७८६', '152786'],
    ['１５２－７８６', '152786'],
    ['𝟏𝟓𝟐𝟕𝟖𝟔', '152786'],
  ])('of %j is %s', (typed, digits) => {
    expect(typedCodeOf(typed)).toBe(digits);
  });

  it.each(['', ' ', '123', '123456789', 'abcdef', '15278x', '152.786', '+152786', '①②③④', `152786${' '.repeat(60)}`])(
    'is undefined for %j, which cannot be a code',
    (typed) => {
      expect(typedCodeOf(typed)).toBeUndefined();
    },
  );
});

describe('otpDomainOf', () => {
  it.each(['example.com', 'a.b-c.example.co.uk', 'xn--bcher-kva.example', `${'a'.repeat(63)}.com`])(
    'accepts %s',
    (host) => expect(otpDomainOf(host)).toBe(host),
  );

  it('returns lower case', () => expect(otpDomainOf('Login.EXAMPLE.com')).toBe('login.example.com'));

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
  ])('rejects %j', (text) => expect(otpDomainOf(text)).toBeUndefined());
});

describe('isOtpOrg', () => {
  it.each(['Acme', 'Müller & Söhne', '株式会社', 'Acme 🚀', '👩‍🚀 Labs'])('accepts %s', (org) => {
    expect(isOtpOrg(org)).toBe(true);
  });

  it.each(['A\nB', 'A\rB', 'A\tB', 'A\u0007', 'A\u2028B', 'A\u202eB', 'A\u0085'])('rejects %j', (org) => {
    expect(isOtpOrg(org)).toBe(false);
  });
});

describe('otpMinutesOf', () => {
  it.each([2, 3, 10, '2', '5', '10'])('accepts %p', (limit) => expect(otpMinutesOf(limit)).toBe(Number(limit)));

  it.each([undefined, null])('returns 5 minutes for %p', (limit) => expect(otpMinutesOf(limit)).toBe(5));

  it.each([
    1,
    11,
    0,
    -5,
    5.5,
    NaN,
    Infinity,
    1e21,
    '1',
    '11',
    '5.5',
    '5.0',
    'five',
    '',
    ' 5',
    '5 ',
    '05',
    '+5',
    '5e0',
    '٥',
    '0x5',
  ])('rejects %p', (limit) => expect(otpMinutesOf(limit)).toBeUndefined());
});

describe('otpDigitsOf', () => {
  it.each([4, 5, 6, 7, 8, '4', '8'])('accepts %p', (length) => expect(otpDigitsOf(length)).toBe(Number(length)));

  it('returns 6 digits by default', () => expect(otpDigitsOf(undefined)).toBe(6));

  it.each([3, 9, 10, 4.5, '', 'six', '04'])('rejects %p', (length) => expect(otpDigitsOf(length)).toBeUndefined());
});

describe('guessesAllowed', () => {
  it.each([
    [0, 1_000],
    [1, 1_000],
    [10, 1_000],
    [11, 909],
    [100, 100],
    [333, 30],
    [500, 20],
    [501, 20],
    [100_000, 20],
  ])('allows for %i live codes of six digits %i', (count, allowed) => {
    expect(guessesAllowed([{ digits: 6, count }])).toBe(allowed);
  });

  it.each([
    [[{ digits: 4, count: 1 }], 100],
    [[{ digits: 4, count: 5 }], 20],
    [[{ digits: 4, count: 100 }], 1],
    [[{ digits: 4, count: 101 }], 0],
    [[{ digits: 5, count: 1 }], 1_000],
    [[{ digits: 5, count: 100 }], 10],
    [[{ digits: 8, count: 100 }], 100],
    [
      [
        { digits: 6, count: 60 },
        { digits: 8, count: 40 },
      ],
      100,
    ],
    [
      [
        { digits: 4, count: 10 },
        { digits: 6, count: 100 },
      ],
      10,
    ],
    [
      [
        { digits: 4, count: 1 },
        { digits: 6, count: 500 },
      ],
      20,
    ],
  ])('allows for %j %i', (live, allowed) => {
    expect(guessesAllowed(live)).toBe(allowed);
  });

  it('keeps the chance of a hit under 1 % per window for every length', () => {
    // With more than 500 codes of the usual length the minimum of 20 guesses exceeds 1 %.
    const counts = { '4': 20_000, '5': 20_000, '6': 500, '7': 500, '8': 500 };
    const live = Object.entries(counts).map(([digits, most]) =>
      fc.integer({ min: 0, max: most }).map((count) => ({ digits: Number(digits), count })),
    );
    fc.assert(
      fc.property(fc.tuple(...live), (codes) => {
        const usual = codes.filter(({ digits }) => digits >= 6).reduce((sum, { count }) => sum + count, 0);
        fc.pre(usual <= 500);
        const allowed = guessesAllowed(codes);
        for (const { digits, count } of codes) expect((allowed * count) / 10 ** digits).toBeLessThanOrEqual(0.01);
      }),
    );
  });

  it('does not change when more codes are counted than the bound', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 8 }),
        fc.integer({ min: liveCodesCountedMax, max: 1_000_000 }),
        (digits, count) => {
          expect(guessesAllowed([{ digits, count }])).toBe(guessesAllowed([{ digits, count: liveCodesCountedMax }]));
        },
      ),
    );
  });
});
