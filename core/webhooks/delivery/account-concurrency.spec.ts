import { AccountConcurrency } from './account-concurrency.js';

const CALLS_MAX = 16;

describe('AccountConcurrency', () => {
  const enter = (concurrency: AccountConcurrency, times: number) =>
    Array.from({ length: times }, () => concurrency.enter('a').kind);
  const fail = (concurrency: AccountConcurrency, times: number) => {
    for (let call = 0; call < times; call += 1) {
      concurrency.enter('a');
      concurrency.leave('a', { isAnswered: false, durationMs: 10_000 });
    }
  };

  it('limits the concurrent calls of each account separately', () => {
    const concurrency = new AccountConcurrency();
    expect(new Set(enter(concurrency, CALLS_MAX))).toEqual(new Set(['free']));
    expect(concurrency.enter('a')).toMatchObject({ kind: 'full' });
    expect(concurrency.enter('b')).toEqual({ kind: 'free' });
    concurrency.leave('a', { isAnswered: true, durationMs: 5 });
    expect(concurrency.enter('a')).toEqual({ kind: 'free' });
  });

  it('postpones a delivery for about as long as those before it need, within bounds', () => {
    const concurrency = new AccountConcurrency();
    concurrency.enter('a');
    concurrency.leave('a', { isAnswered: false, durationMs: 1_600 });
    enter(concurrency, CALLS_MAX);
    const waits = Array.from({ length: 1_000 }, () => concurrency.enter('a')).map((entry) =>
      entry.kind === 'full' ? entry.waitMs : NaN,
    );
    expect(waits.slice(0, 3)).toEqual([1_100, 1_200, 1_300]);
    expect(Math.max(...waits)).toBe(60_000);
  });

  it('allows a receiver that is down two calls at a time until it answers', () => {
    const concurrency = new AccountConcurrency();
    fail(concurrency, 3);
    expect(enter(concurrency, 3)).toEqual(['free', 'free', 'full']);
    expect(concurrency.leave('a', { isAnswered: true, durationMs: 5 })).toBe(true);
    expect(enter(concurrency, CALLS_MAX)).toContain('free');
  });

  it('reports once that a receiver which was down answers again', () => {
    const concurrency = new AccountConcurrency();
    fail(concurrency, 2);
    concurrency.enter('a');
    expect(concurrency.leave('a', { isAnswered: true, durationMs: 5 })).toBe(false);
    fail(concurrency, 3);
    concurrency.enter('a');
    concurrency.enter('a');
    expect(concurrency.leave('a', { isAnswered: true, durationMs: 5 })).toBe(true);
    expect(concurrency.leave('a', { isAnswered: true, durationMs: 5 })).toBe(false);
  });

  it('does not count a slot without a call as a failure', () => {
    const concurrency = new AccountConcurrency();
    fail(concurrency, 2);
    concurrency.enter('a');
    concurrency.leave('a', undefined);
    expect(enter(concurrency, 3)).toEqual(['free', 'free', 'free']);
  });

  it('keeps at most ten thousand accounts, and every account with calls in flight', () => {
    const concurrency = new AccountConcurrency();
    enter(concurrency, CALLS_MAX);
    for (let other = 0; other < 20_000; other += 1) {
      concurrency.enter(`other ${other}`);
      concurrency.leave(`other ${other}`, { isAnswered: false, durationMs: 1 });
    }
    expect(concurrency.enter('a')).toMatchObject({ kind: 'full' });
  });
});
