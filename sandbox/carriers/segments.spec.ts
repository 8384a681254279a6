import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { segmentCount } from './segments.js';

describe('segmentCount', () => {
  it.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['ш'.repeat(70), 1],
    ['ш'.repeat(71), 2],
    ['ш'.repeat(134), 2],
    ['ш'.repeat(135), 3],
    ['😀'.repeat(35), 1],
    ['😀'.repeat(36), 2],
  ])('counts %j as %i', (text, expected) => {
    expect(segmentCount(text)).toBe(expected);
  });

  it('does not cut an extension character between two segments', () => {
    expect(segmentCount('a'.repeat(152) + '€' + 'a'.repeat(151))).toBe(2);
    expect(segmentCount('a'.repeat(152) + '€' + 'a'.repeat(152))).toBe(3);
  });

  it('does not cut a surrogate pair between two segments', () => {
    expect(segmentCount('ш'.repeat(66) + '😀' + 'ш'.repeat(65))).toBe(2);
    expect(segmentCount('ш'.repeat(66) + '😀' + 'ш'.repeat(66))).toBe(3);
  });

  it("agrees with Twilio's own calculator", () => {
    const character = fc.constantFrom(...'abc XYZ09@£é{}[]~^|€\\\nшжл中文字😀🎉');
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1, maxLength: 400 }), (text) => {
        expect(segmentCount(text)).toBe(new SegmentedMessage(text, 'auto').segmentsCount);
      }),
      { numRuns: 60 },
    );
  });
});
