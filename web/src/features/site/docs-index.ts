import MiniSearch, { type SearchResult } from 'minisearch';
import { useCallback, useEffect, useState } from 'react';
import { paths } from '../../paths.js';

/** File that the browser loads on the first search. */
export interface SearchFile {
  readonly options: { readonly fields: string[]; readonly storeFields: string[] };
  readonly index: ReturnType<MiniSearch['toJSON']>;
}

/** A section of the documentation. */
export type DocsResult = SearchResult & Record<'path' | 'page' | 'heading' | 'text', string>;

let loaded: Promise<MiniSearch> | undefined;

/** Loads the built index once; loads it again after a failure. */
async function loadDocsIndex(): Promise<MiniSearch> {
  loaded ??= fetchIndex();
  try {
    return await loaded;
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}

async function fetchIndex(): Promise<MiniSearch> {
  const response = await fetch(paths.docsSearch);
  if (!response.ok) throw new Error(`${paths.docsSearch}: HTTP ${response.status}`);
  const { options, index } = (await response.json()) as SearchFile;
  return MiniSearch.loadJS(index, options);
}

interface DocsIndex {
  /** Undefined until the index is loaded. */
  readonly index: MiniSearch | undefined;
  readonly hasFailed: boolean;
  /** Loads the index again after a failure. */
  readonly load: () => void;
}

/**
 * The index, loaded when the component appears, and after a failure on reconnection.
 */
export function useDocsIndex(): DocsIndex {
  const [index, setIndex] = useState<MiniSearch>();
  const [hasFailed, setFailed] = useState(false);
  const load = useCallback(() => {
    loadDocsIndex().then(
      (value) => {
        setIndex(value);
        setFailed(false);
      },
      () => setFailed(true),
    );
  }, []);
  useEffect(load, [load]);
  useEffect(() => {
    if (!hasFailed) return undefined;
    addEventListener('online', load);
    return () => removeEventListener('online', load);
  }, [hasFailed, load]);
  return { index, hasFailed, load };
}

/**
 * Only the beginning of a pasted text is searched for: the memory of a search for typos grows with
 * the square of a word's length.
 */
const TYPED_CHARACTERS_MAX = 100;

/**
 * Finds the best sections for the typed text: tolerates typos, and completes words. Guides with a
 * matching title come first, then pages of single calls, then sections, fields and codes.
 */
export function findInDocs(index: MiniSearch, typed: string, max: number): readonly DocsResult[] {
  const asked = typed.slice(0, TYPED_CHARACTERS_MAX);
  const found = index.search(asked, {
    prefix: true,
    fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    boost: { heading: 4, keywords: 16, page: 2, code: 0.5 },
    combineWith: 'AND',
  }) as DocsResult[];
  const words = wordsOf(asked);
  // The sort is stable: results of one rank keep the order of the search.
  return found.toSorted((one, other) => rankOf(one, words) - rankOf(other, words)).slice(0, max);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The rank of a result, 0 for the best; a page ranks by its title. */
function rankOf({ path, heading, match }: DocsResult, words: readonly string[]): number {
  const OTHER = 4;
  if (path.includes('#')) return OTHER;
  const title = wordsOf(heading);
  const isKeyword = Object.values(match).some((fields) => fields.includes('keywords'));
  const isTitled = isKeyword || words.every((word) => title.some((one) => one.startsWith(word)));
  if (!isTitled) return OTHER;
  const isCall = path.startsWith(`${paths.apiReference}/`);
  const begins = isKeyword || title[0]?.startsWith(words[0] ?? '') === true;
  return (isCall ? 2 : 0) + (begins ? 0 : 1);
}
