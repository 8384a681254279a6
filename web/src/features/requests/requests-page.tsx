import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { ApiRequest, CutDay } from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { apiRequestsQuery, keysQuery, namedKeysQuery, requestChoicesQuery } from '../../api/account.js';
import { messagePath, paths } from '../../paths.js';
import { type Column, CursorPager, DataTable, useCursor, When } from '../../ui/data-table.js';
import { DateRange } from '../../ui/date-range.js';
import { Select } from '../../ui/field.js';
import { chipOf, chipOfDays, FilterBar, FilterPlace, SearchField } from '../../ui/filter-fields.js';
import { Notice } from '../../ui/surface.js';
import { EmptyView, View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { SavedFilters } from '../../dashboard/records/saved-filters.js';
import { RequestDialog } from './request-dialog.js';
import { addressOf, filtersIn, noFilters, queryOf, type RequestFilters } from './request-filters.js';
import { keyText, RequestStatus } from './request-parts.js';
import styles from './requests.module.css';

/**
 * Interval at which the newest calls are read while they are shown. The server writes calls once a
 * second, and a page has a fixed size, so a thousand calls a second cost no more than one.
 */
const READ_EVERY_MS = 2_000;

const statuses = [
  ['', 'All'],
  ['2xx', '2xx: answered'],
  ['4xx', '4xx: refused'],
  ['5xx', '5xx: failed'],
] as const;

/** The account's API calls of the last days, including refused calls. */
export default function RequestsPage() {
  const [address, setAddress] = useSearchParams();
  const { filters, faults } = filtersIn(address);
  const query = addressOf(filters);
  const show = (wanted: RequestFilters) => setAddress(addressOf(wanted), { replace: true, preventScrollReset: true });
  return (
    <View
      title="Requests"
      lead={
        'Every call made with your API keys, including refused ones. Texts and codes are never kept, and ' +
        'numbers are masked.'
      }
    >
      <Filters filters={filters} faults={faults} onChange={show} />
      {filters.key !== '' && <EndedKey ending={filters.key} />}
      <Requests key={query} filters={filters} isFiltered={query !== ''} />
    </View>
  );
}

interface FiltersProps {
  readonly filters: RequestFilters;
  readonly faults: readonly string[];
  readonly onChange: (filters: RequestFilters) => void;
}

function Filters({ filters, faults, onChange }: FiltersProps) {
  const { search, status, code, key, days, from, to } = filters;
  const { codes, keys } = useChoices(filters);
  // The table below requests the calls; this query only checks whether there are any.
  const { data } = useQuery({ ...apiRequestsQuery(queryOf(noFilters)), enabled: false });
  const query = addressOf(filters);
  if (query === '' && faults.length === 0 && data?.requests.length === 0 && data.nextCursor === null) return null;
  const change = (changed: Partial<RequestFilters>) => onChange({ ...filters, ...changed });
  return (
    <FilterBar
      isSearched={search !== ''}
      chips={[
        ...chipOf('Status', status, statuses, () => change({ status: '' })),
        ...chipOf('Error code', code, codes, () => change({ code: '' })),
        ...chipOf('Key', key, keys, () => change({ key: '' })),
        ...chipOfDays({ days, from, to }, change),
      ]}
      faults={faults}
      onClear={() => onChange(noFilters)}
      more={<SavedFilters view="requests" query={query} isSet={query !== ''} />}
      search={
        <SearchField
          label="Search"
          placeholder="Path or id"
          value={search}
          maxLength={limits.searchCharactersMax}
          onChange={(value) => change({ search: value.trim() })}
        />
      }
    >
      <FilterPlace>
        <Select
          label="Status"
          options={statuses}
          value={statuses.find(([value]) => value === status)?.[0] ?? ''}
          onChange={(value) => change({ status: value })}
        />
      </FilterPlace>
      <FilterPlace>
        <Select label="Error code" options={codes} value={code} onChange={(value) => change({ code: value })} />
      </FilterPlace>
      <FilterPlace>
        <Select label="Key" options={keys} value={key} onChange={(value) => change({ key: value })} />
      </FilterPlace>
      <FilterPlace>
        <DateRange value={{ days, from, to }} onChange={change} />
      </FilterPlace>
    </FilterBar>
  );
}

type Options = (readonly [string, string])[];

/** The error codes and keys that occur, and the chosen code and key. */
function useChoices({ code, key }: RequestFilters): { codes: Options; keys: Options } {
  const { data } = useQuery({ ...requestChoicesQuery, refetchOnMount: 'always' });
  const codes = data?.codes ?? [];
  // A key and its test key have the same last characters.
  const keys = new Map(
    (data?.keys ?? []).toReversed().map((one) => [one.keyEnding, keyText({ ...one, isTest: false })]),
  );
  if (key !== '' && !keys.has(key)) keys.set(key, `••••${key}`);
  const all = code === '' || codes.includes(code) ? codes : [...codes, code];
  return {
    codes: [['', 'All'], ...all.map((one) => [one, one] as const)],
    keys: [['', 'All'], ...keys],
  };
}

/** Explains a filter for a key that was deleted or replaced since, as a saved filter can have. */
function EndedKey({ ending }: { ending: string }) {
  const { data: own } = useQuery(keysQuery);
  const { data: named } = useQuery(namedKeysQuery);
  if (!own || !named) return null;
  const masked = [own, ...named.keys].flatMap((key) => [key.masked, ...key.earlier.map((one) => one.masked)]);
  if (masked.some((one) => one.endsWith(ending))) return null;
  return (
    <Notice kind="info" role="status">
      The key ••••{ending} is not among your keys: it was deleted or replaced. The requests that it made stay listed for
      as long as all others.
    </Notice>
  );
}

function Requests({ filters, isFiltered }: { filters: RequestFilters; isFiltered: boolean }) {
  const { cursor, onStart: _start, ...turns } = useCursor<string>();
  const [shown, show] = useState<ApiRequest>();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...apiRequestsQuery({ ...queryOf(filters), cursor }),
    refetchOnMount: 'always',
    refetchInterval: cursor === undefined ? READ_EVERY_MS : false,
  });
  if (error && !data)
    return <FailureNotice error={error} what="Your requests could not be loaded." onRetry={() => void refetch()} />;
  const isNone = data?.requests.length === 0;
  const isEmpty = isNone && turns.page === 1 && data.nextCursor === null;
  if (isEmpty && isFiltered)
    return <EmptyView title="No requests match these filters." text={`Requests are kept for ${data.keptDays} days.`} />;
  if (isEmpty)
    return (
      <EmptyView
        title={data.keptDays === 0 ? 'Requests are not logged here.' : 'No requests yet.'}
        text={data.keptDays > 0 && `Calls with your API keys are listed for ${data.keptDays} days.`}
      />
    );
  return (
    <>
      {error && (
        <FailureNotice error={error} what="Newer requests could not be loaded." onRetry={() => void refetch()} />
      )}
      {data?.cutDays.map((day) => (
        <CutDayNotice key={day.day} {...day} />
      ))}
      {isNone ? (
        <p role="status">No matches in the requests searched so far. Choose Next to search earlier ones.</p>
      ) : (
        <DataTable
          label="Requests"
          columns={columnsOpening(show)}
          rows={data?.requests}
          keyOf={({ id }) => id}
          isBusy={!data || isPlaceholderData}
          placesKept={limits.apiRequestsPageSize}
        />
      )}
      <CursorPager {...turns} next={isPlaceholderData ? undefined : (data?.nextCursor ?? undefined)} />
      {shown && <RequestDialog request={shown} onClose={() => show(undefined)} />}
    </>
  );
}

