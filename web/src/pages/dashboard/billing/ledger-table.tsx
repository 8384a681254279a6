import { useState } from 'react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ledgerKinds, type LedgerAnswer, type LedgerKind } from '#contract/histories.js';
import { ledgerFilePath, readLedger } from '../../../api/billing.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { useTablePage } from '../../../dashboard/table-page.js';
import { DataTable } from '../../../dashboard/ui/data-table.js';
import { DayRange } from '../../../dashboard/ui/day-range.js';
import { EmptyView } from '../../../dashboard/ui/empty-view.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { Pager } from '../../../dashboard/ui/pager.js';
import { Select } from '../../../dashboard/ui/select.js';
import { useRefresh } from '../../../dashboard/use-refresh.js';
import { Button, ButtonLink } from '../../../ui/button.js';
import { kindTitles, ledgerColumns } from './ledger-columns.js';
import styles from './billing.module.css';

interface Filter {
  readonly kind: LedgerKind | '';
  readonly from: string;
  readonly to: string;
}

const everything: Filter = { kind: '', from: '', to: '' };
const kinds: readonly (readonly [LedgerKind | '', string])[] = [
  ['', 'All movements'],
  ...ledgerKinds.map((kind) => [kind, kindTitles[kind]] as const),
];

/** Every movement of the credits, newest first. New ones come in on the first page; later pages stay as they are. */
export function LedgerTable() {
  const client = useQueryClient();
  const { page, setPage } = useTablePage();
  const [filter, setFilter] = useState(everything);
  /** Rows older than those that one search looks through. */
  const [older, setOlder] = useState<number>();
  /** What was newest when the pages were first turned. */
  const [anchor, setAnchor] = useState<number>();
  const query = { from: filter.from, to: filter.to, kind: filter.kind || undefined };
  const below = older ?? (page > 1 ? anchor : undefined);
  const queryKey = [...queryKeys.ledger, query, below, page];
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey,
    queryFn: () => {
      // Read again, a later page begins where it began.
      const shown = client.getQueryData<LedgerAnswer>(queryKey);
      return readLedger({ ...query, page, continue: below ?? (shown && shown.page > 1 ? shown.anchor : undefined) });
    },
    placeholderData: keepPreviousData,
    // What changed while another view was open was not heard here.
    refetchOnMount: 'always',
  });
  useRefresh(queryKeys.ledger);
  const change = (next: Partial<Filter>) => {
    setFilter({ ...filter, ...next });
    setOlder(undefined);
    setAnchor(undefined);
  };
  const turn = (next: number) => {
    setAnchor(next > 1 ? (anchor ?? data?.anchor) : undefined);
    setPage(next);
  };
  const searchFrom = (row: number | undefined) => {
    setOlder(row);
    setAnchor(undefined);
    setPage(1);
  };
  const isFiltered = filter !== everything && (filter.kind || filter.from || filter.to) !== '';

  return (
    <>
      <div className={styles.filters}>
        <Select label="Movement" options={kinds} value={filter.kind} onChange={(kind) => change({ kind })} />
        <DayRange from={filter.from} to={filter.to} onChange={change} />
        <ButtonLink to={ledgerFilePath(query)} reloadDocument download>
          Export CSV
        </ButtonLink>
      </div>
      {error && (
        <FailureNotice error={error} what="Your credit ledger could not be loaded." onRetry={() => void refetch()} />
      )}
      {data?.total === 0 ? (
        <EmptyView
          title="No movements of credits found."
          text={
            data.searchedTo === null
              ? 'Purchases, codes, messages and refunds will each be a line here.'
              : `Nothing back to ${data.searchedTo}.`
          }
        >
          {isFiltered && !data.more && <Button onClick={() => change(everything)}>Show all movements</Button>}
        </EmptyView>
      ) : (
        (data || !error) && (
          <>
            <DataTable
              label="Credit ledger"
              columns={ledgerColumns}
              rows={data?.rows}
              keyOf={({ date, source }, place) => `${date} ${source} ${place}`}
              isBusy={!data || isPlaceholderData}
            />
            <Pager page={data?.page ?? 1} pages={data?.pages ?? 1} onTurn={turn} />
          </>
        )
      )}
      {data?.more && data.continue !== null && (
        <p className={styles.more}>
          Searched back to {data.searchedTo}.{' '}
          <Button onClick={() => searchFrom(data.continue ?? undefined)}>Search older ones</Button>
        </p>
      )}
      {older !== undefined && (
        <p className={styles.more}>
          <Button onClick={() => searchFrom(undefined)}>Back to the newest</Button>
        </p>
      )}
    </>
  );
}
