import fc from 'fast-check';
import { limits } from './limits.js';
import { isGsm7, smartText, unicodeCharactersIn } from './sms-characters.js';

describe('smartText', () => {
  it.each([
    ['quotes', '“It’s ‘fine’”, «she» ‚said„', `"It's 'fine'", "she" 'said"`],
    ['dashes', 'A–B—C‐D−E', 'A-B-C-D-E'],
    ['an ellipsis', 'Wait…', 'Wait...'],
    ['spaces', 'a\u00a0b\u202fc\u2009d\te', 'a b c d e'],
    ['line separators', 'a\u2028b\u2029c', 'a\nb\nc'],
    ['bullets', '• one', '* one'],
    ['invisible characters', 'a\u200bb\u2060c\ufeff', 'abc'],
    ['a soft hyphen', 'un\u00adable', 'unable'],
    ['a separate accent', 'Cafe\u0301', 'Café'],
  ])('replaces %s', (_title, text, plain) => {
    expect(smartText(text)).toBe(plain);
    expect(isGsm7(plain)).toBe(true);
  });

  it.each([
    ['plain text', 'Hello {world} €5'],
    ['a keycap, a flag of tags and a heart', '1\ufe0f\u20e3 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤\ufe0f\u200d🔥'],
    ['a direction mark in Hebrew', 'שלום \u200e+972 50-000-0000'],
    ['a sign that spans Arabic digits', '\u0600\u0661\u0662'],
    ['an emoji with a joiner and a variation selector', '👩‍💻 ❤️'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['invisible characters alone', '\u200b'],
  ])('leaves %s as it is', (_title, text) => {
    expect(smartText(text)).toBe(text);
  });

  it.each([
    ['a zero-width space', 'же\u200bна', 'жена'],
    ['a direction mark without right-to-left letters', '\u202aжена\u202c', 'жена'],
    ['a joiner between Latin letters', 'a\u200db жена', 'ab жена'],
    ['a selector that selects nothing', 'a\ufe0f жена', 'a жена'],
    ['a soft hyphen', 'же\u00adна', 'жена'],
  ])('removes %s from a text that stays UCS-2', (_title, text, rest) => {
    expect(smartText(text)).toBe(rest);
  });

  it('makes a text GSM-7 whatever invisible character it has', () => {
    for (let code = 0x80; code <= 0xe_1000; code += 1) {
      const character = code >= 0xd800 && code <= 0xdfff ? ' ' : String.fromCodePoint(code);
      if (/[\p{Cf}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/u.test(character))
        expect([code, smartText(`a${character}b`)]).toEqual([code, 'ab']);
    }
  });

  it('leaves a text that cannot be sent as it is, before any work on it', () => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    const text = `“${'\u0301\u0323'.repeat(80_000)}”`;
    expect(smartText(text)).toBe(text);
    expect(normalize).not.toHaveBeenCalled();
    normalize.mockRestore();
  });

  it('replaces quotes also in a text that stays UCS-2', () => {
    expect(smartText('“👩‍💻…”')).toBe('"👩‍💻..."');
  });

  it('changes no GSM-7 text, makes no text empty, and changes nothing the second time', () => {
    const character = fc.oneof(
      fc.string({ minLength: 1, maxLength: 1 }),
      fc.constantFrom(
        '“',
        '’',
        '…',
        '\u200b',
        '\u00ad',
        'é',
        '€',
        '\u0301',
        '👩‍💻',
        '~',
        '\u2028',
        '\ufe0f',
        'ש',
        '\u200f',
        '\u200d',
      ),
    );
    const text = fc.array(character, { minLength: 1, maxLength: 60 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(text, (sent) => {
        const plain = smartText(sent);
        if (isGsm7(sent)) expect(plain).toBe(sent);
        expect(plain).not.toBe('');
        expect(smartText(plain)).toBe(plain);
      }),
      { numRuns: 500 },
    );
  });
});

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

  it('names some exactly when the text is not GSM-7, and never more than the bound', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const characters = unicodeCharactersIn(text);
        expect(characters.length > 0).toBe(!isGsm7(text));
        expect(characters.length).toBeLessThanOrEqual(limits.quoteUnicodeCharactersMax);
      }),
    );
  });

  it('finds one far behind in a long text', () => {
    expect(unicodeCharactersIn(`${'a'.repeat(60_000)}ж`)).toEqual(['ж']);
  });
});
