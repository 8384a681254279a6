import { regions } from '#contract/regions.js';
import { llmsText } from './llms-text.js';
import { searchIndex } from './search-index.js';

// Only Vite reads the programs of the samples, and they name no country.
jest.mock('../../content/render-page.server.js', () => ({ programsOf: () => [], sampleText: () => '' }));

/** Countries in an example of an answer, as a new installation gives it. */
const inExample = ['CA', 'FR', 'GB', 'US'];

/** The texts with another operator's table: other countries are open, at other prices. */
async function textsWithOthers(): Promise<{ readonly llms: string; readonly search: string }> {
  const others = regions.map((region) =>
    inExample.includes(region.iso2)
      ? region
      : { ...region, active: !region.active, otp: !region.otp, creditsPerSms: region.creditsPerSms + 7 },
  );
  const texts = { llms: '', search: '' };
  await jest.isolateModulesAsync(async () => {
    jest.doMock('#contract/regions.js', () => ({ regions: others }));
    texts.llms = (await import('./llms-text.js')).llmsText();
    texts.search = (await import('./search-index.js')).searchIndex();
    jest.dontMock('#contract/regions.js');
  });
  return texts;
}

describe('what is written at build time', () => {
  it('is true of an installation whose operator has opened other countries, at other prices', async () => {
    const { llms, search } = await textsWithOthers();
    expect(llms).toBe(llmsText());
    expect(search).toBe(searchIndex());
  });

  it('has every country, and leads to those that are served now', () => {
    const text = llmsText();
    for (const { country, code, areaCode } of regions) expect(text).toContain(`| ${country} | ${code} | ${areaCode} |`);
    expect(text).toMatch(/\[GET https?:\/\/[^\]]+\/api\/regions\]\(https?:\/\/[^)]+\/docs\/api\/regions\)/);
  });
});
