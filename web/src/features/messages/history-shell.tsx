import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { deliveryErrorOf, deliveryErrors, isKnownDeliveryError } from '#contract/delivery-errors.js';
import { limits, tablePageSizes } from '#contract/limits.js';
import { receivedStatuses } from '#contract/histories.js';
import { messageStatuses } from '#contract/messages.js';
import { historyCsvPath } from '../../api/messages.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, DataTable, Pager } from '../../ui/data-table.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { Field, Select } from '../../ui/field.js';
import { DayRange } from '../../ui/filter-fields.js';
import { statusWords } from '../../dashboard/records/status-label.js';
import { type HistoryFilters, type HistoryName, noFilters } from './history-filters.js';
import styles from './history.module.css';
import type { useHistory } from './use-history.js';

interface HistoryShellProps<Row extends { messageId: string }> {
  readonly name: HistoryName;
  readonly filters: HistoryFilters;
  readonly onFilter: (filters: HistoryFilters) => void;
  readonly history: ReturnType<typeof useHistory<Row>>;
  /** The first one is the date, by which rows can be sorted. */
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
  const isSearch = [filters.text, filters.number, filters.status, filters.reason].some((value) => value !== '');
  const sort = {
    order: filters.order === '' ? 'descending' : 'ascending',
    onTurn: () => onFilter({ ...filters, order: filters.order === '' ? 'oldest' : '' }),
  } as const;
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

const statuses = { sent: messageStatuses, received: receivedStatuses };

/** All known reasons, and the chosen one if it is another. */
function reasonOptions(chosen: string): (readonly [string, string])[] {
  const shown = chosen === '' || isKnownDeliveryError(chosen) ? [] : [deliveryErrorOf(chosen)];
  return [
    ['', 'All'],
    ...[...deliveryErrors, ...shown].map(({ code, reason }) => [code, `${reason} (${code})`] as const),
  ];
}

interface FilterBarProps {
  readonly history: HistoryName;
  readonly filters: HistoryFilters;
  readonly onChange: (filters: HistoryFilters) => void;
}

/** The filters of a history; behind a button on phones. */
function FilterBar({ history, filters, onChange }: FilterBarProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { status, reason, number, text, from, to } = filters;
  const count = [status, reason, number, text, from || to].filter(Boolean).length;
  return (
    <div>
      <div className={styles.toggle} data-expanded={isOpen}>
        <Button wide aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      </div>
      <search id={id} className={styles.bar} aria-label="Filters">
        <div className={styles.text}>
          <SearchField
            label="Text or message id"
            value={text}
            maxLength={limits.searchCharactersMax}
            onChange={(value) => onChange({ ...filters, text: value })}
          />
        </div>
        <div className={styles.numberField}>
          <SearchField
            label="Phone number"
            value={number}
            inputMode="tel"
            maxLength={limits.searchedNumberCharactersMax}
            faultOf={(value) => (value === '' || /\d/.test(value) ? undefined : 'Enter at least one digit.')}
            onChange={(value) => onChange({ ...filters, number: value })}
          />
        </div>
        <div className={styles.status}>
          <Select
            label="Status"
            value={status}
            options={[['', 'All'], ...statuses[history].map((one) => [one, statusWords[one]] as const)]}
            onChange={(value) => onChange({ ...filters, status: value })}
          />
        </div>
        {history === 'sent' && (
          <div className={styles.reason}>
            <Select
              label="Reason of failure"
              value={reason}
              options={reasonOptions(reason)}
              onChange={(value) => onChange({ ...filters, reason: value })}
            />
          </div>
        )}
        <DayRange from={from} to={to} onChange={(days) => onChange({ ...filters, ...days })} />
      </search>
    </div>
  );
}

/** Searches after a pause of this length. */
const PAUSE_MS = 300;

interface SearchFieldProps extends Pick<ComponentProps<'input'>, 'name' | 'inputMode' | 'maxLength'> {
  readonly label: string;
  readonly value: string;
  /** Why a text cannot be searched for; undefined when it can. */
  readonly faultOf?: (text: string) => string | undefined;
  /** Called with a searchable text once typing pauses. */
  readonly onChange: (value: string) => void;
}

/**
 * A search field: the search follows the typing, and the field follows outside changes of the
 * address.
 */
export function SearchField({ value, faultOf, onChange, ...field }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [reported, setReported] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (value !== reported) setTyped(value);
  }
  const fault = faultOf?.(typed);
  const report = useEffectEvent((text: string) => {
    setReported(text);
    onChange(text);
  });
  const isChanged = typed !== value && fault === undefined;
  useEffect(() => {
    if (!isChanged) return;
    const timer = window.setTimeout(() => report(typed), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, isChanged]);
  return (
    <Field
      {...field}
      type="search"
      autoComplete="off"
      spellCheck={false}
      fault={fault}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
