import { useCallback, useId, useState } from 'react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentAnswer } from '#contract/histories.js';
import { useTablePage } from '../../../dashboard/table-page.js';
import { noFilters, type HistoryFilters } from './history-filters.js';
import { useTrailing } from './use-trailing.js';

/** How soon it is looked whether there are newer rows than those that are shown, after something has changed. */
const LOOK_AFTER_MS = 1_000;

/** A page of a history, whatever its rows are (contract/histories). */
export type HistoryPage<Row> = Omit<SentAnswer, 'rows'> & { rows: Row[] };

/** Which rows are asked for: `continue` has the answer begin below a row. */
export interface HistoryQuery extends HistoryFilters {
  readonly page: number;
  readonly continue?: number | undefined;
}

interface HistorySource<Row> {
  /** Begins the names of everything that is read of it. */
  readonly queryKey: readonly string[];
  readonly filters: HistoryFilters;
  readonly read: (query: HistoryQuery) => Promise<HistoryPage<Row>>;
}

/** What is looked at: every turn, and every other filter, is another place and is read anew. */
interface Place {
  readonly turn: number;
  readonly filters: HistoryFilters;
  readonly page: number;
  /** Rows before it alone: where a search goes on, or what was newest when the pages were first turned. */
  readonly below?: number | undefined;
  /** What came after it is new. */
  readonly top?: number | undefined;
  /** A search that goes on among older rows. */
  readonly isFurther?: boolean;
}

/**
 * A history as a person turns its pages. The first page of all rows is the newest one whenever it is read; any other page, and
 * every search, keeps its rows where they are while new ones arrive, and `hasNewer` tells that there are some.
 */
export function useHistory<Row>({ queryKey, filters, read }: HistorySource<Row>) {
  const { page: tablePage, setPage } = useTablePage();
  const [chosen, setPlace] = useState<Place>({ turn: 0, filters, page: tablePage });
  const place = chosen.filters === filters ? chosen : { turn: chosen.turn + 1, filters, page: tablePage };
  if (place !== chosen) setPlace(place);

  const view = useId();
  const client = useQueryClient();
  const key = [...queryKey, view, place.turn];
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const readPlace = () => {
    const shown = client.getQueryData<HistoryPage<Row>>(key);
    const stays = shown !== undefined && (shown.page > 1 || isFiltered);
    return read({
      ...filters,
      page: shown?.page ?? place.page,
      continue: place.below ?? (stays ? shown.anchor : undefined),
    });
  };
  const query = useQuery({ queryKey: key, queryFn: readPlace, placeholderData: keepPreviousData, gcTime: 0 });
  const answer = query.data;

  const newest = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: async () => (await read({ ...noFilters, from: filters.from, to: filters.to, page: 1 })).anchor,
    enabled: false,
    gcTime: 0,
  });
  const isLive = answer?.page === 1 && !isFiltered && place.below === undefined;
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
    /** Other rows are being read than those that are shown. */
    isBusy: query.isPlaceholderData,
    isFiltered,
    /** The search has gone on to older rows. */
    isFurther: place.isFurther ?? false,
    /** New rows may be put in at the top. */
    isLive,
    hasNewer,
    readAgain: useCallback(() => void refetch(), [refetch]),
    /** Something has changed that is not among the rows. */
    lookForNewer: () => {
      if (!isLive && !hasNewer) look();
    },
    update: (change: (page: HistoryPage<Row>) => HistoryPage<Row>) =>
      client.setQueryData<HistoryPage<Row>>(key, (page) => page && change(page)),
    turnTo: (page: number) =>
      goTo(page === 1 && !isFiltered ? { page } : { ...place, page, below: place.below ?? answer?.anchor, top }),
    searchFurther: () => goTo({ page: 1, below: answer?.continue ?? undefined, top, isFurther: true }),
    showNewest: () => goTo({ page: 1 }),
  };
}
