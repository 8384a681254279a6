import MiniSearch from 'minisearch';
import { findInDocs, type SearchFile } from '../site/docs-index.js';
import { searchIndex } from './search-index.js';

describe('the index of the documentation', () => {
  let search: (typed: string) => string[];

  beforeAll(() => {
    const { index, options } = JSON.parse(searchIndex()) as SearchFile;
    const loaded = MiniSearch.loadJS(index, options);
    search = (typed) => findInDocs(loaded, typed, 100).map(({ path }) => path);
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

  it.each([
    ['webhook', '/docs/webhooks'],
    ['webhooks', '/docs/webhooks'],
    ['errors', '/docs/errors'],
    ['bulk', '/docs/bulk'],
    ['delivery', '/docs/delivery-errors'],
  ])('finds the page that is called %s before sections and codes that have the word', (typed, path) => {
    expect(search(typed)[0]).toBe(path);
  });

  it('returns nothing for words that are nowhere', () => {
    expect(search('qqqqxyzzy')).toEqual([]);
  });
});
