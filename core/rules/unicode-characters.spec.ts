import fc from 'fast-check';
import { limits } from '#contract/limits.js';
import { segmentsOf } from './segments.js';
import { unicodeCharactersIn } from './unicode-characters.js';

describe('unicodeCharactersIn', () => {
  it.each<[string, string, string[]]>([
    ['none in plain text', 'Hello [you] €5', []],
    ['each once, in order', 'жaбж', ['ж', 'б']],
    ['a family as one character', 'Hi 👩‍👩‍👧‍👦', ['👩‍👩‍👧‍👦']],
    ['a letter with its mark', 'cafe\u0301', ['e\u0301']],
    ['a curly apostrophe', 'don’t', ['’']],
    ['only the first ones', [...'абвгдежзийкл'].join('x'), [...'абвгдежзий']],
  ])('names %s', (_name, text, characters) => {
    expect(unicodeCharactersIn(text)).toEqual(characters);
  });

  it('names some exactly when the text is UCS-2, and never more than the bound', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const characters = unicodeCharactersIn(text);
        expect(characters.length > 0).toBe(segmentsOf(text).encoding === 'UCS-2');
        expect(characters.length).toBeLessThanOrEqual(limits.quoteUnicodeCharactersMax);
      }),
    );
  });

  it('finds one far behind in a long text', () => {
    expect(unicodeCharactersIn(`${'a'.repeat(60_000)}ж`)).toEqual(['ж']);
  });
});
