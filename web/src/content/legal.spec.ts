import { carrierNumbers } from '#contract/carrier-codes.js';
import { limits } from '#contract/limits.js';
import { privacy } from './legal.js';

const words = JSON.stringify(privacy);

describe('privacy policy', () => {
  it.each(Object.keys(carrierNumbers))('names the carrier %s among those who get messages', (carrier) => {
    const [others = ''] = /The carriers\*\*.*?(?=\*\*Stripe)/.exec(words) ?? [];
    expect(others.toLowerCase()).toContain(carrier);
  });

  it.each([
    ['Files of messages and replies', `${limits.mediaKeptDays} days`],
    ['Links to files', `at most ${limits.mediaLinkDaysMax} days`],
    ['Phone numbers that you rent', `${limits.numberRestDays} days`],
  ])('tells how long we keep: %s', (what, days) => {
    const kept = JSON.stringify(privacy.sections.find(({ title }) => title === 'How long it is kept'));
    const [row = ''] = new RegExp(`"${what}[^\\]]*`).exec(kept) ?? [];
    expect(row).toContain(days);
  });
});
