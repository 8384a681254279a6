import { Snapshot } from './snapshot.js';

const MINUTE_MS = 60_000;

describe('Snapshot', () => {
  it('reads once for concurrent callers and while the result is fresh', async () => {
    let reads = 0;
    const snapshot = new Snapshot({
      read: async () => (reads += 1),
      freshMs: MINUTE_MS,
      patienceMs: MINUTE_MS,
    });
    const together = await Promise.all(Array.from({ length: 10 }, () => snapshot.get()));
    expect([...together, await snapshot.get()]).toEqual(Array.from({ length: 11 }, () => 1));
  });

  it('reads again when the result is stale', async () => {
    let reads = 0;
    const snapshot = new Snapshot({ read: async () => (reads += 1), freshMs: 0, patienceMs: MINUTE_MS });
    expect([await snapshot.get(), await snapshot.get()]).toEqual([1, 2]);
  });

  it('bounds the waiting time of callers and starts no second read while one hangs', async () => {
    let reads = 0;
    let answer: (value: string) => void = () => undefined;
    const read = () => {
      reads += 1;
      return new Promise<string>((resolve) => (answer = resolve));
    };
    const snapshot = new Snapshot({ read, freshMs: MINUTE_MS, patienceMs: 1 });
    await expect(snapshot.get()).rejects.toThrow('No answer within 1 ms');
    await expect(snapshot.get()).rejects.toThrow('No answer within 1 ms');
    answer('late');
    await new Promise(setImmediate);
    expect([await snapshot.get(), reads]).toEqual(['late', 1]);
  });

  it('does not cache a failure', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads === 1) throw new Error('unavailable');
      return 'back';
    };
    const snapshot = new Snapshot({ read, freshMs: MINUTE_MS, patienceMs: MINUTE_MS });
    await expect(snapshot.get()).rejects.toThrow('unavailable');
    expect(await snapshot.get()).toBe('back');
  });
});
