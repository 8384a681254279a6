import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { type LedgerKind, ledgerKinds } from '#contract/histories.js';
import { ledgerCsvPath, ledgerKey, ledgerQuery } from '../../api/billing.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { DataTable, Pager } from '../../ui/data-table.js';
import { DayRange, Select } from '../../ui/filter-fields.js';
import { EmptyView } from '../../ui/view.js';
import { useTablePage } from '../dashboard/dashboard-context.js';
import { FailureNotice } from '../dashboard/failures.js';
import { kindTitles, ledgerColumns } from '../dashboard/ledger-columns.js';
import { useRefresh } from '../dashboard/live-events.js';
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

/** Every ledger entry, newest first. New entries appear on the first page; later pages stay put. */
export function LedgerTable() {
  const { page, setPage } = useTablePage();
  const [filter, setFilter] = useState(everything);
  /** Where a search continues: entries below this number. */
  const [older, setOlder] = useState<number>();
  /** The newest entry when paging started. */
  const [anchor, setAnchor] = useState<number>();
  const query = { from: filter.from, to: filter.to, kind: filter.kind || undefined };
  const below = older ?? (page > 1 ? anchor : undefined);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...ledgerQuery({ ...query, page, continue: below }),
    // Changes made while another view was open were missed.
    refetchOnMount: 'always',
  });
  useRefresh(ledgerKey);
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
        <ButtonLink to={ledgerCsvPath(query)} reloadDocument download>
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
