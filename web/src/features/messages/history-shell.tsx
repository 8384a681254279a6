import type { ReactNode } from 'react';
import { limits } from '#contract/limits.js';
import { historyCsvPath } from '../../api/messages.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, DataTable, Pager } from '../../ui/data-table.js';
import { FailureNotice } from '../dashboard/failures.js';
import { FilterBar } from './filter-bar.js';
import { type HistoryFilters, type HistoryName, noFilters } from './history-filters.js';
import styles from './history.module.css';
import type { useHistory } from './use-history.js';

interface HistoryShellProps<Row extends { messageId: string }> {
  readonly name: HistoryName;
  readonly filters: HistoryFilters;
  readonly onFilter: (filters: HistoryFilters) => void;
  readonly history: ReturnType<typeof useHistory<Row>>;
  readonly columns: readonly Column<Row>[];
  /** Shown when the account has no messages at all. */
  readonly empty: ReactNode;
}

/** A history in all of its states: loading, empty, failed, filled, filtered. */
export function HistoryShell<Row extends { messageId: string }>({
  name,
  filters,
  onFilter,
  history,
  columns,
  empty,
}: HistoryShellProps<Row>) {
  const { answer, error, isBusy, isFiltered, readAgain } = history;
  if (answer?.total === 0 && !isFiltered && !isBusy) return empty;
  return (
    <>
      <FilterBar history={name} filters={filters} onChange={onFilter} />
      {error && <FailureNotice error={error} what="Your messages could not be loaded." onRetry={readAgain} />}
      {(answer ?? !error) && (
        <>
          <div className={styles.line}>
            <Count history={history} />
            <div className={styles.moves}>
              <Moves history={history} />
              <ButtonLink to={historyCsvPath(name, filters)} reloadDocument download>
                Export CSV
              </ButtonLink>
            </div>
          </div>
          {answer?.total === 0 ? (
            <div className={styles.none}>
              <p>No messages match these filters.</p>
              <Button onClick={() => onFilter(noFilters)}>Clear filters</Button>
            </div>
          ) : (
            <DataTable
              label={name === 'sent' ? 'SMS Sent' : 'SMS Received'}
              columns={columns}
              rows={answer?.rows}
              keyOf={({ messageId }) => messageId}
              isBusy={isBusy}
              placesKept={limits.tablePageSize}
            />
          )}
          {answer && answer.total > 0 && <Pager page={answer.page} pages={answer.pages} onTurn={history.turnTo} />}
        </>
      )}
    </>
  );
}

interface OfHistory<Row> {
  readonly history: ReturnType<typeof useHistory<Row>>;
}

/** The number of messages; for a search, the matches and how far back it looked. */
function Count<Row>({ history: { answer, isFiltered, isFurther } }: OfHistory<Row>) {
  if (!answer) return <p className={styles.count}>Loading...</p>;
  const count = answer.total.toLocaleString('en-US');
  if (!isFiltered) return <p className={styles.count}>{answer.total === 1 ? '1 message' : `${count} messages`}</p>;
  const where = isFurther ? ' further back' : '';
  return (
    <p className={styles.count} role="status">
      {answer.more ? `${count} found${where}. Searched back to ${answer.searchedTo}.` : `${count} found${where}.`}
    </p>
  );
}

/** Navigation other than paging. */
function Moves<Row>({ history }: OfHistory<Row>) {
  const { answer, hasNewer, isFiltered, isFurther, searchFurther, showNewest } = history;
  return (
    <>
      {hasNewer && (
        <div role="status">
          <Button onClick={showNewest}>{isFiltered ? 'New messages: search again' : 'New messages: show them'}</Button>
        </div>
      )}
      {isFurther && !hasNewer && <Button onClick={showNewest}>Back to the newest</Button>}
      {answer?.more && <Button onClick={searchFurther}>Search further</Button>}
    </>
  );
}
