import { getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max';
import { regions } from '#contract/regions.js';
import { regionOfCountry } from './regions.js';

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
  it('holds every country of the specification with its credits and activity, and no other', () => {
    const held = regions.map((row) => `${row.country} ${row.active ? 'Yes' : 'No'} ${row.creditsPerSms}`);
    expect(held.toSorted()).toEqual(specified.toSorted());
  });

  it('is sorted by country name', () => {
    const names = regions.map((row) => row.country);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('gives every row codes of its own in ISO form', () => {
    expect(new Set(regions.map((row) => row.code)).size).toBe(regions.length);
    expect(new Set(regions.map((row) => row.iso2)).size).toBe(regions.length);
    for (const row of regions) {
      expect(row.code).toMatch(/^[A-Z]{3}$/);
      expect(row.iso2).toMatch(/^[A-Z]{2}$/);
      expect(row.areaCode).toMatch(/^\+\d{1,3}( \d{3})?$/);
    }
  });

  it('names the country that its ISO code stands for', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const namedOtherwise: Record<string, string> = {
      'Hong Kong': 'Hong Kong SAR China',
      Turkey: 'Türkiye',
      UK: 'United Kingdom',
      USA: 'United States',
    };
    for (const row of regions) expect(names.of(row.iso2)).toBe(namedOtherwise[row.country] ?? row.country);
  });

  it('gives the calling code that numbers of the country begin with', () => {
    for (const row of regions) {
      const callingCode = getCountryCallingCode(row.iso2 as CountryCode);
      expect(row.areaCode.split(' ')[0]).toBe(`+${callingCode}`);
    }
  });

  it('offers one-time passwords in USA and Canada alone', () => {
    expect(regions.filter((row) => row.otp).map((row) => row.country)).toEqual(['Canada', 'USA']);
  });
});

describe('regionOfCountry', () => {
  it('finds the row of a country', () => {
    expect(regionOfCountry('GB')).toMatchObject({ country: 'UK', code: 'GBR', areaCode: '+44' });
    expect(regionOfCountry('PR')).toMatchObject({ country: 'Puerto Rico', active: false });
  });

  it.each(['FR ', 'gb', 'GG', 'NZ', '', '__proto__'])('knows no country %j', (iso2) => {
    expect(regionOfCountry(iso2)).toBeUndefined();
  });
});
