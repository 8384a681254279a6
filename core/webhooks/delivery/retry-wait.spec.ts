import { testConfig } from '../../testing/test-config.js';
import { retryAfterSeconds, retryWaitSeconds } from './retry-wait.js';

const { retrySeconds } = testConfig().webhooks;

describe('the waits between attempts', () => {
  it('are those of Standard Webhooks: ten attempts over three days', () => {
    const waits = Array.from({ length: 10 }, (_, n) => retryWaitSeconds(retrySeconds, n + 1, { asked: 0, chance: 0 }));
    const hour = 3_600;
    expect(waits).toEqual([5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour, undefined]);
  });

  it('are longer by up to a tenth', () => {
    expect(retryWaitSeconds(retrySeconds, 2, { asked: undefined, chance: 0.5 })).toBeCloseTo(315);
    expect(retryWaitSeconds(retrySeconds, 2, { asked: undefined, chance: 1 })).toBeCloseTo(330);
  });

  it('are as long as the receiver asks, but not shorter for it, and not endless', () => {
    expect(retryWaitSeconds(retrySeconds, 1, { asked: 60, chance: 0 })).toBe(60);
    expect(retryWaitSeconds(retrySeconds, 2, { asked: 60, chance: 0 })).toBe(300);
    expect(retryWaitSeconds(retrySeconds, 10, { asked: 60, chance: 0 })).toBeUndefined();
  });
});

describe('retryAfterSeconds', () => {
  const now = new Date('2026-11-21T12:00:00Z');

  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['999999999', 86_400],
    ['Sat, 21 Nov 2126 12:01:00 GMT', 86_400],
    ['soon', undefined],
    ['-5', 0],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %p', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });
});
