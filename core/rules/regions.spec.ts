import { regions } from '#contract/regions.js';
import { defaultRegions, regionTable } from './regions.js';

const nothing = { active: null, otp: null, voice: null, credits: null };

describe('the regions as they are set', () => {
  it('returns the region of a country', () => {
    expect(defaultRegions.get('GB')).toMatchObject({ country: 'UK', code: 'GBR', areaCode: '+44' });
    expect(defaultRegions.get('PR')).toMatchObject({ country: 'Puerto Rico', active: false });
  });

  it.each(['FR ', 'gb', 'GG', 'NZ', '', '__proto__'])('returns undefined for %j', (iso2) => {
    expect(defaultRegions.get(iso2)).toBeUndefined();
  });

  it('is the table of the contract without settings, in its order', () => {
    expect([...defaultRegions.values()]).toEqual(regions);
    expect([...regionTable([{ code: 'FRA', ...nothing }]).values()]).toEqual(regions);
  });

  it('has each field that was set in place of its default, and no other', () => {
    const table = regionTable([
      { ...nothing, code: 'FRA', active: true },
      { ...nothing, code: 'GBR', credits: 7 },
      { ...nothing, code: 'USA', otp: false, active: false },
      { ...nothing, code: 'XXX', active: true },
    ]);
    expect(table.get('FR')).toMatchObject({ active: true, otp: false, creditsPerSms: 4 });
    expect(table.get('GB')).toMatchObject({ active: true, otp: false, creditsPerSms: 7 });
    expect(table.get('US')).toMatchObject({ active: false, otp: false, creditsPerSms: 1 });
    expect([...table.values()].filter((row) => !regions.includes(row)).map(({ iso2 }) => iso2)).toEqual([
      'FR',
      'GB',
      'US',
    ]);
  });
});
