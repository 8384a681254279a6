import { MediaBook } from './media.js';

const file = (bytes: number) => ({ type: 'image/png', bytes: Buffer.alloc(bytes) });

describe('MediaBook', () => {
  it('keeps files until the product deletes them, and counts those', () => {
    const book = new MediaBook();
    const { sid, type } = book.add('MM1', { type: 'image/gif', bytes: Buffer.from('GIF') });
    expect([sid, type]).toEqual([expect.stringMatching(/^ME[0-9a-f]{32}$/), 'image/gif']);
    expect(book.get(sid)).toEqual({ messageSid: 'MM1', type: 'image/gif', bytes: Buffer.from('GIF') });
    expect([book.delete(sid), book.delete(sid), book.deletedCount, book.count]).toEqual([true, false, 1, 0]);
    expect(book.get(sid)).toBeUndefined();
  });

  it('drops the oldest files above its bound', () => {
    const book = new MediaBook(100);
    const [first, second, third] = [book.add('MM1', file(40)), book.add('MM1', file(60)), book.add('MM2', file(50))];
    expect([first, second, third].map(({ sid }) => book.get(sid)?.bytes.length)).toEqual([undefined, undefined, 50]);
    expect([book.count, book.deletedCount]).toEqual([1, 0]);
    book.clear();
    expect(book.count).toBe(0);
    const kept = book.add('MM3', file(100));
    expect(book.get(kept.sid)?.bytes.length).toBe(100);
  });
});
