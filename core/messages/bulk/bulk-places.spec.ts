import { DomainError } from '../../platform/errors/domain-error.js';
import { BulkPlaces } from './bulk-places.js';

const settled = () => new Promise(setImmediate);

describe('BulkPlaces', () => {
  const codeOf = async (entered: Promise<unknown>) =>
    entered.then(
      () => 'entered',
      (error: unknown) => (error instanceof DomainError ? error.code : error),
    );

  /** Asks for a place; `leave` is undefined while it waits. */
  function asking(places: BulkPlaces, accountId: string) {
    const place: { leave?: () => void } = {};
    places.enter(accountId).then(
      (leave) => (place.leave = leave),
      // A wait that is left to the end of the test.
      () => undefined,
    );
    return place;
  }

  it('lets one bulk of an account run and two wait, and refuses the fourth', async () => {
    const places = new BulkPlaces();
    const bulks = [0, 1, 2].map(() => asking(places, 'ada'));
    await settled();
    expect(bulks.map(({ leave }) => leave !== undefined)).toEqual([true, false, false]);
    expect(await codeOf(places.enter('ada'))).toBe('rate_limited');
    for (const next of [1, 2]) {
      bulks[next - 1]?.leave?.();
      await settled();
      expect(bulks[next]?.leave).toBeDefined();
    }
    bulks[2]?.leave?.();
    expect(await codeOf(places.enter('ada'))).toBe('entered');
  });

  it('runs the bulks of four accounts at a time; one account holds up no other', async () => {
    const places = new BulkPlaces();
    const first = ['a', 'a', 'a', 'b', 'c', 'd'].map((accountId) => asking(places, accountId));
    const fifth = asking(places, 'e');
    await settled();
    expect(first.map(({ leave }) => leave !== undefined)).toEqual([true, false, false, true, true, true]);
    expect(fifth.leave).toBeUndefined();
    first[3]?.leave?.();
    await settled();
    expect(fifth.leave).toBeDefined();
    expect(first[1]?.leave).toBeUndefined();
  });

  it('refuses further accounts when 200 bulks wait', async () => {
    const places = new BulkPlaces();
    for (let account = 0; account < 204; account += 1) asking(places, `account ${account}`);
    expect(await codeOf(places.enter('another'))).toBe('unavailable');
  });

  it('ends a wait of 30 seconds', async () => {
    jest.useFakeTimers();
    try {
      const places = new BulkPlaces();
      await places.enter('ada');
      const waiting = codeOf(places.enter('ada'));
      await jest.advanceTimersByTimeAsync(29_999);
      expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
      await jest.advanceTimersByTimeAsync(1);
      expect(await waiting).toBe('unavailable');
    } finally {
      jest.useRealTimers();
    }
  });
});
