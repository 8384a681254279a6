import { AccountChanges } from './live-updates.js';

const none = { sent: [], received: [], many: false };
const ids = (count: number) => Array.from({ length: count }, (_, n) => `id ${n}`);

describe('AccountChanges', () => {
  it('collects changes, each row once, and is empty after take', () => {
    const changes = new AccountChanges();
    expect(changes.take(0)).toBeUndefined();
    changes.add({ ...none, sent: ['a', 'b'] });
    changes.add({ ...none, sent: ['b', 'c'], received: ['x'] });
    expect(changes.take(0)).toEqual({ sent: ['a', 'b', 'c'], received: ['x'], many: false });
    expect(changes.take(1)).toBeUndefined();
    expect(changes.isWaiting).toBe(false);
  });

  it('reports once that what needs attention may have changed', () => {
    const changes = new AccountChanges();
    changes.add({ ...none, notifications: true });
    changes.add({ ...none, sent: ['a'] });
    expect(changes.take(0)).toEqual({ ...none, sent: ['a'], notifications: true });
    changes.add(none);
    expect(changes.take(1)).toEqual(none);
  });

  it('returns `many` instead of more than 200 rows', () => {
    const changes = new AccountChanges();
    changes.add({ ...none, sent: ids(150), received: ids(50) });
    expect(changes.take(0)).toMatchObject({ many: false });
    changes.add({ ...none, sent: ids(201) });
    expect(changes.take(0)).toEqual({ ...none, many: true });
  });

  it('returns `many` once a second, including the last one', () => {
    const changes = new AccountChanges();
    const flood = () => changes.add({ ...none, sent: ids(201) });
    flood();
    expect(changes.take(0)?.many).toBe(true);
    flood();
    // The balance is sent at once.
    expect(changes.take(150)).toEqual(none);
    expect(changes.isWaiting).toBe(true);
    expect(changes.take(999)).toBeUndefined();
    expect(changes.take(1_000)?.many).toBe(true);
    expect(changes.take(5_000)).toBeUndefined();
  });

  it('drops rows when the page will reload its view', () => {
    const changes = new AccountChanges();
    changes.add({ ...none, many: true });
    changes.add({ ...none, sent: ['a'] });
    expect(changes.take(0)).toEqual({ ...none, many: true });
  });
});
