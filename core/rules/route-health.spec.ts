import fc from 'fast-check';
import { isHealthy, moveOf, type MeasuredRoute, type SinceChanges, type WeightMove } from './route-health.js';

const route = (carrier: number, weight: number, more: Partial<MeasuredRoute> = {}): MeasuredRoute => ({
  carrier,
  weight,
  restingWeight: weight,
  costMicrousd: null,
  isPaused: false,
  isHeld: false,
  isDoubtful: false,
  messages: 100,
  bad: 0,
  newestBad: 0,
  worstMessages: 0,
  worstBad: 0,
  ...more,
});
const never: SinceChanges = { moved: null, silenced: null, doubted: null, any: null };
const move = (cause: WeightMove['cause'], from: number | null, to: number, points: number) => ({
  cause,
  from,
  to,
  points,
});

describe('moveOf', () => {
  it.each<[string, MeasuredRoute[], Partial<SinceChanges>, WeightMove | undefined]>([
    ['10 points of a bad route', [route(1, 90, { bad: 30 }), route(2, 10)], {}, move('bad_share', 1, 2, 10)],
    ['nothing below 30 %', [route(1, 90, { bad: 29 }), route(2, 10)], {}, undefined],
    ['no more than there are', [route(1, 5, { bad: 50 }), route(2, 95)], {}, move('bad_share', 1, 2, 5)],
    ['nothing of 19 messages', [route(1, 90, { messages: 19, bad: 19 }), route(2, 10)], {}, undefined],
    ['of 20', [route(1, 90, { messages: 20, bad: 6 }), route(2, 10)], {}, move('bad_share', 1, 2, 10)],
    [
      'nothing for one account, while others fare well',
      [route(1, 90, { bad: 80, newestBad: 20, worstMessages: 80, worstBad: 80 }), route(2, 10)],
      {},
      undefined,
    ],
    [
      'for one account, while others have too few messages',
      [route(1, 90, { bad: 81, newestBad: 20, worstMessages: 81, worstBad: 81 }), route(2, 10)],
      {},
      move('silent', 1, 2, 90),
    ],
    [
      'when others fare badly too',
      [route(1, 90, { bad: 56, worstMessages: 50, worstBad: 40 }), route(2, 10)],
      {},
      move('bad_share', 1, 2, 10),
    ],
    [
      'at twice the share of the other',
      [route(1, 90, { bad: 40 }), route(2, 10, { bad: 20 })],
      {},
      move('bad_share', 1, 2, 10),
    ],
    ['nothing at less than that', [route(1, 90, { bad: 40 }), route(2, 10, { bad: 21 })], {}, undefined],
    [
      'to a route with too few messages to judge',
      [route(1, 90, { bad: 40 }), route(2, 10, { messages: 19, bad: 19 })],
      {},
      move('bad_share', 1, 2, 10),
    ],
    [
      'to the best other',
      [route(1, 80, { bad: 40 }), route(2, 10, { bad: 2 }), route(3, 10, { bad: 1 })],
      {},
      move('bad_share', 1, 3, 10),
    ],
    [
      'to the cheaper of two that are as good',
      [route(1, 80, { bad: 40 }), route(2, 10), route(3, 10, { costMicrousd: 5 })],
      {},
      move('bad_share', 1, 3, 10),
    ],
    [
      'to the heavier of two that are as good and cost the same',
      [route(1, 70, { bad: 40 }), route(2, 10), route(3, 20)],
      {},
      move('bad_share', 1, 3, 10),
    ],
    ['nothing 9 minutes after a move', [route(1, 90, { bad: 40 }), route(2, 10)], { moved: 9, any: 9 }, undefined],
    [
      '10 minutes later',
      [route(1, 90, { bad: 40 }), route(2, 10)],
      { moved: 10, any: 10 },
      move('bad_share', 1, 2, 10),
    ],
    ['no weight that is held', [route(1, 90, { bad: 90, newestBad: 20, isHeld: true }), route(2, 10)], {}, undefined],
    ['nothing to one that is held', [route(1, 90, { bad: 90 }), route(2, 10, { isHeld: true })], {}, undefined],
    ['nothing to a paused carrier', [route(1, 90, { bad: 90 }), route(2, 10, { isPaused: true })], {}, undefined],
    ['nothing of a paused carrier', [route(1, 90, { bad: 90, isPaused: true }), route(2, 10)], {}, undefined],
    ['nothing to one without a resting weight', [route(1, 90, { bad: 90 }), route(2, 0)], {}, undefined],
    ['nothing to a doubtful one', [route(1, 90, { bad: 90 }), route(2, 10, { isDoubtful: true })], {}, undefined],
    [
      'all points of a silent one, at once',
      [route(1, 90, { bad: 30, newestBad: 20 }), route(2, 10)],
      { moved: 1, any: 1 },
      move('silent', 1, 2, 90),
    ],
    [
      'only 10 while one of the newest did well',
      [route(1, 90, { bad: 90, newestBad: 19 }), route(2, 10)],
      {},
      move('bad_share', 1, 2, 10),
    ],
    [
      'nothing while all are silent',
      [route(1, 90, { bad: 90, newestBad: 20 }), route(2, 10, { bad: 90, newestBad: 20 })],
      {},
      undefined,
    ],
    [
      'not back within 10 minutes of silence',
      [route(1, 0, { messages: 0, restingWeight: 90 }), route(2, 100, { bad: 90, newestBad: 20 })],
      { silenced: 9, moved: 9, any: 9 },
      undefined,
    ],
    [
      '10 points a day of a doubtful one',
      [route(1, 90, { isDoubtful: true }), route(2, 10)],
      { doubted: 1_440, any: 1_440 },
      move('doubtful_receipts', 1, 2, 10),
    ],
    [
      'no more on that day',
      [route(1, 90, { isDoubtful: true }), route(2, 10)],
      { doubted: 1_439, any: 1_439 },
      undefined,
    ],
    [
      '10 points back after an hour',
      [route(1, 50, { restingWeight: 90 }), route(2, 50, { restingWeight: 10 })],
      { moved: 60, any: 60 },
      move('recovery', 2, 1, 10),
    ],
    [
      'none back before',
      [route(1, 50, { restingWeight: 90 }), route(2, 50, { restingWeight: 10 })],
      { moved: 59, any: 59 },
      undefined,
    ],
    [
      'as many back as are missing',
      [route(1, 86, { restingWeight: 90 }), route(2, 14, { restingWeight: 10 })],
      {},
      move('recovery', 2, 1, 4),
    ],
    [
      'some back although no other has too many',
      [route(1, 50, { restingWeight: 90 }), route(2, 100)],
      {},
      move('recovery', null, 1, 10),
    ],
    [
      'none back to a bad route',
      [route(1, 50, { restingWeight: 90, bad: 30 }), route(2, 50, { restingWeight: 10, bad: 30 })],
      {},
      undefined,
    ],
    ['none back to a held one', [route(1, 50, { restingWeight: 90, isHeld: true }), route(2, 50)], {}, undefined],
    ['nothing of one route', [route(1, 100, { bad: 100, newestBad: 20 })], {}, undefined],
    ['nothing when all is well', [route(1, 90), route(2, 10)], {}, undefined],
  ])('moves %s', (_title, routes, since, expected) => {
    expect(moveOf(routes, { ...never, ...since })).toEqual(expected);
  });

  it('takes no more than a route has, from no held weight, and gives to none that may not gain', () => {
    const weight = fc.integer({ min: 0, max: 100 });
    const anyRoute = fc.record({
      weight,
      restingWeight: weight,
      costMicrousd: fc.option(fc.nat(9)),
      isPaused: fc.boolean(),
      isHeld: fc.boolean(),
      isDoubtful: fc.boolean(),
      messages: fc.integer({ min: 100, max: 200 }),
      bad: fc.nat(100),
      newestBad: fc.nat(20),
      worstMessages: fc.nat(20),
      worstBad: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(anyRoute, { maxLength: 3 }), (all) => {
        const routes = all.map((one, n) => ({ ...one, carrier: n + 1 }));
        const found = moveOf(routes, never);
        if (!found) return;
        const [from, to] = [found.from, found.to].map((one) => routes.find(({ carrier }) => carrier === one));
        expect(found.points).toBeGreaterThan(0);
        if (from) expect([from.isHeld, from.weight >= found.points]).toEqual([false, true]);
        expect(to).toMatchObject({ isHeld: false, isPaused: false, isDoubtful: false });
        expect([to?.restingWeight !== 0, found.from !== found.to]).toEqual([true, true]);
      }),
    );
  });
});

describe('isHealthy', () => {
  it.each([
    [{ isPaused: false, messages: 20, bad: 5 }, true],
    [{ isPaused: false, messages: 20, bad: 6 }, false],
    [{ isPaused: false, messages: 19, bad: 19 }, true],
    [{ isPaused: true, messages: 0, bad: 0 }, false],
  ])('is for %p %p', (one, expected) => {
    expect(isHealthy(one)).toBe(expected);
  });
});
