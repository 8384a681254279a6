import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/max';
import { limits } from '#contract/limits.js';
import { gsm7SeptetsOf } from '#contract/sms-characters.js';
import { regions } from '#contract/regions.js';
import { charactersLeftIn, type SegmentCount, segmentsOf, segmentTextsOf } from './segments.js';
import { priceOf } from './price.js';

const segmentsMax = limits.messageSegmentsMax;
const gsm7 = (segments: number): SegmentCount => ({ encoding: 'GSM-7', segments });
const ucs2 = (segments: number): SegmentCount => ({ encoding: 'UCS-2', segments });
const family = '👩‍👩‍👧‍👦'; // 11 units
const flag = '🇨🇦'; // 4 units

describe('segmentsOf in GSM-7', () => {
  it.each<[string, string, number]>([
    ['no character', '', 1],
    ['one character', 'a', 1],
    ['160 characters', 'a'.repeat(160), 1],
    ['161 characters', 'a'.repeat(161), 2],
    ['306 characters', 'a'.repeat(306), 2],
    ['307 characters', 'a'.repeat(307), 3],
    ['1,530 characters', 'a'.repeat(1530), 10],
    ['1,531 characters', 'a'.repeat(1531), 11],
    ['80 euro signs', '€'.repeat(80), 1],
    ['81 euro signs', '€'.repeat(81), 2],
    ['159 characters and a bracket', `${'a'.repeat(159)}[`, 2],
    ['306 septets with the escape pair inside a segment', `${'a'.repeat(151)}€${'a'.repeat(153)}`, 2],
    ['306 septets with the escape pair across the border', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['305 septets with the escape pair across the border', `${'a'.repeat(152)}€${'a'.repeat(151)}`, 2],
    ['line breaks as two characters', '\r\n'.repeat(80), 1],
    ['line breaks across the border', '\r\n'.repeat(153), 2],
  ])('counts %s', (_name, text, segments) => {
    expect(segmentsOf(text)).toEqual(gsm7(segments));
  });

  it('holds all 127 characters of the default alphabet and the 9 of the extension table', () => {
    const cost = (character: string): number => {
      if (segmentsOf(character).encoding !== 'GSM-7') return 0;
      return segmentsOf(character.repeat(160)).segments === 1 ? 1 : 2;
    };
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect(characters.filter((character) => cost(character) === 1)).toHaveLength(127);
    expect(characters.filter((character) => cost(character) === 2).toSorted()).toEqual([...'\f[\\]^{|}~€']);
  });
});

describe('segmentsOf in UCS-2', () => {
  it.each<[string, string, number]>([
    ['a letter outside the alphabet', 'ç', 1],
    ['a backtick', '`', 1],
    ['70 units', 'ж'.repeat(70), 1],
    ['71 units', 'ж'.repeat(71), 2],
    ['134 units', 'ж'.repeat(134), 2],
    ['135 units', 'ж'.repeat(135), 3],
    ['670 units', 'ж'.repeat(670), 10],
    ['671 units', 'ж'.repeat(671), 11],
    ['extension characters as one unit each', `${'€'.repeat(69)}ж`, 1],
    ['35 emoji', '😀'.repeat(35), 1],
    ['36 emoji', '😀'.repeat(36), 2],
    ['134 units with the pair inside a segment', `${'a'.repeat(65)}😀${'a'.repeat(67)}`, 2],
    ['134 units with the pair across the border', `${'a'.repeat(66)}😀${'a'.repeat(66)}`, 3],
    ['133 units with the pair across the border', `${'a'.repeat(66)}😀${'a'.repeat(65)}`, 2],
    ['66 emoji, one unit of each segment lost', '😀'.repeat(66), 2],
    ['67 emoji, one unit of each segment lost', '😀'.repeat(67), 3],
    ['a joined family across the border', `${'a'.repeat(60)}${family}${'a'.repeat(56)}`, 2],
    ['a joined family across the border, a unit more', `${'a'.repeat(60)}${family}${'a'.repeat(57)}`, 3],
    ['a flag across the border', `${'a'.repeat(65)}${flag}${'a'.repeat(64)}`, 3],
    ['flags in a row, never half a flag', flag.repeat(33), 3],
    ['an accent across the border', `${'a'.repeat(66)}e\u0301${'a'.repeat(66)}`, 3],
    ['a heart with its variation selector across the border', `${'a'.repeat(66)}❤\ufe0f${'a'.repeat(66)}`, 3],
    ['CR LF across the border, as two characters', `ж${'a'.repeat(65)}\r\n${'a'.repeat(66)}`, 2],
    ['CR LF across the border, beside an emoji', `😀${'a'.repeat(64)}\r\n${'a'.repeat(66)}`, 2],
    ['half a surrogate pair as one unit', '\ud83d'.repeat(134), 2],
  ])('counts %s', (_name, text, segments) => {
    expect(segmentsOf(text)).toEqual(ucs2(segments));
  });

  it('cuts a cluster that no segment can hold, so that piled accents are not free', () => {
    expect(segmentsOf(`e${'\u0301'.repeat(133)}`)).toEqual(ucs2(2));
    expect(segmentsOf(`e${'\u0301'.repeat(134)}`)).toEqual(ucs2(3));
  });

  it('rejects a text of a million emoji as too long without reading each', () => {
    expect(segmentsOf('😀'.repeat(1_000_000)).segments).toBeGreaterThan(segmentsMax);
  });
});

/** The same rule written plainly: clusters (CR LF apart) fill one segment after the other. */
function plainUcs2Segments(text: string): number {
  if (text.length <= 70) return 1;
  const clusters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].flatMap(({ segment }) =>
    segment === '\r\n' ? ['\r', '\n'] : segment.length > 67 ? [...segment] : [segment],
  );
  let segments = 1;
  let units = 0;
  for (const cluster of clusters) {
    if (units + cluster.length > 67) {
      segments++;
      units = 0;
    }
    units += cluster.length;
  }
  return segments;
}

