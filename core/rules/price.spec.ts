import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { priceOf, regionOfCountry } from './price.js';
import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/max';

describe('priceOf', () => {
  it.each([
    [1, 1, 1],
    [3, 5, 15],
    [10, 5, 50],
  ] as const)('multiplies %i segments by %i credits: %i', (segments, creditsPerSms, credits) => {
    expect(priceOf(segments, { creditsPerSms })).toBe(credits);
  });

  it('returns a whole number from 1 to 50 for every message and region', () => {
    for (const region of regions) {
      for (let segments = 1; segments <= limits.messageSegmentsMax; segments++) {
        const credits = priceOf(segments, region);
        expect(Number.isInteger(credits) && credits >= 1 && credits <= 50).toBe(true);
      }
    }
  });

  it.each([0, -1, 1.5, 11, NaN, Infinity])('throws for %d segments', (segments) => {
    expect(() => priceOf(segments, { creditsPerSms: 1 })).toThrow(RangeError);
  });
});

const specification = `
1 | Canada Yes, USA Yes
2 | China No, Liechtenstein No, Thailand Yes, Turkey No
3 | Australia Yes, Brazil No, Bahamas No, Colombia No, Costa Rica No, Denmark Yes, UK Yes, Poland Yes, Puerto Rico No, Portugal Yes, Singapore No, Taiwan No
4 | Switzerland No, Chile No, France No, Greece No, Hong Kong No, Ireland Yes, Iceland No, Luxembourg Yes, Latvia No, Norway No, Romania No, South Africa No
5 | Argentina No, Austria No, Cyprus No, Germany Yes, Spain Yes, Finland No, Hungary No, India Yes, Italy Yes, Japan No`;

const specified = specification
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [credits, countries = ''] = line.split(' | ');
    return countries.split(', ').map((entry) => `${entry} ${credits}`);
  });

describe('the region table', () => {
  it('contains exactly the countries of the specification with their credits and activity', () => {
    const held = regions.map((row) => `${row.country} ${row.active ? 'Yes' : 'No'} ${row.creditsPerSms}`);
    expect(held.toSorted()).toEqual(specified.toSorted());
  });

  it('is sorted by country name', () => {
    const names = regions.map((row) => row.country);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('has unique codes in ISO form', () => {
    expect(new Set(regions.map((row) => row.code)).size).toBe(regions.length);
    expect(new Set(regions.map((row) => row.iso2)).size).toBe(regions.length);
    for (const row of regions) {
      expect(row.code).toMatch(/^[A-Z]{3}$/);
      expect(row.iso2).toMatch(/^[A-Z]{2}$/);
      expect(row.areaCode).toMatch(/^\+\d{1,3}( \d{3})?$/);
    }
  });

  it('has the country name of each ISO code', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const namedOtherwise: Record<string, string> = {
      'Hong Kong': 'Hong Kong SAR China',
      Turkey: 'Türkiye',
      UK: 'United Kingdom',
      USA: 'United States',
    };
    for (const row of regions) expect(names.of(row.iso2)).toBe(namedOtherwise[row.country] ?? row.country);
  });

  it('has the calling code that numbers of the country start with', () => {
    for (const row of regions) {
      const callingCode = getCountryCallingCode(row.iso2 as CountryCode);
      expect(row.areaCode.split(' ')[0]).toBe(`+${callingCode}`);
    }
  });

  it('offers one-time passwords in the USA and Canada only', () => {
    expect(regions.filter((row) => row.otp).map((row) => row.country)).toEqual(['Canada', 'USA']);
  });
});

describe('regionOfCountry', () => {
  it('returns the region of a country', () => {
    expect(regionOfCountry('GB')).toMatchObject({ country: 'UK', code: 'GBR', areaCode: '+44' });
    expect(regionOfCountry('PR')).toMatchObject({ country: 'Puerto Rico', active: false });
  });

  it.each(['FR ', 'gb', 'GG', 'NZ', '', '__proto__'])('returns undefined for %j', (iso2) => {
    expect(regionOfCountry(iso2)).toBeUndefined();
  });
});
