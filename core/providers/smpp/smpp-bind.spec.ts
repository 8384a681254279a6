import { type LaneLimits, NoPlaceError, SubmitLane, writtenAddress } from './smpp-bind.js';

describe('SubmitLane', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const lane = (limits: Partial<LaneLimits> = {}) =>
    new SubmitLane({ window: 10, perSecond: undefined, perSenderPerSecond: undefined, ...limits });
  const usual = { isBegun: false, withinMs: 60_000 };
  const begun = { isBegun: true, withinMs: 0 };

  /** Names that got a place, in order, and the function that frees each place. */
  function queue(of: SubmitLane) {
    const got: string[] = [];
    const frees: (() => void)[] = [];
    const turned: [string, number][] = [];
    const take = (name: string, sender = 'a', options = usual) =>
      void of.take(sender, options).then(
        (free) => {
          got.push(name);
          frees.push(free);
        },
        (error: unknown) => error instanceof NoPlaceError && turned.push([name, error.retryAfterMs]),
      );
    return { got, frees, turned, take };
  }

  it('lets no more through than the window has room for', async () => {
    const { got, frees, take } = queue(lane({ window: 2 }));
    for (const name of ['1', '2', '3', '4']) take(name);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(got).toEqual(['1', '2']);
    frees[0]?.();
    frees[0]?.();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(got).toEqual(['1', '2', '3']);
  });

  it.each([1, 7, 50, 120, 1_500])('exceeds a rate of %i in no second, and comes near it', async (perSecond) => {
    const of = lane({ perSecond, window: 10_000 });
    const times: number[] = [];
    const start = performance.now();
    const one = async () => {
      const free = await of.take('a', usual);
      times.push(performance.now() - start);
      free();
      void one();
    };
    for (let index = 0; index < 20; index++) void one();
    await jest.advanceTimersByTimeAsync(5_000);
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
    expect(most).toBeLessThanOrEqual(perSecond);
    expect(times.length).toBeGreaterThanOrEqual(perSecond * 5 * 0.9);
  });

  it('lets others pass while a sender waits for its own rate', async () => {
    const { got, take } = queue(lane({ perSenderPerSecond: 1 }));
    for (const name of ['a1', 'a2', 'a3', 'b1']) take(name, name[0]);
    await jest.advanceTimersByTimeAsync(10);
    expect(got).toEqual(['a1', 'b1']);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(got).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('turns away during a pause, each to come back after the one before it', async () => {
    const of = lane({ window: 1 });
    const { got, frees, turned, take } = queue(of);
    for (const name of ['1', '2', '3']) take(name);
    await jest.advanceTimersByTimeAsync(1);
    of.pause(60_000);
    take('4');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(turned.map(([name]) => name).sort()).toEqual(['2', '3', '4']);
    expect(turned.every(([, retryMs]) => retryMs > 60_000)).toBe(true);
    expect(new Map(turned).get('3')).toBeGreaterThan(new Map(turned).get('2') ?? 0);
    frees[0]?.();
    await jest.advanceTimersByTimeAsync(60_000);
    take('5');
    await jest.advanceTimersByTimeAsync(1);
    expect(got).toEqual(['1', '5']);
  });

  it('keeps a segment of a message that is begun through a pause, before all others', async () => {
    const of = lane({ window: 1 });
    const { got, frees, take } = queue(of);
    take('1');
    await jest.advanceTimersByTimeAsync(1);
    of.pause(60_000);
    take('2', 'a', begun);
    take('3', 'a', begun);
    frees[0]?.();
    await jest.advanceTimersByTimeAsync(59_990);
    expect(got).toEqual(['1']);
    await jest.advanceTimersByTimeAsync(20);
    take('4');
    frees[1]?.();
    frees[2]?.();
    await jest.advanceTimersByTimeAsync(1);
    expect(got.slice(0, 3)).toEqual(['1', '2', '3']);
  });

  it('gives up after the time for a place, and turns away what is too much at once', async () => {
    const { turned, take } = queue(lane({ window: 1 }));
    take('1');
    for (let index = 0; index < 1_001; index++) take(`w${index}`, 'a', { isBegun: false, withinMs: 5_000 });
    await jest.advanceTimersByTimeAsync(1);
    expect(turned.map(([name]) => name)).toEqual(['w1000']);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(turned).toHaveLength(1_001);
  });

  it('turns away all who wait when the bind ends', async () => {
    const of = lane({ window: 1 });
    const { turned, take } = queue(of);
    take('1');
    take('2');
    take('3', 'a', begun);
    of.clear();
    await jest.advanceTimersByTimeAsync(1);
    expect(turned.map(([name]) => name).sort()).toEqual(['2', '3']);
  });
});

describe('writtenAddress', () => {
  const usual = { ton: 1, npi: 1 };
  it.each([
    ['+14155552671', usual, { ton: 1, npi: 1, address: '14155552671' }],
    ['+14155552671', { ton: 2, npi: 8 }, { ton: 2, npi: 8, address: '14155552671' }],
    ['40404', usual, { ton: 3, npi: 0, address: '40404' }],
    ['40404', { ton: 0, npi: 1 }, { ton: 0, npi: 1, address: '40404' }],
    ['ACME', usual, { ton: 5, npi: 0, address: 'ACME' }],
    ['Acme 24', { ton: 0, npi: 0 }, { ton: 5, npi: 0, address: 'Acme 24' }],
  ])('writes %s to a peer of %j', (address, settings, written) => {
    expect(writtenAddress(address, settings)).toEqual(written);
  });
});