const textOf = (units: readonly string[], maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...units), minLength: 0, maxLength, size: 'max' });
const gsm7Units = ['a', 'Z', '1', ' ', 'é', 'Δ', '\n', '\r\n', '€', '[', '~'];
const standingAlone = [...gsm7Units, 'ж', '你', '한', 'ع', '→', 'ế', 'カ'];
const clustered = ['e\u0301', '😀', family, flag, '👍🏽', '❤\ufe0f', '1\ufe0f\u20e3', 'नि', 'กำ', '\u1112\u1161\u11ab'];
const anything = fc.oneof(
  textOf(gsm7Units, 700),
  textOf(standingAlone, 700),
  textOf([...standingAlone, ...clustered], 150),
  textOf(['a', '\u0301', '\u200d', '😀', '🇨', '🏽', '\ufe0f', '\r', '\n', '\ud83d', '\ude00'], 600),
  fc.string({ unit: 'binary', maxLength: 700, size: 'max' }),
);

describe('segmentsOf in general', () => {
  // Emoji sequences newer than the calculator's tables (Unicode 10) are omitted: it cuts them,
  // phones do not.
  it('agrees with the calculator of the carrier', () => {
    const texts = fc.oneof(
      textOf(gsm7Units, 700),
      textOf(standingAlone, 500),
      textOf([...standingAlone, '😀', flag, 'e\u0301', '❤\ufe0f', '1\ufe0f\u20e3', '👩‍👩‍👧‍👦', 'नि'], 150),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { encodingName, segmentsCount } = new SegmentedMessage(text);
        fc.pre(segmentsCount <= segmentsMax);
        expect(segmentsOf(text)).toEqual({ encoding: encodingName, segments: segmentsCount });
      }),
      { numRuns: 150 },
    );
  });

  it('equals the rule written plainly', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { encoding, segments } = segmentsOf(text);
        fc.pre(encoding === 'UCS-2' && text.length <= 67 * segmentsMax);
        expect(segments).toBe(plainUcs2Segments(text));
      }),
      { numRuns: 500 },
    );
  });

  it('never falls when a text grows', () => {
    fc.assert(
      fc.property(anything, anything, (text, more) => {
        const sendable = ({ segments }: SegmentCount): number => Math.min(segments, segmentsMax + 1);
        expect(sendable(segmentsOf(text + more))).toBeGreaterThanOrEqual(sendable(segmentsOf(text)));
      }),
      { numRuns: 300 },
    );
  });

  it('is one for what fits one message, and at least the space that the text needs', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { encoding, segments } = segmentsOf(text);
        const unitsPerPart = encoding === 'GSM-7' ? 153 : 67;
        expect(segments).toBeGreaterThanOrEqual(text.length <= 70 ? 1 : Math.ceil((text.length - 7) / unitsPerPart));
        if (encoding === 'UCS-2') expect(segments === 1).toBe(text.length <= 70);
      }),
      { numRuns: 300 },
    );
  });

  it('looks for clusters wherever Unicode joins characters', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const countOf = (text: string) => [...segmenter.segment(text)].length;
    // Each character stands twice across the border: the count must respect its clusters.
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      const joins = countOf(`a${character.repeat(2)}a`) < 4;
      if (!joins) continue;
      const text = `ж${'a'.repeat(65)}${character.repeat(2)}${'a'.repeat(66)}`;
      expect([code, segmentsOf(text).segments]).toEqual([code, plainUcs2Segments(text)]);
    }
  });
});

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

  it('returns exactly where the next segment begins', () => {
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

describe('priceOf', () => {
  it.each([
    [1, 1, 1],
    [3, 5, 15],
    [10, 5, 50],
  ] as const)('multiplies %i segments by %i credits: %i', (segments, creditsPerSms, credits) => {
    expect(priceOf(segments, { creditsPerSms })).toBe(credits);
  });

  it('returns a whole number from 1 to 50 for every message and region', () => {
    for (const region of regions) {
      for (let segments = 1; segments <= limits.messageSegmentsMax; segments++) {
        const credits = priceOf(segments, region);
        expect(Number.isInteger(credits) && credits >= 1 && credits <= 50).toBe(true);
      }
    }
  });

  it.each([0, -1, 1.5, 11, NaN, Infinity])('throws for %d segments', (segments) => {
    expect(() => priceOf(segments, { creditsPerSms: 1 })).toThrow(RangeError);
  });
});

const specification = `
1 | Canada Yes, USA Yes
2 | China No, Liechtenstein No, Thailand Yes, Turkey No
3 | Australia Yes, Brazil No, Bahamas No, Colombia No, Costa Rica No, Denmark Yes, UK Yes
3 | Poland Yes, Puerto Rico No, Portugal Yes, Singapore No, Taiwan No
4 | Switzerland No, Chile No, France No, Greece No, Hong Kong No, Ireland Yes, Iceland No
4 | Luxembourg Yes, Latvia No, Norway No, Romania No, South Africa No
5 | Argentina No, Austria No, Cyprus No, Germany Yes, Spain Yes, Finland No
5 | Hungary No, India Yes, Italy Yes, Japan No`;

const specified = specification
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [credits, countries = ''] = line.split(' | ');
    return countries.split(', ').map((entry) => `${entry} ${credits}`);
  });

