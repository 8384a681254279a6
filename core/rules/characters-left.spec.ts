import fc from 'fast-check';
import { charactersLeftIn } from './characters-left.js';
import { segmentsOf } from './segments.js';

describe('charactersLeftIn', () => {
  it.each<[string, string, number]>([
    ['no text', '', 160],
    ['one character', 'a', 159],
    ['an extension character, which takes two', '€', 158],
    ['a full segment', 'a'.repeat(160), 0],
    ['a second segment begun', 'a'.repeat(161), 145],
    ['one Unicode character', 'ж', 69],
    ['an emoji of two units', '😀', 68],
    ['a full Unicode segment', 'ж'.repeat(70), 0],
    ['a second Unicode segment begun', 'ж'.repeat(71), 63],
  ])('counts for %s', (_name, text, left) => {
    expect(charactersLeftIn(text)).toBe(left);
  });

  it('tells exactly where the next segment begins', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const left = charactersLeftIn(text);
        const { segments } = segmentsOf(text);
        expect(segmentsOf(text + 'a'.repeat(left)).segments).toBe(segments);
        expect(segmentsOf(text + 'a'.repeat(left + 1)).segments).toBe(segments + 1);
      }),
    );
  });
});
