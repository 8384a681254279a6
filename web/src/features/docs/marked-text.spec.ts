import MiniSearch from 'minisearch';
import { type DocsResult, findInDocs, type SearchFile } from '../site/docs-index.js';
import { excerptOf, markedPieces } from './marked-text.js';
import { searchIndex } from './search-index.js';

const { index: file, options } = JSON.parse(searchIndex()) as SearchFile;
const index = MiniSearch.loadJS(file, options);
const terms = file.index.map(([term]) => term);
const RESULTS_MAX = 20;

/**
 * Searches for a typed text as the page does: marks the heading, and cuts and marks the excerpt.
 */
function shown(typed: string): readonly DocsResult[] {
  const results = findInDocs(index, typed, RESULTS_MAX);
  for (const result of results)
    for (const text of [result.heading, excerptOf(result)])
      expect(
        markedPieces(text, result.terms)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
  return results;
}

const markedIn = (text: string, found: readonly string[]) =>
  markedPieces(text, found).flatMap((piece) => (piece.isFound ? [piece.text] : []));

describe('the search of the documentation', () => {
  it('shows a result for every term of the index', () => {
    expect(terms.length).toBeGreaterThan(1_000);
    expect(terms.filter((term) => shown(term).length === 0)).toEqual([]);
  }, 60_000);

  it('marks every term where it stands in a heading or a text', () => {
    const sections = Object.values(file.storedFields) as Pick<DocsResult, 'heading' | 'text'>[];
    const words = new Set(
      sections.flatMap(({ heading, text }) => markedIn(`${heading} ${text}`, terms).map((word) => word.toLowerCase())),
    );
    // The other terms are in code and page titles only.
    expect(terms.filter((term) => words.has(term)).length).toBeGreaterThan(terms.length / 2);
    expect(markedIn('Retry: `status=canceled`, <br> and a+b', ['`status=canceled`', '<br>', 'a+b'])).toEqual([
      '`status=canceled`',
      '<br>',
      'a+b',
    ]);
  });

  it('survives every character, alone, before and after a word', () => {
    const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
    for (const character of [...characters, '\u200b', '\u2028', '\uD800', '😀'])
      for (const typed of [character, `${character}send`, `send ${character}`]) shown(typed);
  }, 60_000);

  it.each([
    'send',
    'sms',
    'otp',
    'message',
    'webhook',
    'api',
    'error',
    'status',
    'delivery',
    'test key',
    'daily limit',
    'message_too_long',
    'opt out',
    'mcp',
    'idempotency',
    'status=canceled',
    'curl -d',
    '<br>',
    '`to`',
    '\\d+',
    '(?<!a)',
    '[a-z',
    'constructor',
    '__proto__',
  ])('survives every letter of %s while it is typed', (query) => {
    for (let length = 1; length <= query.length; length += 1) shown(query.slice(0, length));
  });

  it('searches for the beginning of a text of any length', () => {
    expect(shown('idempotency '.repeat(8) + 'q'.repeat(200_000))).toEqual([]);
    expect(shown('s'.repeat(1_000_000))).toEqual([]);
  });

  it('starts an excerpt before the first word that was found', () => {
    const text = `${'word '.repeat(50)}needle ${'more '.repeat(50)}`;
    const excerpt = excerptOf({ text, terms: ['needle'] });
    expect(excerpt).toMatch(/^… (word )+needle (more )+/);
    expect(excerpt).toMatch(/…$/);
    expect(excerptOf({ text: 'Needle, at once', terms: ['needle'] })).toBe('Needle, at once');
    expect(excerptOf({ text: 'Only in code', terms: ['needle'] })).toBe('Only in code');
  });
});
