import fc from 'fast-check';
import { rankRoutes, type OpenRoute } from './routes.js';

const route = (carrier: number, weight: number, more: Partial<OpenRoute> = {}): OpenRoute => ({
  carrier,
  weight,
  restingWeight: weight,
  costMicrousd: null,
  isPaused: false,
  deliveredShare: null,
  ...more,
});
const carriers = (routes: readonly OpenRoute[]) => routes.map(({ carrier }) => carrier);
const weight = fc.integer({ min: 0, max: 100 });
const point = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const someRoutes = fc
  .array(fc.record({ weight, restingWeight: weight, costMicrousd: fc.option(fc.nat(9)) }), { maxLength: 3 })
  .map((all) => all.map((one, n) => ({ ...one, carrier: n + 1, isPaused: false, deliveredShare: null })));

describe('rankRoutes', () => {
  it.each<[string, OpenRoute[], number, number[]]>([
    ['the one whose part has the point', [route(1, 90), route(2, 10)], 0.89, [1, 2]],
    ['the next one from its first point on', [route(1, 90), route(2, 10)], 0.9, [2, 1]],
    ['the same one in whatever order the routes are', [route(2, 10), route(1, 90)], 0.9, [2, 1]],
    ['by shares of weights that do not sum to 100', [route(1, 1), route(2, 3)], 0.25, [2, 1]],
    ['none of weight 0 while another has one', [route(1, 0), route(2, 1)], 0, [2]],
    ['by resting weights when all are 0', [route(1, 0, { restingWeight: 90 }), route(2, 0)], 0.95, [1]],
    ['evenly when those are 0 too', [route(1, 0), route(2, 0)], 0.5, [2, 1]],
    ['none when there is none', [], 0.5, []],
    ['then the one of more weight', [route(1, 5), route(2, 1), route(3, 2)], 0, [1, 3, 2]],
    [
      'then the cheaper one of equal weight, a known cost first',
      [route(1, 5), route(2, 1), route(3, 1, { costMicrousd: 9 }), route(4, 1, { costMicrousd: 8 })],
      0,
      [1, 4, 3, 2],
    ],
  ])('takes by weights %s', (_title, routes, at, expected) => {
    expect(carriers(rankRoutes(routes, 'weights', at))).toEqual(expected);
  });

  it.each<[string, OpenRoute[], number[]]>([
    ['the cheapest, an unknown cost last', [route(1, 9), route(2, 1, { costMicrousd: 7 })], [2, 1]],
    ['the one of more weight at the same cost', [route(1, 1), route(2, 9)], [2, 1]],
    ['none of weight 0', [route(1, 0, { costMicrousd: 1 }), route(2, 1, { costMicrousd: 2 })], [2]],
  ])('takes as the cheapest %s', (_title, routes, expected) => {
    expect(carriers(rankRoutes(routes, 'cheapest', 0.5))).toEqual(expected);
  });

  it.each<[string, OpenRoute[], number, number[]]>([
    ['the other one', [route(1, 90, { isPaused: true }), route(2, 10)], 0, [2]],
    [
      'the other one by its resting weight',
      [route(1, 90, { isPaused: true }), route(2, 0, { restingWeight: 1 })],
      0,
      [2],
    ],
    ['it, while the other has no weight at all', [route(1, 90, { isPaused: true }), route(2, 0)], 0.9, [1]],
    [
      'both by their weights while both are paused',
      [route(1, 90, { isPaused: true }), route(2, 10, { isPaused: true })],
      0.95,
      [2, 1],
    ],
  ])('takes while a carrier is paused %s', (_title, routes, at, expected) => {
    for (const mode of ['weights', 'best'] as const) expect(carriers(rankRoutes(routes, mode, at))).toEqual(expected);
  });

  const delivered = (carrier: number, share: number | null, more: Partial<OpenRoute> = {}) =>
    route(carrier, 10, { deliveredShare: share, ...more });
  it.each<[string, OpenRoute[], number, number[]]>([
    ['the one that delivers more', [delivered(1, 0.9), delivered(2, 0.95)], 0, [2, 1]],
    ['the cheaper one at the same percent', [delivered(1, 0.951), delivered(2, 0.949, { costMicrousd: 1 })], 0, [2, 1]],
    ['by weights while one has too few figures', [delivered(1, 0.1), delivered(2, null)], 0, [1, 2]],
    ['it without those that take no messages', [delivered(1, null, { weight: 0 }), delivered(2, 0.5)], 0, [2]],
  ])('takes as the best %s', (_title, routes, at, expected) => {
    expect(carriers(rankRoutes(routes, 'best', at))).toEqual(expected);
  });

  it('takes every route with a weight once, and one without it only if no route has one', () => {
    fc.assert(
      fc.property(someRoutes, fc.constantFrom('weights' as const, 'cheapest' as const), point, (routes, mode, at) => {
        const ranked = rankRoutes(routes, mode, at);
        expect(new Set(ranked).size).toBe(ranked.length);
        expect(ranked.length > 0).toBe(routes.length > 0);
        const weighted = routes.filter((one) => one.weight > 0);
        if (weighted.length > 0) expect(new Set(ranked)).toEqual(new Set(weighted));
      }),
    );
  });

  it('gives each route its share of the points', () => {
    const parts = 1_000;
    fc.assert(
      fc.property(someRoutes, (routes) => {
        const whole = routes.reduce((sum, one) => sum + one.weight, 0);
        fc.pre(whole > 0);
        const chosen = Array.from({ length: parts }, (_, n) => rankRoutes(routes, 'weights', n / parts)[0]?.carrier);
        for (const one of routes) {
          const times = chosen.filter((carrier) => carrier === one.carrier).length;
          expect(Math.abs(times - (parts * one.weight) / whole)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('moves no recipient towards the route that loses weight to another', () => {
    fc.assert(
      fc.property(weight, fc.integer({ min: 1, max: 100 }), point, (kept, moved, at) => {
        fc.pre(kept + moved <= 100);
        const chosen = (first: number) => rankRoutes([route(1, first), route(2, 100 - first)], 'weights', at)[0];
        if (chosen(kept + moved)?.carrier === 2) expect(chosen(kept)?.carrier).toBe(2);
      }),
    );
  });
});
