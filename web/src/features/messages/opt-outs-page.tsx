import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.js';
import { optOutsFilter, type OptOutsFilter, type OptOutView } from '#contract/opt-outs.js';
import { optOutsCsvPath, optOutsKey, optOutsQuery } from '../../api/messages.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { IconCircle, IconCircleMinus } from '../../dashboard/frame/icons.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { conversationPath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, CursorPager, DataTable, useCursor, When } from '../../ui/data-table.js';
import { Select } from '../../ui/field.js';
import { DateRange } from '../../ui/date-range.js';
import { allDays, type Days, daysIn, spanOf } from '../../ui/days.js';
import { chipOf, chipOfDays, FilterBar, FilterPlace, SearchField } from '../../ui/filter-fields.js';
import { exactTimes } from '../../ui/format.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { EmptyView, View } from '../../ui/view.js';
import { wholePhoneNumber } from './history-filters.js';
import historyStyles from './history.module.css';
import styles from './opt-outs.module.css';

/** Filters in the address. */
interface Chosen extends Days {
  readonly number: string;
  readonly status: string;
}

const noFilters: Chosen = { ...allDays, number: '', status: '' };

/** People who opted out of the account's messages: from which sender, when and how. */
export default function OptOutsPage() {
  const [address, setAddress] = useSearchParams();
  const { chosen, faults } = chosenIn(address);
  const { number, status, ...days } = chosen;
  const { shape } = optOutsFilter;
  const filter: OptOutsFilter = { number, status: shape.status.safeParse(status).data, ...spanOf(days) };
  const change: OptOutsProps['onFilter'] = (changed) =>
    setAddress(
      Object.entries({ ...chosen, ...changed }).filter(([, value]) => value !== ''),
      { replace: true, preventScrollReset: true },
    );
  return (
    <View
      title="Opt-outs"
      lead={
        'People you have texted who replied STOP, or of whom the carrier knows that they opted out. A STOP to a ' +
        'number of yours holds for all your numbers until they reply START to one of them.'
      }
      actions={
        <ButtonLink to={optOutsCsvPath(filter)} reloadDocument download>
          Export CSV
        </ButtonLink>
      }
    >
      <Filters chosen={chosen} faults={faults} onFilter={change} />
      <OptOuts key={JSON.stringify(chosen)} filter={filter} onFilter={change} />
    </View>
  );
}

/** Parses the filters in an address; drops and explains values that the server would refuse. */
function chosenIn(address: URLSearchParams): { chosen: Chosen; faults: readonly string[] } {
  const { shape } = optOutsFilter;
  const { days, fault } = daysIn(address);
  const faults = fault === undefined ? [] : [fault];
  const valid = (name: 'number' | 'status') => {
    const value = address.get(name) ?? '';
    if (shape[name].safeParse(value).success) return value;
    faults.push(`“${value}” is no ${name === 'number' ? 'phone number' : 'state'}.`);
    return '';
  };
  return { chosen: { ...days, number: valid('number'), status: valid('status') }, faults };
}

interface OptOutsProps {
  readonly filter: OptOutsFilter;
  readonly onFilter: (changed: Partial<Chosen>) => void;
}

function OptOuts({ filter, onFilter }: OptOutsProps) {
  const { cursor, onStart: _onStart, ...turns } = useCursor<string>();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...optOutsQuery({ ...filter, cursor }),
    refetchOnMount: 'always',
  });
  useRefresh(optOutsKey);
  const { number = '', from = '', to = '', status } = filter;
  const isFiltered = Boolean(number || from || to);
  const isEmpty = data?.optouts.length === 0 && !isPlaceholderData;
  if (isEmpty && !isFiltered && turns.page === 1 && data.next_cursor === null && status !== 'all')
    return <NoOptOuts onAll={() => onFilter({ status: 'all' })} />;
  return (
    <>
      {error && <FailureNotice error={error} what="The opt-outs could not be loaded." onRetry={() => void refetch()} />}
      {(data ?? !error) &&
        (isEmpty ? (
          <NoneFound number={number} isEnd={data.next_cursor === null} />
        ) : (
          <DataTable
            label="Opt-outs"
            columns={columns}
            rows={data?.optouts}
            keyOf={(row) => `${row.number} ${row.sender} ${row.opted_out_at}`}
            isBusy={!data || isPlaceholderData}
            placesKept={limits.tablePageSize}
          />
        ))}
      <CursorPager {...turns} next={data?.next_cursor ?? undefined} />
    </>
  );
}

