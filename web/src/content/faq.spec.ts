import { regions } from '#contract/regions.js';
import { questions } from './faq.js';

const answers = questions.flatMap(({ answer }) => answer).join('\n');

describe('questions', () => {
  it('has the twelve topics of the product specification', () => {
    expect(questions).toHaveLength(12);
  });

  it('names no country but those with which one-time passwords began', () => {
    const named = regions.filter(({ country }) => new RegExp(`\\b${country}\\b`).test(answers));
    expect(named.map(({ country }) => country)).toEqual(['Canada', 'USA']);
  });
});
