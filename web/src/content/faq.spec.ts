import { regions } from '#contract/regions.js';
import { questions } from './faq.js';

const answers = questions.flatMap(({ answer }) => answer).join('\n');

describe('questions', () => {
  it('has the twelve topics of the specification', () => {
    expect(questions).toHaveLength(12);
  });

  it('names every country that messages go to, and no other', () => {
    for (const { country, active } of regions) {
      const isNamed = new RegExp(`\\b${country}\\b`).test(answers);
      expect([country, isNamed]).toEqual([country, active]);
    }
  });
});
