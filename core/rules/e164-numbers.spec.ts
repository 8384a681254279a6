import fc from 'fast-check';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import { recognizeE164 } from './e164-numbers.js';
import { parseRecipient, parseWithLibrary } from './phone-numbers.js';

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
