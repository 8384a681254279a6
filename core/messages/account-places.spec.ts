import { DomainError } from '../platform/errors/domain-error.js';
import { AccountPlaces } from './account-places.js';

class TestPlaces extends AccountPlaces {
  constructor(waitMs = 50) {
    super({ runningMax: 3, runningPerAccountMax: 2, waitingPerAccountMax: 2, waitingMax: 3, waitMs });
  }

  protected tooMany(waiting: number): DomainError {
    return new DomainError('media_limit', String(waiting));
  }

  protected busy(): DomainError {
    return new DomainError('unavailable', 'busy');
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

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

  it('are taken in the order of arrival, passing over an account that has its share', async () => {
    const places = new TestPlaces(1_000);
    const [first] = [await places.enter('a'), await places.enter('a')];
    const leaveB = await places.enter('b');
    const order: string[] = [];
    const wait = (name: string) => places.enter(name).then((leave) => (order.push(name), leave));
    const [ofA, ofC] = [wait('a'), wait('c')];
    leaveB();
    await ofC;
    expect(order).toEqual(['c']);
    first();
    await ofA;
    expect(order).toEqual(['c', 'a']);
  });

  it('are refused to an account of which too many wait', async () => {
    const places = new TestPlaces();
    await Promise.all([places.enter('a'), places.enter('a')]);
    const waiting = [places.enter('a'), places.enter('a')].map((one) => one.catch((error: unknown) => error));
    await expect(places.enter('a')).rejects.toMatchObject({ code: 'media_limit', detail: '2' });
    await expect(Promise.all(waiting)).resolves.toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
  });

  it('are refused to all when too many of all wait, and after the longest wait', async () => {
    const places = new TestPlaces();
    await Promise.all([places.enter('a'), places.enter('b'), places.enter('c')]);
    const waiting = ['d', 'e', 'f'].map((name) => places.enter(name).catch((error: unknown) => error));
    await expect(places.enter('g')).rejects.toMatchObject({ code: 'unavailable' });
    for (const one of waiting) await expect(one).resolves.toMatchObject({ code: 'unavailable' });
    // Those that have given up wait no more.
    const again = places.enter('g').catch((error: unknown) => error);
    await expect(again).resolves.toMatchObject({ code: 'unavailable' });
  });
});
