import { Lanes } from './lanes.js';

const CALLS_MAX = 16;

describe('lanes', () => {
  const enter = (lanes: Lanes, times: number) => Array.from({ length: times }, () => lanes.enter('a').kind);
  const fail = (lanes: Lanes, times: number) => {
    for (let call = 0; call < times; call += 1) {
      lanes.enter('a');
      lanes.leave('a', { isAnswered: false, durationMs: 10_000 });
    }
  };

  it('let a few calls of an account go at the same time, whatever others do', () => {
    const lanes = new Lanes();
    expect(new Set(enter(lanes, CALLS_MAX))).toEqual(new Set(['free']));
    expect(lanes.enter('a')).toMatchObject({ kind: 'full' });
    expect(lanes.enter('b')).toEqual({ kind: 'free' });
    lanes.leave('a', { isAnswered: true, durationMs: 5 });
    expect(lanes.enter('a')).toEqual({ kind: 'free' });
  });

  it('have what is put aside wait about as long as those before it need, within bounds', () => {
    const lanes = new Lanes();
    lanes.enter('a');
    lanes.leave('a', { isAnswered: false, durationMs: 1_600 });
    enter(lanes, CALLS_MAX);
    const waits = Array.from({ length: 1_000 }, () => lanes.enter('a')).map((entry) =>
      entry.kind === 'full' ? entry.waitMs : NaN,
    );
    expect(waits.slice(0, 3)).toEqual([1_100, 1_200, 1_300]);
    expect(Math.max(...waits)).toBe(60_000);
  });

  it('give a receiver that is down two calls at a time, until it answers', () => {
    const lanes = new Lanes();
    fail(lanes, 3);
    expect(enter(lanes, 3)).toEqual(['free', 'free', 'full']);
    expect(lanes.leave('a', { isAnswered: true, durationMs: 5 })).toBe(true);
    expect(enter(lanes, CALLS_MAX)).toContain('free');
  });

  it('say once that a receiver answers again, and not of one that was not down', () => {
    const lanes = new Lanes();
    fail(lanes, 2);
    lanes.enter('a');
    expect(lanes.leave('a', { isAnswered: true, durationMs: 5 })).toBe(false);
    fail(lanes, 3);
    lanes.enter('a');
    lanes.enter('a');
    expect(lanes.leave('a', { isAnswered: true, durationMs: 5 })).toBe(true);
    expect(lanes.leave('a', { isAnswered: true, durationMs: 5 })).toBe(false);
  });

  it('count nothing for a place that was taken and not used', () => {
    const lanes = new Lanes();
    fail(lanes, 2);
    lanes.enter('a');
    lanes.leave('a', undefined);
    expect(enter(lanes, 3)).toEqual(['free', 'free', 'free']);
  });

  it('remember no more than ten thousand accounts, and those with calls under way for sure', () => {
    const lanes = new Lanes();
    enter(lanes, CALLS_MAX);
    for (let other = 0; other < 20_000; other += 1) {
      lanes.enter(`other ${other}`);
      lanes.leave(`other ${other}`, { isAnswered: false, durationMs: 1 });
    }
    expect(lanes.enter('a')).toMatchObject({ kind: 'full' });
  });
});
