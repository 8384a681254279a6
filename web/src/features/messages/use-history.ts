import { useCallback, useId, useReducer } from 'react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentAnswer } from '#contract/histories.js';
import { useTablePage } from '../../dashboard/frame/dashboard-context.js';
import { useTrailing } from '../../dashboard/live/live-events.js';
import { spanOf } from '../../ui/days.js';
import type { HistoryFilters } from './history-filters.js';
import { boundsOf, isFiltered, isPlain, nextPlace } from './history-place.js';

/** Delay between a change and the check for newer rows. */
const LOOK_AFTER_MS = 1_000;

/** A page of a history (contract/histories) with rows of any kind. */
export type HistoryPage<Row> = Omit<SentAnswer, 'rows'> & { rows: Row[] };

/** The requested rows; `continue` starts below a row. */
interface HistoryQuery extends Omit<HistoryFilters, 'order' | 'days'> {
  readonly page: number;
  readonly size: number;
  readonly order: 'newest' | 'oldest';
  readonly continue?: number | undefined;
}

interface HistorySource<Row> {
  /** Prefix of all query keys of this history. */
  readonly queryKey: readonly string[];
  readonly filters: HistoryFilters;
  readonly read: (query: HistoryQuery) => Promise<HistoryPage<Row>>;
}

/**
 * Pages through a history. The unfiltered first page always shows the newest rows; any other page
 * or search stays put while new rows arrive, and sets `hasNewer`.
 */
export function useHistory<Row>({ queryKey, filters, read }: HistorySource<Row>) {
  const { page: tablePage, setPage, size, setSize } = useTablePage();
  const [place, move] = useReducer(nextPlace, { kind: 'open', turn: 0, filters, page: tablePage });
  // React renders again before it shows or reads the old place.
  if (place.filters !== filters) move({ kind: 'filter', filters, page: tablePage });
  const { below, top: newestKnown } = boundsOf(place);

  const view = useId();
  const client = useQueryClient();
  const key = [...queryKey, view, place.turn];
  const { order, status, reason, search } = filters;
  const takesNewRows = isPlain(filters);
  const readPlace = () => {
    const shown = client.getQueryData<HistoryPage<Row>>(key);
    const stays = shown !== undefined && (shown.page > 1 || !takesNewRows);
    return read({
      status,
      reason,
      search,
      // Computed at each read, because today changes at midnight.
      ...spanOf(filters),
      page: shown?.page ?? place.page,
      size,
      order: order || 'newest',
      continue: below ?? (stays ? shown.anchor : undefined),
    });
  };
  const query = useQuery({ queryKey: key, queryFn: readPlace, placeholderData: keepPreviousData, gcTime: 0 });
  const answer = query.data;

  const newest = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: async () =>
      (await read({ status: '', reason: '', search: '', ...spanOf(filters), page: 1, size, order: 'newest' })).anchor,
    enabled: false,
    gcTime: 0,
  });
  const isLive = answer?.page === 1 && takesNewRows && below === undefined;
  const anchor = answer?.anchor;
  const top = newestKnown ?? anchor;
  const hasNewer = !isLive && top !== undefined && newest.data !== undefined && newest.data > top;
  const look = useTrailing(() => void newest.refetch(), LOOK_AFTER_MS);

  const showNewest = () => {
    setPage(1);
    move({ kind: 'show-newest' });
  };
  const { refetch } = query;
  return {
    answer,
    error: query.error,
    /** The shown rows are about to be replaced. */
    isBusy: query.isPlaceholderData,
    isFiltered: isFiltered(filters),
    size,
    changeSize: (rows: number) => {
      setSize(rows);
      showNewest();
    },
    /** The search has moved on to older rows. */
    isFurther: place.kind === 'further',
    /** New rows may be added at the top. */
    isLive,
    hasNewer,
    readAgain: useCallback(() => void refetch(), [refetch]),
    /** Call when something outside the shown rows has changed. */
    lookForNewer: () => {
      if (!isLive && !hasNewer) look();
    },
    update: (change: (page: HistoryPage<Row>) => HistoryPage<Row>) =>
      client.setQueryData<HistoryPage<Row>>(key, (page) => page && change(page)),
    turnTo: (page: number) => {
      setPage(page);
      move({ kind: 'turn', page, anchor });
    },
    searchFurther: () => {
      setPage(1);
      move({ kind: 'search-further', below: answer?.continue ?? undefined, anchor });
    },
    showNewest,
  };
}
