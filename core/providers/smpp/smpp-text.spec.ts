import fc from 'fast-check';
import { DEFAULT_ALPHABET, EXTENSION_TABLE } from '#contract/sms-characters.js';
import { segmentsOf } from '../../rules/segments.js';
import { decodeText, encodeText } from './smpp-text.js';

const GSM7 = 0;
const gsm7Texts = fc
  .array(fc.constantFrom(...DEFAULT_ALPHABET, ...EXTENSION_TABLE), { minLength: 1, maxLength: 400 })
  .map((characters) => characters.join(''));
const texts = fc.oneof(gsm7Texts, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }));
const storable = (text: string) => !text.includes('\0');

describe('encodeText', () => {
  it('returns octets that are decoded to the same text, a segment each', () => {
    fc.assert(
      fc.property(texts.filter(storable), fc.constantFrom(0, 1, 241), (text, coding) => {
        const { dataCoding, segments } = encodeText(text, coding);
        expect(decodeText(Buffer.concat(segments), dataCoding, coding)).toBe(text);
        expect(segments).toHaveLength(segmentsOf(text).segments);
        expect(Math.max(...segments.map(({ length }) => length))).toBeLessThanOrEqual(segments.length > 1 ? 153 : 160);
      }),
    );
  });

  it.each([
    ['@', '00'],
    ['Hello', '48656c6c6f'],
    ['€', '1b65'],
    ['[~]', '1b3c1b3d1b3e'],
    ['Æ', '1c'],
    ['à', '7f'],
    ['Ελλ', undefined],
  ])('encodes %s by 3GPP TS 23.038', (text, hex) => {
    const { dataCoding, segments } = encodeText(text, GSM7);
    if (hex === undefined) expect(dataCoding).toBe(8);
    else expect([dataCoding, segments[0]?.toString('hex')]).toEqual([GSM7, hex]);
  });

  it('encodes other alphabets as UCS-2 in network order', () => {
    expect(encodeText('я😀', GSM7)).toEqual({ dataCoding: 8, segments: [Buffer.from('044fd83dde00', 'hex')] });
  });
});

describe('decodeText', () => {
  it('returns storable text for any octets and any coding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(255), fc.nat(255), (octets, coding, gsm7Coding) => {
        const text = decodeText(Buffer.from(octets), coding, gsm7Coding);
        expect(text).not.toContain('\0');
        expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
      }),
    );
  });

  it.each([
    [1, '48656c6c6f', 'Hello'],
    [3, '4772fcdf65', 'Grüße'],
    [6, 'bfe0d8d2d5e2', 'Привет'],
    [7, 'f9ece5ed', 'שלום'],
    [8, '041f04400438', 'При'],
    [8, '041f04', 'П'],
    [0x10, '48690b', 'HiØ'],
    [0x18, '041f', 'П'],
    [0xf0, '1b65', '€'],
    [0xf5, '4fc9', 'OÉ'],
    [0xc8, '4869', 'Hi'],
    [0xe8, '041f', 'П'],
    [0, '411b', 'A '],
    [0, '1b41', 'A'],
    [2, 'e4', 'ä'],
  ])('decodes coding %i of %s', (coding, hex, text) => {
    expect(decodeText(Buffer.from(hex, 'hex'), coding, GSM7)).toBe(text);
  });
});