describe('the region table', () => {
  it('contains exactly the countries of the specification with their credits and activity', () => {
    const held = regions.map((row) => `${row.country} ${row.active ? 'Yes' : 'No'} ${row.creditsPerSms}`);
    expect(held.toSorted()).toEqual(specified.toSorted());
  });

  it('is sorted by country name', () => {
    const names = regions.map((row) => row.country);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('has unique codes in ISO form', () => {
    expect(new Set(regions.map((row) => row.code)).size).toBe(regions.length);
    expect(new Set(regions.map((row) => row.iso2)).size).toBe(regions.length);
    for (const row of regions) {
      expect(row.code).toMatch(/^[A-Z]{3}$/);
      expect(row.iso2).toMatch(/^[A-Z]{2}$/);
      expect(row.areaCode).toMatch(/^\+\d{1,3}( \d{3})?$/);
    }
  });

  it('has the country name of each ISO code', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const namedOtherwise: Record<string, string> = {
      'Hong Kong': 'Hong Kong SAR China',
      Turkey: 'Türkiye',
      UK: 'United Kingdom',
      USA: 'United States',
    };
    for (const row of regions) expect(names.of(row.iso2)).toBe(namedOtherwise[row.country] ?? row.country);
  });

  it('has the calling code that numbers of the country start with', () => {
    for (const row of regions) {
      const callingCode = getCountryCallingCode(row.iso2 as CountryCode);
      expect(row.areaCode.split(' ')[0]).toBe(`+${callingCode}`);
    }
  });

  it('offers one-time passwords in the USA and Canada only', () => {
    expect(regions.filter((row) => row.otp).map((row) => row.country)).toEqual(['Canada', 'USA']);
  });
});

describe('segmentTextsOf', () => {
  const piece = fc.constantFrom('a', 'Ω', '€', '[', '\r\n', 'я', '😀', flag, family, 'e\u0301', '\ud83d');
  const texts = fc.array(piece, { maxLength: 330 }).map((pieces) => pieces.join(''));

  it('returns the whole text in as many segments as are counted', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { segments } = segmentsOf(text);
        const parts = segmentTextsOf(text);
        expect(parts.join('')).toBe(text);
        if (segments <= segmentsMax) expect(parts).toHaveLength(segments);
      }),
    );
  });

  it('fills no segment beyond its size and splits no pair', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { encoding, segments } = segmentsOf(text);
        if (segments === 1) return;
        for (const part of segmentTextsOf(text)) {
          expect(encoding === 'UCS-2' ? part.length : septetsOf(part)).toBeLessThanOrEqual(
            encoding === 'UCS-2' ? 67 : 153,
          );
          expect(part).not.toMatch(/^[\udc00-\udfff]/);
        }
      }),
    );
  });
});

const septetsOf = (text: string) => [...text].reduce((sum, one) => sum + gsm7SeptetsOf(one.charCodeAt(0)), 0);
