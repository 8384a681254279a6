import fc from 'fast-check';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  likelyCountry,
  meantNumber,
  noNumberText,
  parseRecipient,
  parseWithLibrary,
  recognizeE164,
  searchedDigits,
} from './phone-numbers.js';

const callingCodes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];

describe('recognizeE164', () => {
  it.each(getCountries())('agrees with the library about an example number of %s and its neighbors', (country) => {
    const number = getExampleNumber(country, examples)?.number;
    if (number === undefined) throw new Error('The library has an example for every country');
    for (const digits of ['', '0', '9'])
      for (let last = 0; last <= 9; last += 1) {
        const neighbor = `${number.slice(0, -1 - digits.length)}${digits}${last}`;
        expect([neighbor, parseRecipient(neighbor)]).toEqual([neighbor, parseWithLibrary(neighbor)]);
      }
  });

  it('agrees with the library about every number', () => {
    const numbers = fc
      .tuple(
        fc.constantFrom(...callingCodes),
        fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 3, maxLength: 13 }),
      )
      .map(([code, national]) => `+${code}${national}`);
    fc.assert(
      fc.property(numbers, (number) => {
        expect(parseRecipient(number)).toEqual(parseWithLibrary(number));
      }),
      { numRuns: 3_000 },
    );
  });

  it('agrees with the library about every prefix of North America', () => {
    for (let area = 200; area <= 999; area += 1) {
      const number = `+1${area}5550123`;
      expect([number, parseRecipient(number)]).toEqual([number, parseWithLibrary(number)]);
    }
  });

  it.each(['+14155552671', '+447400123456', '+4915123456789', '+33612345678', '+15005550006'])(
    'decides %s without the library',
    (number) => {
      expect(recognizeE164(number)).toBeDefined();
    },
  );

  it.each(['4155552671', '+1 415 555 2671', '+1', '+80012345678', '+99912345678', ''])('leaves %j to it', (number) => {
    expect(recognizeE164(number)).toBeUndefined();
  });
});

