import MiniSearch from 'minisearch';
import type { SearchFile } from '../site/docs-index.js';
import { searchIndex } from './search-index.js';

describe('the index of the documentation', () => {
  let search: (typed: string) => string[];

  beforeAll(() => {
    const { index, options } = JSON.parse(searchIndex()) as SearchFile;
    const loaded = MiniSearch.loadJS(index, options);
    search = (typed) =>
      loaded
        .search(typed, {
          prefix: true,
          fuzzy: 0.2,
          combineWith: 'AND',
          boost: { heading: 4, keywords: 16, page: 2, code: 0.5 },
        })
        .map(({ path }) => String(path));
  });

  it.each([
    ['an error code', 'recipient_opted_out', '/docs/errors#recipient_opted_out'],
    ['a field', 'max_credits', '/docs/prices#a-highest-price'],
    ['the beginning of a word', 'idempot', '/docs/retrying'],
    ['a word with a typo', 'segmnts', '/docs/send-sms#segments'],
    ['a call of the reference', 'verify a one-time', '/docs/api/verify-otp'],
    ['a word that stands for another', 'photo', '/docs/media'],
    ['another one', 'attachment', '/docs/media'],
    ['a short form', 'image', '/docs/media'],
    ['a question', 'free trial', '/faq'],
    ['a country', 'Germany', '/regions'],
    ['a country that the operator may open', 'Japan', '/regions'],
  ])('finds %s', (_what, typed, path) => {
    expect(search(typed)).toContain(path);
  });

  it.each(['media', 'pictures', 'MMS'])('finds the page of pictures first for %s', (typed) => {
    expect(search(typed)[0]).toBe('/docs/media');
  });

  it.each(['number', 'numbers', 'toll-free', 'tollfree', 'from', 'sender', 'pool', 'buy a number'])(
    'finds the guide to numbers before the calls for %s',
    (typed) => {
      expect(search(typed)[0]).toBe('/docs/numbers');
    },
  );

  it('returns nothing for words that are nowhere', () => {
    expect(search('qqqqxyzzy')).toEqual([]);
  });
});
