import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsPages } from './docs/menu.js';
import { localRent, mmsCredits, tollFreeRent } from './facts.js';
import { questions } from './faq.js';

const configuration = readFileSync(join(__dirname, '../../../docs/configuration.md'), 'utf8');

describe('prices of a new installation', () => {
  it.each([
    ['NUMBER_CREDITS_LOCAL', localRent],
    ['NUMBER_CREDITS_TOLL_FREE', tollFreeRent],
    ['MMS_CREDITS', mmsCredits],
  ])('are the default of %s', (name, price) => {
    const [, credits] = new RegExp(`^\\| \`${name}\` \\| \`(\\d+)\` \\|`, 'm').exec(configuration) ?? [];
    expect(price).toBe(`${credits} credits`);
  });

  it.each([localRent, tollFreeRent])('name the rent of a number, %s, in the FAQ and the guide', (rent) => {
    expect(questions.flatMap(({ answer }) => answer).join('\n')).toContain(rent);
    expect(JSON.stringify(docsPages.find(({ path }) => path === '/docs/numbers')?.intro)).toContain(rent);
  });
});