const states = [
  ['', 'Opted out'],
  ['all', 'All, also opted in again'],
] as const;

interface FiltersProps {
  readonly chosen: Chosen;
  readonly faults: readonly string[];
  readonly onFilter: OptOutsProps['onFilter'];
}

function Filters({ chosen, faults, onFilter }: FiltersProps) {
  const { number, status, ...days } = chosen;
  return (
    <FilterBar
      isSearched={number !== ''}
      chips={[...chipOf('State', status, states, () => onFilter({ status: '' })), ...chipOfDays(days, onFilter)]}
      faults={faults}
      onClear={() => onFilter(noFilters)}
      search={
        <SearchField
          label="Phone number"
          placeholder="Phone number"
          value={number}
          inputMode="tel"
          maxLength={limits.searchedNumberCharactersMax}
          faultOf={(typed) => (typed === '' || /\d/.test(typed) ? undefined : 'Enter at least one digit.')}
          onChange={(typed) => onFilter({ number: typed })}
        />
      }
    >
      <FilterPlace>
        <Select
          label="State"
          value={status === 'all' ? 'all' : ''}
          options={states}
          onChange={(state) => onFilter({ status: state })}
        />
      </FilterPlace>
      <FilterPlace>
        <DateRange value={days} onChange={onFilter} />
      </FilterPlace>
    </FilterBar>
  );
}

const columns: readonly Column<OptOutView>[] = [
  {
    title: 'Date',
    phone: 'time',
    cell: ({ opted_out_at: at }, before) => <When at={at} before={before?.opted_out_at} />,
  },
  {
    title: 'Number',
    phone: 'title',
    cell: ({ number }) => (
      <Link data-open className={historyStyles.open} to={conversationPath(number)}>
        <PhoneNumber number={number} />
      </Link>
    ),
  },
  {
    title: 'Opted out of',
    cell: ({ sender }) => (sender === null ? 'All your numbers' : <PhoneNumber number={sender} />),
  },
  { title: 'How', phone: 'text', cell: ({ source, word }) => howOf(source, word) },
  { title: 'State', phone: 'state', cell: (row) => <State {...row} /> },
];

/** Source of an opt-out. The word is only known for replies to this account. */
function howOf(source: OptOutView['source'], word: string | null): string {
  if (source === 'carrier') return 'Known to the carrier';
  return word === null ? 'Reply' : `Replied ${word}`;
}

function State({ status, opted_in_at: at }: OptOutView) {
  const Icon = status === 'opted_out' ? IconCircleMinus : IconCircle;
  return (
    <span className={styles.mark} title={at === null ? undefined : exactTimes(at)}>
      <Icon size={16} aria-hidden="true" />
      {status === 'opted_out' ? 'Opted out' : 'Opted in again'}
    </span>
  );
}

function NoOptOuts({ onAll }: { onAll: () => void }) {
  return (
    <EmptyView
      title="No opt-outs."
      text={
        'A person who replies STOP to one of your messages gets no more of them, and is listed here with ' +
        'the date and the word. Replying START opts the person in again. Both work by themselves.'
      }
    >
      <Button onClick={onAll}>Show people who opted in again</Button>
      <Link to={`${paths.receiving}#stop-and-start`} reloadDocument>
        How STOP and START work
      </Link>
    </EmptyView>
  );
}

interface NoneFoundProps {
  readonly number: string;
  /** True if there are no older opt-outs. */
  readonly isEnd: boolean;
}

function NoneFound({ number, isEnd }: NoneFoundProps) {
  const isWhole = wholePhoneNumber(number) !== undefined;
  return (
    <div className={historyStyles.none}>
      <p role="status">
        {isEnd ? 'No opt-outs match these filters.' : 'None among those searched so far. Choose Next to search on.'}
      </p>
      {isEnd && isWhole && (
        <p className={styles.why}>
          If a message to this person is refused all the same, the person has opted out of a number that other accounts
          use too. People whom you have not texted are not listed.
        </p>
      )}
    </div>
  );
}
