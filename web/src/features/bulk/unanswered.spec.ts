import { contentName, UnansweredBulks } from './unanswered.js';

const HOUR_MS = 3_600_000;
const bulk = (at: number) => ({
  idempotencyKey: `key-${at}`,
  at,
  encoding: 'smart' as const,
  sendAt: '2026-03-05T13:30:00.000Z',
  media: ['ME1'],
  asLinks: true,
  credits: 2,
  balance: 3,
  rejected: [{ index: 1, code: 'invalid_number', detail: 'Not a number' }],
});

/** Storage of a browser tab, which survives a reload. */
function storage(limit = Infinity) {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > limit) throw new DOMException('Full', 'QuotaExceededError');
      items.set(name, value);
    },
  };
}

describe('UnansweredBulks', () => {
  it('are known after a reload, until their answer arrives', () => {
    const tab = storage();
    new UnansweredBulks(tab).keep('a', bulk(1));
    const reloaded = new UnansweredBulks(tab);
    expect(reloaded.find('a', 2)).toEqual(bulk(1));
    expect(reloaded.latest(2)).toEqual(bulk(1));
    expect(reloaded.find('b', 2)).toBeUndefined();
    reloaded.forget('a');
    expect(new UnansweredBulks(tab).find('a', 2)).toBeUndefined();
    expect(new UnansweredBulks(tab).latest(2)).toBeUndefined();
  });

  it('end with the memory of the server for their keys', () => {
    const bulks = new UnansweredBulks(storage());
    bulks.keep('a', bulk(0));
    expect(bulks.find('a', 24 * HOUR_MS - 1)).toEqual(bulk(0));
    expect(bulks.find('a', 24 * HOUR_MS)).toBeUndefined();
    expect(bulks.latest(24 * HOUR_MS)).toBeUndefined();
  });

  it('are five at most, the latest ones', () => {
    const bulks = new UnansweredBulks(storage());
    for (let at = 1; at <= 7; at += 1) bulks.keep(String(at), bulk(at));
    expect([1, 2, 3, 4, 5, 6, 7].filter((at) => bulks.find(String(at), 8))).toEqual([3, 4, 5, 6, 7]);
    expect(bulks.latest(8)).toEqual(bulk(7));
  });

  it.each([
    ['no storage', undefined],
    ['a full one', storage(0)],
  ])('are known on the page with %s', (_title, tab) => {
    const bulks = new UnansweredBulks(tab);
    bulks.keep('a', bulk(1));
    expect(bulks.find('a', 2)).toEqual(bulk(1));
  });

  it.each(['{', '[]', '{"a":{"at":1}}'])('start empty from the unreadable text %s', (text) => {
    const tab = storage();
    tab.items.set('unanswered-bulks', text);
    expect(new UnansweredBulks(tab).latest(2)).toBeUndefined();
  });
});

describe('contentName', () => {
  it('is the same for the same content only', () => {
    expect(contentName(['Hi', [{ to: '1' }]])).toBe(contentName(['Hi', [{ to: '1' }]]));
    expect(contentName(['Hi', [{ to: '1' }]])).toMatch(/^[0-9a-f]{16}$/);
    expect(contentName(['Hi', [{ to: '1' }]])).not.toBe(contentName(['Hi', [{ to: '2' }]]));
  });
});