/** Warns that a day had more calls than the list shows. */
function CutDayNotice({ day, calls, listedMax }: CutDay) {
  const [made, listed, every] = [calls, listedMax, limits.apiRequestsSampleEvery].map((n) => n.toLocaleString('en-US'));
  return (
    <Notice kind="info">
      On {day} (UTC) {made} calls were made. The first {listed} of a day are all listed, and then one of every {every}.
    </Notice>
  );
}

function columnsOpening(open: (request: ApiRequest) => void): readonly Column<ApiRequest>[] {
  return [
    { title: 'Date', phone: 'time', cell: ({ at }, before) => <When at={at} before={before?.at} isExact /> },
    {
      title: 'Call',
      phone: 'title',
      cell: (request) => (
        <button type="button" className={styles.open} data-open onClick={() => open(request)}>
          {request.method} {shortened(request.path)}
        </button>
      ),
    },
    { title: 'Status', phone: 'state', cell: (request) => <RequestStatus {...request} /> },
    { title: 'Result', phone: 'text', cell: (request) => <Result {...request} /> },
    { title: 'Duration', isNumber: true, cell: ({ durationMs }) => `${durationMs.toLocaleString('en-US')} ms` },
    { title: 'Key', cell: (request) => <bdi className={styles.key}>{keyText(request)}</bdi> },
  ];
}

/** The error code of a refused call, or else the created message or batch. */
function Result({ code, messageId, batchId }: ApiRequest) {
  if (code !== null) return <code className={styles.whole}>{code}</code>;
  if (messageId !== null)
    return (
      <Link className={styles.whole} to={messagePath(messageId)}>
        Message
      </Link>
    );
  if (batchId !== null)
    return (
      <Link
        className={styles.whole}
        to={`${paths.dashboardMessages}?${new URLSearchParams({ search: batchId }).toString()}`}
      >
        Bulk
      </Link>
    );
  return '–';
}

/** The address of a plug, with the middle of its id left out. */
function shortened(path: string): string {
  return path.replace(/(PL[0-9a-f]{4})[0-9a-f]{24}([0-9a-f]{4})$/, '$1…$2');
}
