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
import { DayRange } from '../../ui/filter-fields.js';
import { newYorkTime } from '../../ui/format.js';
import { EmptyView, View } from '../../ui/view.js';
import { wholePhoneNumber } from './history-filters.js';
import { SearchField } from './history-shell.js';
import historyStyles from './history.module.css';
import styles from './opt-outs.module.css';

/** Who has opted out of the account's messages: from which sender, when and how. */
export default function OptOutsPage() {
  const [address, setAddress] = useSearchParams();
  const filter = filterIn(address);
  const { from = '', to = '', number = '', status = '' } = filter;
  const change: OptOutsProps['onFilter'] = (changed) =>
    setAddress(
      Object.entries({ ...filter, ...changed })
        .map(([name, value = '']): [string, string] => [name, value])
        .filter(([, value]) => value !== ''),
      { replace: true, preventScrollReset: true },
    );
  return (
    <View
      title="Opt-outs"
      lead="People you have texted who replied STOP. Messages to them are refused until they reply START."
      actions={
        <ButtonLink to={optOutsCsvPath(filter)} reloadDocument download>
          Export CSV
        </ButtonLink>
      }
    >
      <Filters filter={filter} onFilter={change} />
      <OptOuts key={JSON.stringify([from, to, number, status])} filter={filter} onFilter={change} />
    </View>
  );
}

/** The filter in an address, without what the server would refuse. */
function filterIn(address: URLSearchParams): OptOutsFilter {
  const { shape } = optOutsFilter;
  return {
    number: shape.number.safeParse(address.get('number') ?? '').data,
    from: shape.from.safeParse(address.get('from') ?? '').data,
    to: shape.to.safeParse(address.get('to') ?? '').data,
    status: shape.status.safeParse(address.get('status') ?? '').data,
  };
}

interface OptOutsProps {
  readonly filter: OptOutsFilter;
  readonly onFilter: (changed: Partial<Record<keyof OptOutsFilter, string>>) => void;
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
          <NoneFound
            number={number}
            isEnd={data.next_cursor === null}
            onClear={() => onFilter({ number: '', from: '', to: '', status: '' })}
          />
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

function Filters({ filter: { number = '', from = '', to = '', status }, onFilter }: OptOutsProps) {
  return (
    <search className={styles.filters} aria-label="Filters">
      <div className={styles.number}>
        <SearchField
          label="Phone number"
          value={number}
          inputMode="tel"
          maxLength={limits.searchedNumberCharactersMax}
          faultOf={(typed) => (typed === '' || /\d/.test(typed) ? undefined : 'Enter at least one digit.')}
          onChange={(typed) => onFilter({ number: typed })}
        />
      </div>
      <div className={styles.state}>
        <Select
          label="State"
          value={status === 'all' ? 'all' : ''}
          options={states}
          onChange={(chosen) => onFilter({ status: chosen })}
        />
      </div>
      <DayRange from={from} to={to} onChange={(days) => onFilter(days)} />
    </search>
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
        <span className={historyStyles.number}>{number}</span>
      </Link>
    ),
  },
  {
    title: 'Opted out of',
    cell: ({ sender }) => <span className={historyStyles.number}>{sender ?? 'All your numbers'}</span>,
  },
  { title: 'How', phone: 'text', cell: ({ source, word }) => howOf(source, word) },
  { title: 'State', phone: 'state', cell: (row) => <State {...row} /> },
];

/** The word is known of replies to this account alone. */
function howOf(source: OptOutView['source'], word: string | null): string {
  if (source === 'carrier') return 'Known to the carrier';
  return word === null ? 'Reply' : `Replied ${word}`;
}

function State({ status, opted_in_at: at }: OptOutView) {
  const Icon = status === 'opted_out' ? IconCircleMinus : IconCircle;
  return (
    <span className={styles.mark} title={at === null ? undefined : `${newYorkTime(at)} New York time`}>
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
        'A person who replies STOP to one of your messages gets no more from that number, and is listed here with ' +
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
  /** There are no older ones. */
  readonly isEnd: boolean;
  readonly onClear: () => void;
}

function NoneFound({ number, isEnd, onClear }: NoneFoundProps) {
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
      <p className={styles.why}>
        <Button onClick={onClear}>Clear filters</Button>
      </p>
    </div>
  );
}
