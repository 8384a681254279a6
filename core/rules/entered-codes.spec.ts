import { doubtsOf, randomPointOf, takesRandomRoute } from './entered-codes.js';
import { newMessageId } from './ids.js';

const codes = (carrier: number, delivered: number, entered: number) => ({ carrier, delivered, entered });

describe('doubtsOf', () => {
  it.each([
    ['a route below half of the other', [codes(1, 200, 80), codes(2, 200, 170)], { 1: true, 2: false }],
    ['none at half', [codes(1, 200, 85), codes(2, 200, 170)], { 1: false, 2: false }],
    ['none with 199 codes', [codes(1, 199, 10), codes(2, 200, 170)], {}],
    ['none while the other has 199', [codes(1, 200, 10), codes(2, 199, 170)], {}],
    ['none while chance explains it', [codes(1, 200, 4), codes(2, 200, 12)], { 1: false, 2: false }],
    [
      'one by the best of several',
      [codes(1, 200, 80), codes(2, 200, 90), codes(3, 200, 190)],
      { 1: true, 2: true, 3: false },
    ],
    ['none when none is entered', [codes(1, 200, 0), codes(2, 200, 0)], { 1: false, 2: false }],
    ['none when it is alone', [codes(1, 200, 0)], {}],
    ['none without routes', [], {}],
  ])('doubts %s', (_title, routes, expected) => {
    expect(Object.fromEntries(doubtsOf(routes))).toEqual(expected);
  });
});

describe('takesRandomRoute', () => {
  it('holds for one of twenty ids, with points over the whole range', () => {
    const points = Array.from({ length: 40_000 }, newMessageId).filter(takesRandomRoute).map(randomPointOf);
    expect(points.length / 40_000).toBeGreaterThan(0.045);
    expect(points.length / 40_000).toBeLessThan(0.056);
    for (const third of [0, 1, 2]) {
      const share = points.filter((point) => Math.floor(point * 3) === third).length / points.length;
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.06);
    }
  });

  it.each([
    ['0190f0aa-1234-7abc-8def-01234567800c', true],
    ['0190f0aa-1234-7abc-8def-01234567800d', false],
    ['0190f0aa-1234-7abc-8def-0123456780ff', false],
  ])('of %s: %p', (id, expected) => {
    expect(takesRandomRoute(id)).toBe(expected);
  });
});