describe('parseRecipient', () => {
  it.each([
    ['+14155552671', 'US'],
    ['+12025550123', 'US'],
    ['+16135550123', 'CA'],
    ['+14165550134', 'CA'],
    ['+12423591234', 'BS'],
    ['+17872345678', 'PR'],
    ['+19392345678', 'PR'],
    ['+18764123456', 'JM'],
    ['+447400123456', 'GB'],
    ['+447911123456', 'GG'],
    ['+4915123456789', 'DE'],
    ['+918123456789', 'IN'],
    ['+33612345678', 'FR'],
    ['+358412345678', 'FI'],
    ['+393123456789', 'IT'],
    ['+4741234567', 'NO'],
  ])('returns the country of %s: %s', (e164, country) => {
    expect(parseRecipient(e164)).toEqual({ e164, country });
  });

  it.each([
    ['4155552671', '+14155552671'],
    ['14155552671', '+14155552671'],
    ['(415) 555-2671', '+14155552671'],
    ['415.555.2671', '+14155552671'],
    ['+1.415.555.2671', '+14155552671'],
    ['+49 160.123.4567', '+491601234567'],
    ['+33 6.12.34.56.00', '+33612345600'],
    ['+49 160 1234567.', '+491601234567'],
    ['  +1 415 555 2671 ', '+14155552671'],
    ['+1\u00a0415\u2011555\u20112671', '+14155552671'],
    ['613-555-0123', '+16135550123'],
    ['242 359 1234', '+12423591234'],
    ['011 49 151 23456789', '+4915123456789'],
    ['+44 (0)7400 123456', '+447400123456'],
    ['\u202a+14155552671\u202c', '+14155552671'],
    ['\u202d+1 (415) 555-2671\u202c', '+14155552671'],
    ['\u2068+14155552671\u2069', '+14155552671'],
    ['+14155552671\u200e', '+14155552671'],
    ['+1-\ufe0d415-555-2671', '+14155552671'],
    ['+1\u200b415\u2060555\ufeff2671', '+14155552671'],
    ['+1\u202f415\u3000555\u16802671', '+14155552671'],
    ['\ufeff4155552671\r\n', '+14155552671'],
    ['+٤٤٧٤٠٠١٢٣٤٥٦', '+447400123456'],
    ['+۴۴۷۴۰۰۱۲۳۴۵۶', '+447400123456'],
    ['＋４４　７４００　１２３４５６', '+447400123456'],
    ['＋１（４１５）５５５－２６７１', '+14155552671'],
    ['+1−415−555−2671', '+14155552671'],
    [' 4155552671', '+14155552671'],
  ])('parses %j as %s', (to, e164) => {
    expect(parseRecipient(to)?.e164).toBe(e164);
  });

  it.each([
    ['+1 900 555 0100', 'premium-rate'],
    ['+44 909 879 0000', 'premium-rate'],
    ['+49 900 1234567', 'premium-rate'],
    ['+44 871 234 5678', 'premium-rate'],
    ['+49 180 4123456', 'shared-cost'],
    ['+49 137 1234567', 'shared-cost'],
    ['+44 70 1234 5678', 'personal'],
    ['+1 521 234 5678', 'personal'],
    ['+1 800 234 5678', 'toll-free'],
    ['+44 800 123 4567', 'toll-free'],
    ['+44 56 1234 5678', 'VoIP'],
    ['+44 20 7946 0123', 'landline'],
    ['+39 06 69812345', 'landline'],
    ['+44 76 4012 3456', 'pager'],
    ['+44 55 1234 5678', 'company-wide (UAN)'],
    ['+353 883 5586754', 'voicemail'],
  ])('returns the type of %s, which is no mobile number: %s', (to, unsupportedType) => {
    expect(parseRecipient(to)?.unsupportedType).toBe(unsupportedType);
  });

  it.each(['+15005550001', '+15005550006', '+15005550009', '+15005559999'])(
    'accepts the test number %s of Twilio, in a range of personal numbers',
    (e164) => {
      expect(parseRecipient(e164)).toEqual({ e164, country: 'US' });
    },
  );

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['a lone plus', '+'],
    ['two pluses', '++14155552671'],
    ['a plus inside', '1+4155552671'],
    ['words', 'not a number'],
    ['a vanity number', '1-800-FLOWERS'],
    ['an extension', '+14155552671 ext. 5'],
    ['an extension by x', '+14155552671x5'],
    ['an extension as in RFC 3966', '+14155552671;ext=5'],
    ['a URI', 'tel:+14155552671'],
    ['two numbers', '+14155552671, +14155552672'],
    ['a number and a remark', '+14155552671 (home)'],
    ['a digit too few', '+1415555267'],
    ['a digit too many', '+141555526711'],
    ['an area code that does not exist', '+11115552671'],
    ['a national number of elsewhere', '07400123456'],
    ['the international prefix of elsewhere', '004915123456789'],
    ['a short code', '12345'],
    ['an emergency number', '911'],
    ['a number of no country', '+80012345678'],
    ['an unassigned calling code', '+99912345678'],
    ['a NUL character', '+14155552671\0'],
    ['a number that a table made a decimal', '+491601234567.0'],
    ['a decimal with two places', '+491601234567.00'],
    ['a decimal whose number is no valid one', '+39312345678.0'],
    ['a decimal of a number with groups', '+49 160 1234567.0'],
    ['a decimal of a number with dots', '+49.160.1234567.00'],
    ['a decimal with white space in it', '+491601234567. 0 '],
    ['a decimal in brackets', '(+491601234567).0'],
    ['a decimal that ends with a dot', '+491601234567.0.'],
    ['a decimal in full-width characters', '＋４９１６０１２３４５６７．０'],
    ['a decimal in Arabic digits', '+٤٩١٦٠١٢٣٤٥٦٧.٠'],
    ['a decimal with the Arabic mark', '+٤٩١٦٠١٢٣٤٥٦٧٫٠'],
    ['a decimal with a comma', '+491601234567,0'],
    ['a decimal with separated thousands', '491,601,234,567.0'],
    ['a decimal as tables shorten it', '4.91601234567E+11'],
    ['a decimal without its exponent', '1.2025550142'],
    ['more than 64 characters', `+14155552671${' '.repeat(53)}`],
  ])('rejects %s', (_name, to) => {
    expect(parseRecipient(to)).toBeUndefined();
  });

  it('returns E.164 that parses to itself for every input', () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789+-() .x') }),
      fc.integer({ min: 10 ** 6, max: 10 ** 13 }).map((digits) => `+${digits}`),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, (to) => {
        const recipient = parseRecipient(to);
        if (recipient === undefined) return;
        expect(recipient.e164).toMatch(/^\+[1-9]\d{5,14}$/);
        expect(recipient.country).toMatch(/^[A-Z]{2}$/);
        expect(parseRecipient(recipient.e164)).toEqual(recipient);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('searchedDigits', () => {
  it.each([
    [' +1 (415) ', '+1415'],
    ['\u202a+1415\u202c', '+1415'],
    ['٤١٥ 555', '415555'],
    ['415-５５５', '415555'],
    ['nothing', ''],
  ])('of %j is %j', (typed, digits) => {
    expect(searchedDigits(typed)).toBe(digits);
  });
});

describe('likelyCountry', () => {
  it.each([
    ['', undefined],
    ['+', undefined],
    ['hello', undefined],
    ['+4', undefined],
    ['+49', 'DE'],
    ['+49 15', 'DE'],
    ['+1416', undefined],
    ['+1 416 555 0134', 'CA'],
    ['+1 242', 'BS'],
    ['+14155552671', 'US'],
    ['(415) 555', 'US'],
    ['+447911123456', 'GG'],
    ['\u202a＋49 ١٥', 'DE'],
  ])('guesses the country of %j', (to, country) => {
    expect(likelyCountry(to)).toBe(country);
  });

  it('agrees with parseRecipient on complete numbers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10 ** 9, max: 10 ** 13 }).map((digits) => `+${digits}`),
        (to) => {
          const recipient = parseRecipient(to);
          if (recipient) expect(likelyCountry(to)).toBe(recipient.country);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('meantNumber', () => {
  it.each([
    ['447400123456', '+447400123456'],
    ['44 7400 123456', '+447400123456'],
    ['00447400123456', '+447400123456'],
    ['00 1 (415) 555-2671', '+14155552671'],
    ['4915112345678', '+4915112345678'],
    // Numbers that are valid as written, or as dialed in the USA.
    ['+447400123456', undefined],
    ['4155552671', undefined],
    ['011447400123456', undefined],
    // Ten digits are dialed in the USA, where this number does not exist.
    ['6591234567', undefined],
    // A landline, a premium-rate number, and no number.
    ['442079460958', undefined],
    ['449098790000', undefined],
    ['0000000000000', undefined],
    ['+00447400123456', '+447400123456'],
    ['999999999999', undefined],
    ['', undefined],
    ['9'.repeat(65), undefined],
  ])('of %j', (typed, meant) => {
    expect(meantNumber(typed)).toBe(meant);
  });
});

describe('what was typed in place of a number', () => {
  it.each([
    ['491601234567.0', true],
    ['+12025550143.0', true],
    ['2025550143', false],
    ['me@example.c', false],
    ['1.'.repeat(10_000), false],
  ])('%s is a decimal: %s', (typed, isDecimal) => {
    expect(noNumberText(typed).startsWith('This is a decimal')).toBe(isDecimal);
  });
});
