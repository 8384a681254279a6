import { retryDelayMs } from '../../platform/durable-work/durable-work.js';
import { testConfig } from '../../testing/test-config.js';
import { retryAfterSeconds, retrySchedule } from './record-attempt.js';

describe('retrySchedule', () => {
  const schedule = retrySchedule(testConfig().webhooks.retrySeconds);
  const hour = 3_600;

  it('follows Standard Webhooks by default: ten attempts over three days', () => {
    const waits = Array.from({ length: 10 }, (_, n) => retryDelayMs(schedule, n + 1, { chance: 0 }));
    const seconds = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
    expect(waits).toEqual([...seconds.map((wait) => wait * 1_000), undefined]);
  });

  it('adds up to a tenth of jitter', () => {
    expect(retryDelayMs(schedule, 2, { chance: 0.5 })).toBe(315_000);
    expect(retryDelayMs(schedule, 2, { chance: 1 })).toBe(330_000);
  });

  it('waits as long as the receiver asks, never less than the schedule, and not after its end', () => {
    expect(retryDelayMs(schedule, 1, { atLeastMs: 60_000, chance: 0 })).toBe(60_000);
    expect(retryDelayMs(schedule, 2, { atLeastMs: 60_000, chance: 0 })).toBe(300_000);
    expect(retryDelayMs(schedule, 10, { atLeastMs: 60_000, chance: 0 })).toBeUndefined();
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
  ])('parses %j as %p', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });
});
