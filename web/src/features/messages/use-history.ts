import { useCallback, useId, useState } from 'react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentAnswer } from '#contract/histories.js';
import { useTablePage } from '../../dashboard/frame/dashboard-context.js';
import { useTrailing } from '../../dashboard/live/live-events.js';
import { type HistoryFilters, noFilters } from './history-filters.js';

/** Delay between a change and the check for newer rows. */
const LOOK_AFTER_MS = 1_000;

/** A page of a history (contract/histories) with rows of any kind. */
export type HistoryPage<Row> = Omit<SentAnswer, 'rows'> & { rows: Row[] };

/** The requested rows; `continue` starts below a row. */
interface HistoryQuery extends Omit<HistoryFilters, 'order'> {
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

/** The current position; every page turn and filter change makes a new one and reads again. */
interface Place {
  readonly turn: number;
  readonly filters: HistoryFilters;
  readonly page: number;
  /** Upper bound of the rows: where a search continues, or the newest row when paging started. */
  readonly below?: number | undefined;
  /** Rows above this are new. */
  readonly top?: number | undefined;
  /** The search has moved on to older rows. */
  readonly isFurther?: boolean;
}

/**
 * Pages through a history. The unfiltered first page always shows the newest rows; any other page
 * or search stays put while new rows arrive, and sets `hasNewer`.
 */
export function useHistory<Row>({ queryKey, filters, read }: HistorySource<Row>) {
  const { page: tablePage, setPage, size, setSize } = useTablePage();
  const [chosen, setPlace] = useState<Place>({ turn: 0, filters, page: tablePage });
  const place = chosen.filters === filters ? chosen : { turn: chosen.turn + 1, filters, page: tablePage };
  if (place !== chosen) setPlace(place);

  const view = useId();
  const client = useQueryClient();
  const key = [...queryKey, view, place.turn];
  const { order, ...conditions } = filters;
  const isFiltered = Object.values(conditions).some((value) => value !== '');
  /** Neither a search nor turned around: new rows belong on the first page. */
  const isPlain = !isFiltered && order === '';
  const readPlace = () => {
    const shown = client.getQueryData<HistoryPage<Row>>(key);
    const stays = shown !== undefined && (shown.page > 1 || !isPlain);
    return read({
      ...conditions,
      page: shown?.page ?? place.page,
      size,
      order: order || 'newest',
      continue: place.below ?? (stays ? shown.anchor : undefined),
    });
  };
  const query = useQuery({ queryKey: key, queryFn: readPlace, placeholderData: keepPreviousData, gcTime: 0 });
  const answer = query.data;

  const newest = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: async () =>
      (await read({ ...noFilters, from: filters.from, to: filters.to, page: 1, size, order: 'newest' })).anchor,
    enabled: false,
    gcTime: 0,
  });
  const isLive = answer?.page === 1 && isPlain && place.below === undefined;
  const top = place.top ?? answer?.anchor;
  const hasNewer = !isLive && top !== undefined && newest.data !== undefined && newest.data > top;
  const look = useTrailing(() => void newest.refetch(), LOOK_AFTER_MS);

  const goTo = (next: Omit<Place, 'turn' | 'filters'>) => {
    setPage(next.page);
    setPlace({ ...next, turn: place.turn + 1, filters });
  };
  const { refetch } = query;
  return {
    answer,
    error: query.error,
    /** The shown rows are about to be replaced. */
    isBusy: query.isPlaceholderData,
    isFiltered,
    size,
    changeSize: (rows: number) => {
      setSize(rows);
      goTo({ page: 1 });
    },
    /** The search has moved on to older rows. */
    isFurther: place.isFurther ?? false,
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
    turnTo: (page: number) =>
      goTo(page === 1 && isPlain ? { page } : { ...place, page, below: place.below ?? answer?.anchor, top }),
    searchFurther: () => goTo({ page: 1, below: answer?.continue ?? undefined, top, isFurther: true }),
    showNewest: () => goTo({ page: 1 }),
  };
}
