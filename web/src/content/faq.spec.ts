import { regions } from '#contract/regions.js';
import { questions } from './faq.js';

const answers = questions.flatMap(({ answer }) => answer).join('\n');

describe('questions', () => {
  it('has the twelve topics of the product specification', () => {
    expect(questions).toHaveLength(12);
  });

  it('names exactly the active countries', () => {
    for (const { country, active } of regions) {
      const isNamed = new RegExp(`\\b${country}\\b`).test(answers);
      expect([country, isNamed]).toEqual([country, active]);
    }
  });
});
