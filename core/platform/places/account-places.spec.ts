import { DomainError } from '../errors/domain-error.js';
import { AccountPlaces, type PlaceBounds } from './account-places.js';

class TestPlaces extends AccountPlaces {
  constructor(bounds: Partial<PlaceBounds> = {}) {
    super({
      runningMax: 8,
      runningPerAccountMax: 2,
      waitingPerAccountMax: 2,
      waitingMax: 3,
      waitMs: 50,
      ...bounds,
    });
  }

  protected tooMany(waiting: number): DomainError {
    return new DomainError('media_limit', String(waiting));
  }

  protected busy(): DomainError {
    return new DomainError('unavailable', 'busy');
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const many = (length: number, name: (n: number) => string) => Array.from({ length }, (_none, n) => name(n));

/** Enters for each name, and returns the names that have a place, in the order of their turns. */
function entering(places: AccountPlaces) {
  const order: string[] = [];
  const leaves = new Map<string, () => void>();
  return {
    order,
    enter: (names: readonly string[], hasPaid = true) => {
      for (const name of names)
        places.enter(name.charAt(0), hasPaid).then(
          (leave) => {
            order.push(name);
            leaves.set(name, leave);
          },
          () => undefined,
        );
      return settled();
    },
    leave: (name: string) => {
      leaves.get(name)?.();
      return settled();
    },
  };
}

describe('Places of accounts', () => {
  it('let an account have some, and keep the others for others', async () => {
    const places = new TestPlaces();
    await places.enter('a');
    const leave = await places.enter('a');
    const third = jest.fn();
    const waiting = places.enter('a').then(third);
    await places.enter('b');
    await settled();
    expect(third).not.toHaveBeenCalled();
    leave();
    await waiting;
    expect(third).toHaveBeenCalled();
  });

  it('are a quarter for one account, and fewer for each of many, so that one more finds a place', async () => {
    const places = new TestPlaces({
      runningMax: 40,
      runningPerAccountMax: 40,
      waitingPerAccountMax: 99,
      waitingMax: 999,
    });
    const { order, enter } = entering(places);
    await enter(many(40, (n) => `a${n}`));
    expect(order).toHaveLength(10);
    for (const name of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) await enter(many(40, (n) => `${name}${n}`));
    expect(order.filter((name) => name.startsWith('h')).length).toBeGreaterThan(0);
    expect(order.length).toBeLessThan(40);
    await enter(['z']);
    expect(order.at(-1)).toBe('z');
  });

  it('go to the account with the fewest, then to accounts in turns, whatever came first', async () => {
    const places = new TestPlaces({ runningMax: 3, runningPerAccountMax: 1, waitingMax: 9 });
    const { order, enter, leave } = entering(places);
    await enter(['a1', 'b1', 'c1', 'a2', 'a3', 'b2', 'd1', 'd2']);
    expect(order).toEqual(['a1', 'b1', 'c1']);
    await leave('a1');
    await leave('c1');
    expect(order.slice(3)).toEqual(['a2', 'd1']);
    await leave('a2');
    await leave('d1');
    expect(order.slice(5)).toEqual(['a3', 'd2']);
  });

  it('are few for accounts that have never paid, each and together', async () => {
    const unpaid = { runningMax: 2, runningPerAccountMax: 1, waitingPerAccountMax: 1, waitingMax: 2 };
    const places = new TestPlaces({ unpaid, waitingMax: 9 });
    const { order, enter } = entering(places);
    await enter(['a1', 'a2', 'b1', 'c1', 'd1', 'e1'], false);
    expect(order).toEqual(['a1', 'b1']);
    await expect(places.enter('a', false)).rejects.toMatchObject({ code: 'media_limit' });
    await expect(places.enter('f', false)).rejects.toMatchObject({ code: 'unavailable' });
    await enter(['f1', 'f2', 'g1']);
    expect(order.slice(2)).toEqual(['f1', 'g1']);
  });

  it('are refused to an account of which too many wait', async () => {
    const places = new TestPlaces();
    await Promise.all([places.enter('a'), places.enter('a')]);
    const waiting = [places.enter('a'), places.enter('a')].map((one) => one.catch((error: unknown) => error));
    await expect(places.enter('a')).rejects.toMatchObject({ code: 'media_limit', detail: '2' });
    await expect(Promise.all(waiting)).resolves.toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
  });

  it('are refused to all when too many of all wait, and after the longest wait', async () => {
    const places = new TestPlaces({ runningMax: 3 });
    await Promise.all([places.enter('a'), places.enter('b'), places.enter('c')]);
    const waiting = ['d', 'e', 'f'].map((name) => places.enter(name).catch((error: unknown) => error));
    await expect(places.enter('g')).rejects.toMatchObject({ code: 'unavailable' });
    for (const one of waiting) await expect(one).resolves.toMatchObject({ code: 'unavailable' });
    // Requests that gave up no longer wait.
    const again = places.enter('g').catch((error: unknown) => error);
    await expect(again).resolves.toMatchObject({ code: 'unavailable' });
  });
});
