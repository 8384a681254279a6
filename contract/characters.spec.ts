import { asciiDigits, normalized, pasted, withoutInvisible } from './characters.js';

/** Every code point with a property. */
function charactersWith(property: RegExp): string[] {
  const found: string[] = [];
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (property.test(character)) found.push(character);
  }
  return found;
}

const invisible = charactersWith(/[\p{Cf}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/u);
const spaces = charactersWith(/[\p{Zs}\p{Zl}\p{Zp}\p{White_Space}]/u);
const digits = charactersWith(/\p{Nd}/u);

describe('withoutInvisible', () => {
  it('removes every format character, variation selector and ignorable character, and nothing else', () => {
    expect(invisible.length).toBeGreaterThan(4_000);
    for (const character of invisible)
      expect([character, withoutInvisible(`a${character}b`)]).toEqual([character, 'ab']);
    for (const kept of [...spaces, ...digits, 'é', '\u0301', '👩', '-', '\0'])
      expect(withoutInvisible(`a${kept}b`)).toBe(`a${kept}b`);
  });
});

describe('pasted', () => {
  it('removes every kind of white space and invisible character around a text', () => {
    for (const character of [...invisible, ...spaces])
      expect([character, pasted(`${character}\n a b${character} `)]).toEqual([character, 'a b']);
  });

  it.each([
    ['\u202ahttps://example.com/\u200d❤\u202c', 'https://example.com/\u200d❤'],
    ['😀', '😀'],
    ['\ude00 a \ud83d', '\ude00 a \ud83d'],
    [' \u200b\ufeff ', ''],
    ['', ''],
  ])('leaves what is inside: %j', (text, rest) => {
    expect(pasted(text)).toBe(rest);
  });
});

describe('asciiDigits', () => {
  it('reads the digits of every script', () => {
    expect(digits.length).toBeGreaterThan(600);
    expect(digits.map(asciiDigits).join('')).toBe('0123456789'.repeat(digits.length / 10));
  });

  it('agrees with Unicode about the digits that compatibility folding knows', () => {
    for (const digit of digits) {
      const folded = digit.normalize('NFKC');
      if (/^[0-9]$/.test(folded)) expect([digit, asciiDigits(digit)]).toEqual([digit, folded]);
    }
  });

  it.each([
    ['＋１（４１５）５５５－２６７１', '+1(415)555-2671'],
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['ＡＢｃ', 'ABc'],
    ['²½①', '²½①'],
    ['+1 415', '+1 415'],
  ])('reads %j as %s', (text, plain) => {
    expect(asciiDigits(text)).toBe(plain);
  });
});

describe('normalized', () => {
  it.each(['Cafe\u0301 \u0075\u0323\u0308', 'ｂｉｔ.ｌｙ', '\u1112\u1161\u11ab', `a${'\u0301\u0323'.repeat(15)}`])(
    'normalizes %j as Unicode does',
    (text) => {
      for (const form of ['NFC', 'NFKC'] as const) expect(normalized(text, form)).toBe(text.normalize(form));
    },
  );

  it('never hands a longer run of combining marks to the quadratic sort', () => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    try {
      normalized(`a${'\u0301\u0323'.repeat(10_000)}`, 'NFC');
      const texts = normalize.mock.contexts.map(String);
      expect(texts).toHaveLength(1);
      expect(
        Math.max(
          ...texts
            .join('')
            .split('\u034f')
            .map((part) => part.length),
        ),
      ).toBeLessThanOrEqual(31);
    } finally {
      normalize.mockRestore();
    }
  });
});
