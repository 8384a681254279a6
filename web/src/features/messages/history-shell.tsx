import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { deliveryErrorOf } from '#contract/delivery-errors.js';
import { limits, tablePageSizes } from '#contract/limits.js';
import { receivedStatuses } from '#contract/histories.js';
import { messageStatuses } from '#contract/messages.js';
import { historyCsvPath, reasonsQuery } from '../../api/messages.js';
import { briefTimestamp } from '../../ui/format.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, DataTable, Pager } from '../../ui/data-table.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { DateRange } from '../../ui/date-range.js';
import { spanOf } from '../../ui/days.js';
import { Select } from '../../ui/field.js';
import { chipOf, chipOfDays, FilterBar, FilterPlace, SearchField } from '../../ui/filter-fields.js';
import { SavedFilters } from '../../dashboard/records/saved-filters.js';
import { statusWords } from '../../dashboard/records/status-label.js';
import { addressOf, type HistoryFilters, type HistoryName, noFilters } from './history-filters.js';
import styles from './history.module.css';
import type { useHistory } from './use-history.js';

interface HistoryShellProps<Row extends { messageId: string }> {
  readonly name: HistoryName;
  readonly filters: HistoryFilters;
  /** Invalid filters of the address, as sentences. */
  readonly faults: readonly string[];
  readonly onFilter: (filters: HistoryFilters) => void;
  readonly history: ReturnType<typeof useHistory<Row>>;
  /** The first column is the date, by which rows can be sorted. */
  readonly columns: readonly Column<Row>[];
  /** Shown when the account has no messages at all. */
  readonly empty: ReactNode;
}

/** A history in all its states: loading, empty, failed, filled, filtered. */
export function HistoryShell<Row extends { messageId: string }>({
  name,
  filters,
  faults,
  onFilter,
  history,
  columns,
  empty,
}: HistoryShellProps<Row>) {
  const { answer, error, isBusy, isFiltered, readAgain } = history;
  if (answer?.total === 0 && !isFiltered && !isBusy && faults.length === 0) return empty;
  const isSearch = [filters.search, filters.status, filters.reason].some((value) => value !== '');
  const { status, reason, search } = filters;
  const sort = {
    order: filters.order === '' ? 'descending' : 'ascending',
    onTurn: () => onFilter({ ...filters, order: filters.order === '' ? 'oldest' : '' }),
  } as const;
  return (
    <>
      <Filters history={name} filters={filters} faults={faults} onChange={onFilter} />
      {error && <FailureNotice error={error} what="Your messages could not be loaded." onRetry={readAgain} />}
      {(answer ?? !error) && (
        <>
          <div className={styles.line}>
            <Count history={history} isSearch={isSearch} />
            <div className={styles.moves}>
              <Moves history={history} />
              <ButtonLink
                to={historyCsvPath(name, { status, reason, search, ...spanOf(filters) })}
                reloadDocument
                download
              >
                Export CSV
              </ButtonLink>
            </div>
          </div>
          {answer?.total === 0 ? (
            <div className={styles.none}>
              <p>No messages match these filters.</p>
            </div>
          ) : (
            <DataTable
              label={name === 'sent' ? 'SMS Sent' : 'SMS Received'}
              columns={
                isSearch ? columns : columns.map((column, place) => (place === 0 ? { ...column, sort } : column))
              }
              rows={answer?.rows}
              keyOf={({ messageId }) => messageId}
              isBusy={isBusy}
              placesKept={history.size}
            />
          )}
          {answer && answer.total > 0 && (
            <Pager
              page={answer.page}
              pages={answer.pages}
              onTurn={history.turnTo}
              size={history.size}
              sizes={tablePageSizes}
              onSize={history.changeSize}
            />
          )}
        </>
      )}
    </>
  );
}

interface OfHistory<Row> {
  readonly history: ReturnType<typeof useHistory<Row>>;
}

/** The number of messages; for a search, the matches and the date back to which it went. */
function Count<Row>({ history: { answer, isFurther }, isSearch }: OfHistory<Row> & { isSearch: boolean }) {
  if (!answer) return <p className={styles.count}>Loading...</p>;
  const { total, among, more, searchedTo } = answer;
  const count = total.toLocaleString('en-US');
  const messages = among === 1 ? '1 message' : `${among.toLocaleString('en-US')} messages`;
  if (!isSearch) return <p className={styles.count}>{messages}</p>;
  const found = more || isFurther ? `${count} found${isFurther ? ' further back' : ''}.` : `${count} of ${messages}.`;
  return (
    <p className={styles.count} role="status">
      {more ? `${found} Searched back to ${briefTimestamp(searchedTo ?? '')}.` : found}
    </p>
  );
}

/** Navigation beside paging. */
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

const statuses = { sent: messageStatuses, received: receivedStatuses };

/** The reasons that occurred, and the chosen reason. */
function useReasons(chosen: string): (readonly [string, string])[] {
  // If they fail to load, the chosen reason can still be removed.
  const { data } = useQuery(reasonsQuery);
  const occurred = data?.reasons ?? [];
  const isShown = chosen === '' || occurred.some(({ code }) => code === chosen);
  const shown = isShown ? [] : [{ code: chosen, text: deliveryErrorOf(chosen).reason }];
  return [['', 'All'], ...[...occurred, ...shown].map(({ code, text }) => [code, `${text} (${code})`] as const)];
}

interface FiltersProps {
  readonly history: HistoryName;
  readonly filters: HistoryFilters;
  readonly faults: readonly string[];
  readonly onChange: (filters: HistoryFilters) => void;
}

function Filters({ history, filters, faults, onChange }: FiltersProps) {
  const { status, reason, search, days, from, to, order } = filters;
  const states = [['', 'All'], ...statuses[history].map((one) => [one, statusWords[one]] as const)] as const;
  const reasons = useReasons(reason);
  const change = (changed: Partial<HistoryFilters>) => onChange({ ...filters, ...changed });
  const chips = [
    ...chipOf('Status', status, states, () => change({ status: '' })),
    ...chipOf('Reason', reason, reasons, () => change({ reason: '' })),
    ...chipOfDays({ days, from, to }, change),
  ];
  const isSearched = search !== '';
  return (
    <FilterBar
      isSearched={isSearched}
      chips={chips}
      faults={faults}
      onClear={() => onChange({ ...noFilters, order })}
      more={
        <SavedFilters
          view={history}
          query={addressOf(history, filters).toString()}
          isSet={isSearched || chips.length > 0}
        />
      }
      search={
        <SearchField
          label="Search"
          placeholder={history === 'sent' ? 'Number, text, reference or id' : 'Number, text or id'}
          value={search}
          maxLength={limits.searchCharactersMax}
          onChange={(value) => change({ search: value })}
        />
      }
    >
      <FilterPlace>
        <Select label="Status" value={status} options={states} onChange={(value) => change({ status: value })} />
      </FilterPlace>
      {history === 'sent' && (
        <FilterPlace>
          <Select label="Reason" value={reason} options={reasons} onChange={(value) => change({ reason: value })} />
        </FilterPlace>
      )}
      <FilterPlace>
        <DateRange value={{ days, from, to }} onChange={change} />
      </FilterPlace>
    </FilterBar>
  );
}
