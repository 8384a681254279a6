import MiniSearch, { type SearchResult } from 'minisearch';
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
export async function loadDocsIndex(): Promise<MiniSearch> {
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

/** The best sections for what was typed: tolerates typos, and completes words. */
export function findInDocs(index: MiniSearch, typed: string, max: number): readonly DocsResult[] {
  const found = index.search(typed, {
    prefix: true,
    fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    boost: { heading: 4, page: 2, code: 0.5 },
    combineWith: 'AND',
  });
  return found.slice(0, max) as DocsResult[];
}
