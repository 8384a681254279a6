import { CachedRead } from './cached-read.js';

const MINUTE_MS = 60_000;

describe('CachedRead', () => {
  it('reads once for concurrent callers and while the result is fresh', async () => {
    let reads = 0;
    const remembered = new CachedRead({
      read: async () => (reads += 1),
      freshMs: MINUTE_MS,
      patienceMs: MINUTE_MS,
    });
    const together = await Promise.all(Array.from({ length: 10 }, () => remembered.get()));
    expect([...together, await remembered.get()]).toEqual(Array.from({ length: 11 }, () => 1));
  });

  it('reads again when the result is stale', async () => {
    let reads = 0;
    const remembered = new CachedRead({ read: async () => (reads += 1), freshMs: 0, patienceMs: MINUTE_MS });
    expect([await remembered.get(), await remembered.get()]).toEqual([1, 2]);
  });

  it('bounds the waiting time of callers and starts no second read while one hangs', async () => {
    let reads = 0;
    let answer: (value: string) => void = () => undefined;
    const read = () => {
      reads += 1;
      return new Promise<string>((resolve) => (answer = resolve));
    };
    const remembered = new CachedRead({ read, freshMs: MINUTE_MS, patienceMs: 1 });
    await expect(remembered.get()).rejects.toThrow('No answer within 1 ms');
    await expect(remembered.get()).rejects.toThrow('No answer within 1 ms');
    answer('late');
    await new Promise(setImmediate);
    expect([await remembered.get(), reads]).toEqual(['late', 1]);
  });

  it('does not cache a failure', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads === 1) throw new Error('away');
      return 'back';
    };
    const remembered = new CachedRead({ read, freshMs: MINUTE_MS, patienceMs: MINUTE_MS });
    await expect(remembered.get()).rejects.toThrow('away');
    expect(await remembered.get()).toBe('back');
  });
});
