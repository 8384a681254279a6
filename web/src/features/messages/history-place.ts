import type { HistoryFilters } from './history-filters.js';

/** Place of a reader in a history; each move makes a new place, which is read again. */
export type Place = {
  /** Number of moves. */
  readonly turn: number;
  readonly filters: HistoryFilters;
  readonly page: number;
} & (Open | Bounded);

/** Place among all rows, also rows that arrive later. */
interface Open {
  readonly kind: 'open';
}

/**
 * `held`: a page of the rows that existed when paging started. `further`: the search has moved on
 * to older rows.
 */
interface Bounded {
  readonly kind: 'held' | 'further';
  /** Upper bound of the rows: the newest row when paging started, or where a search continues. */
  readonly below: number | undefined;
  /** Rows above this are new. */
  readonly top: number | undefined;
}

/** `anchor` is the newest row of the shown answer, if any. */
export type Move =
  | { readonly kind: 'filter'; readonly filters: HistoryFilters; readonly page: number }
  | { readonly kind: 'show-newest' }
  | { readonly kind: 'turn'; readonly page: number; readonly anchor: number | undefined }
  | { readonly kind: 'search-further'; readonly below: number | undefined; readonly anchor: number | undefined };

/** Whether the filters choose among the rows. */
export function isFiltered({ order: _order, ...filters }: HistoryFilters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** Whether all rows are shown newest first, so that new rows belong on the first page. */
export function isPlain(filters: HistoryFilters): boolean {
  return !isFiltered(filters) && filters.order === '';
}

/** The bounds of a place; none for an open history. */
export function boundsOf(place: Place): { readonly below?: number | undefined; readonly top?: number | undefined } {
  return place.kind === 'open' ? {} : place;
}

/** The place that a move leads to. */
export function nextPlace(place: Place, move: Move): Place {
  const turn = place.turn + 1;
  const { filters } = place;
  const { below, top } = boundsOf(place);
  switch (move.kind) {
    case 'filter':
      return { kind: 'open', turn, filters: move.filters, page: move.page };
    case 'show-newest':
      return { kind: 'open', turn, filters, page: 1 };
    case 'turn': {
      const { page, anchor } = move;
      if (page === 1 && isPlain(filters)) return { kind: 'open', turn, filters, page };
      const kind = place.kind === 'further' ? 'further' : 'held';
      return { kind, turn, filters, page, below: below ?? anchor, top: top ?? anchor };
    }
    case 'search-further':
      return { kind: 'further', turn, filters, page: 1, below: move.below, top: top ?? move.anchor };
  }
}
