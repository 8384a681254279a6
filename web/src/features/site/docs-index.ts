import MiniSearch, { type SearchResult } from 'minisearch';
import { useCallback, useEffect, useState } from 'react';
import { paths } from '../../paths.js';

/** What the browser loads on the first search. */
export interface SearchFile {
  readonly options: { readonly fields: string[]; readonly storeFields: string[] };
  readonly index: ReturnType<MiniSearch['toJSON']>;
}

/** A section of the documentation. */
export type DocsResult = SearchResult & Record<'path' | 'page' | 'heading' | 'text', string>;

let loaded: Promise<MiniSearch> | undefined;

/** Loads the index that was built with the pages, once; after a failure, again. */
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
  /** Undefined until it is loaded. */
  readonly index: MiniSearch | undefined;
  readonly hasFailed: boolean;
  /** Loads it again after a failure. */
  readonly load: () => void;
}

/**
 * The index, loaded when the component appears, and after a failure as soon as there is a
 * connection again.
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
 * Of a pasted text the beginning is searched for: the search for typos takes memory with the square
 * of a word's length.
 */
const TYPED_CHARACTERS_MAX = 100;

/** The best sections for what was typed: tolerates typos, and completes words. */
export function findInDocs(index: MiniSearch, typed: string, max: number): readonly DocsResult[] {
  const found = index.search(typed.slice(0, TYPED_CHARACTERS_MAX), {
    prefix: true,
    fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    boost: { heading: 4, keywords: 16, page: 2, code: 0.5 },
    combineWith: 'AND',
  });
  return found.slice(0, max) as DocsResult[];
}
