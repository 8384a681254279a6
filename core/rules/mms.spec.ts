import fc from 'fast-check';
import { fitPlan, isMmsType, mmsBytesMaxOf, type SizedFile, takesMms } from './mms.js';

describe('mmsBytesMaxOf', () => {
  it.each([
    ['+14155552671', 1_000_000],
    ['+16045550100', 1_000_000],
    // 880 and 882 are not toll-free.
    ['+18805550100', 1_000_000],
    // A British number that begins like a toll-free number of North America.
    ['+448005550100', 1_000_000],
    ['+18005550100', 600_000],
    ['+18335550100', 600_000],
    ['+18445550100', 600_000],
    ['+18555550100', 600_000],
    ['+18665550100', 600_000],
    ['+18775550100', 600_000],
    ['+18885550100', 600_000],
    ['24273', 600_000],
    ['+24273', 600_000],
    [`MG${'0'.repeat(32)}`, 600_000],
    ['ACME', 600_000],
  ])('is for %s %i bytes', (sender, bytesMax) => {
    expect(mmsBytesMaxOf(sender)).toBe(bytesMax);
  });
});

describe('takesMms', () => {
  it.each([
    ['US', true],
    ['CA', true],
    ['PR', false],
    ['GB', false],
    ['', false],
  ])('is for %p %p', (country, expected) => {
    expect(takesMms(country)).toBe(expected);
  });
});

describe('isMmsType', () => {
  it.each([
    ['image/jpeg', true],
    ['image/webp', true],
    ['application/pdf', true],
    ['image/heic', false],
    ['image/svg+xml', false],
    ['text/html', false],
    ['application/octet-stream', false],
  ])('is for %s %p', (type, expected) => {
    expect(isMmsType(type)).toBe(expected);
  });
});

describe('fitPlan', () => {
  const picture = (bytes: number, type = 'image/jpeg'): SizedFile => ({ type, bytes, isAnimated: false });
  const animated = (bytes: number): SizedFile => ({ type: 'image/gif', bytes, isAnimated: true });
  const video = (bytes: number): SizedFile => ({ type: 'video/mp4', bytes, isAnimated: false });

  it.each<[string, SizedFile[], number, (number | null)[] | undefined]>([
    ['keeps what fits', [picture(400), video(600)], 1_000, [null, null]],
    ['makes the only picture as small as needed', [picture(2_000_000)], 1_000_000, [1_000_000]],
    ['leaves a picture what a video leaves', [picture(900_000), video(300_000)], 1_000_000, [600_000, null]],
    ['keeps the small picture', [picture(900_000), picture(100_000)], 600_000, [450_000, null]],
    ['shares equally', [picture(900_000), picture(800_000), picture(10_000)], 610_000, [300_000, 300_000, null]],
    ['converts what no carrier takes', [picture(1_000, 'image/webp')], 600_000, [600_000]],
    ['makes a still GIF smaller', [picture(700_000, 'image/gif')], 600_000, [600_000]],
    ['never makes an animated one smaller', [animated(700_000)], 600_000, undefined],
    ['keeps an animated one that fits', [animated(500_000), picture(200_000)], 600_000, [null, 100_000]],
    ['refuses videos that are too large', [video(500_000), video(500_001)], 1_000_000, undefined],
    ['refuses pictures that would be tiny', [video(990_000), picture(900_000)], 1_000_000, undefined],
    ['has nothing to plan without files', [], 600_000, []],
  ])('%s', (_title, files, bytesMax, expected) => {
    expect(fitPlan(files, bytesMax)).toEqual(expected);
  });

  it('never plans more bytes than there are, in whatever order files come', () => {
    const file = fc.record({
      type: fc.constantFrom('image/jpeg', 'image/webp', 'image/gif', 'video/mp4'),
      bytes: fc.integer({ min: 1, max: 5_000_000 }),
      isAnimated: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 10 }), fc.constantFrom(600_000, 1_000_000), (files, bytesMax) => {
        const plan = fitPlan(files, bytesMax);
        if (!plan) return;
        const planned = plan.map((part, index) => part ?? files[index]?.bytes ?? 0);
        expect(planned.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(bytesMax);
        expect(plan.every((part, index) => part === null || !files[index]?.isAnimated)).toBe(true);
      }),
    );
  });
});
