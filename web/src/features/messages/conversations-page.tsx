import { type SubmitEvent, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { type ConversationRow, type ConversationsAnswer, conversationsQuery } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { conversationListKey, conversationListQuery } from '../../api/messages.js';
import { conversationPath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, CursorPager, DataTable, useCursor, When } from '../../ui/data-table.js';
import { formText } from '../../ui/form.js';
import { newYorkTime, orRemoved } from '../../ui/format.js';
import { Flag } from '../../ui/icons.js';
import { EmptyView, View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { IconCircleMinus } from '../../dashboard/frame/icons.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { StatusLabel } from '../../dashboard/records/status-label.js';
import { wholePhoneNumber } from './history-filters.js';
import { SearchField } from '../../ui/filter-fields.js';
import styles from './conversations-page.module.css';
import historyStyles from './history.module.css';

export default function ConversationsPage() {
  return (
    <View title="Conversations">
      <Conversations />
    </View>
  );
}

/** The people with whom the account exchanges messages, the latest message first, kept current. */
function Conversations() {
  const [address, setAddress] = useSearchParams();
  const { number = '' } = conversationsQuery.pick({ number: true }).safeParse(Object.fromEntries(address)).data ?? {};
  const { cursor, onStart, ...turns } = useCursor<NonNullable<ConversationsAnswer['next']>>();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...conversationListQuery({ ...cursor, ...(number !== '' && { number }) }),
    refetchOnMount: 'always',
  });
  useRefresh(conversationListKey);
  const find = (typed: string) => {
    // Another search starts on the first page.
    onStart();
    setAddress(typed === '' ? [] : [['number', typed]], { replace: true, preventScrollReset: true });
  };
  const isWhole = turns.page === 1 && data?.next === null && !isPlaceholderData;
  if (isWhole && number === '' && data.conversations.length === 0) return <NoConversations />;
  return (
    <>
      <FindNumber number={number} onFind={find} />
      {error && (
        <FailureNotice error={error} what="Your conversations could not be loaded." onRetry={() => void refetch()} />
      )}
      {(data ?? !error) && (
        <>
          <p className={historyStyles.count} role="status">
            {data ? countText(data, isWhole) : 'Loading...'}
          </p>
          {data?.conversations.length === 0 ? (
            <NobodyFound number={number} isEnd={data.next === null} onClear={() => find('')} />
          ) : (
            <DataTable
              label="Conversations"
              columns={columns}
              rows={data?.conversations}
              keyOf={(row) => row.number}
              isBusy={!data || isPlaceholderData}
              placesKept={limits.tablePageSize}
            />
          )}
          <CursorPager {...turns} next={data?.next ?? undefined} />
        </>
      )}
    </>
  );
}

/** How many people are shown, and how far back a page that is not full looked for them. */
function countText({ conversations: { length }, searchedTo }: ConversationsAnswer, isWhole: boolean): string {
  if (length === 0) return searchedTo === null ? '0 found.' : `0 found. Searched back to ${searchedTo}.`;
  const people = `${length === 1 ? '1 person' : `${length} people`}${isWhole ? '' : ' on this page'}.`;
  return searchedTo === null ? people : `${people} Searched back to ${searchedTo}.`;
}

interface FindNumberProps {
  readonly number: string;
  readonly onFind: (typed: string) => void;
}

/** Finds people while a number is typed; a whole number opens its conversation, also a new one. */
function FindNumber({ number, onFind }: FindNumberProps) {
  const navigate = useNavigate();
  const [refused, refuse] = useState<string>();
  const open = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = formText(new FormData(event.currentTarget), 'number');
    const whole = wholePhoneNumber(typed);
    if (whole !== undefined) void navigate(conversationPath(whole));
    else refuse(typed);
  };
  const faultOf = (typed: string) => {
    if (typed !== '' && !/\d/.test(typed)) return 'Enter at least one digit.';
    return typed === refused ? 'To open a conversation, enter a whole number with its country code.' : undefined;
  };
  return (
    <search aria-label="Find a conversation">
      <form className={styles.find} noValidate onSubmit={open}>
        <SearchField
          label="Phone number"
          name="number"
          value={number}
          inputMode="tel"
          maxLength={limits.searchedNumberCharactersMax}
          faultOf={faultOf}
          onChange={onFind}
        />
        <div className={styles.open}>
          <Button type="submit">Open</Button>
        </div>
      </form>
    </search>
  );
}

const countries = new Map<string, string>(regions.map(({ iso2, country }) => [iso2, country]));

const columns: readonly Column<ConversationRow>[] = [
  { title: 'Date', phone: 'time', cell: ({ at }, before) => <When at={at} before={before?.at} /> },
  { title: 'Number', phone: 'title', cell: (row) => <Person {...row} /> },
  { title: 'Latest Message', phone: 'text', cell: (row) => <LatestMessage {...row} /> },
  {
    title: 'Sent Status',
    cell: ({ sentStatus }) => <SentStatus status={sentStatus} />,
  },
  { title: 'State', phone: 'state', cell: (row) => <State {...row} /> },
];

function Person({ number, country }: ConversationRow) {
  const name = countries.get(country ?? '');
  return (
    <span className={styles.person} title={name}>
      {name !== undefined && country !== null && <Flag iso2={country} />}
      <Link data-open className={historyStyles.open} to={conversationPath(number)}>
        {number}
      </Link>
    </span>
  );
}

/**
 * The start of the text; the ellipsis stands where the person's own one ends, also from right to
 * left.
 */
function LatestMessage({ direction, text, optedOutAt }: ConversationRow) {
  return direction === 'sent' ? (
    <span className={styles.text}>
      <span className={styles.you}>You: </span>
      <bdi>{orRemoved(text)}</bdi>
    </span>
  ) : (
    <span className={styles.text} dir="auto" data-waits={optedOutAt === null}>
      {orRemoved(text)}
    </span>
  );
}

function SentStatus({ status }: { status: ConversationRow['sentStatus'] }) {
  if (status === null) return '–';
  return (
    <span className={styles.status}>
      <StatusLabel status={status} />
    </span>
  );
}

/**
 * Whether the person waits for an answer or has opted out. On phones, else the status of the latest
 * message.
 */
function State({ direction, sentStatus, optedOutAt }: ConversationRow) {
  if (optedOutAt !== null)
    return (
      <span className={styles.state} title={`${newYorkTime(optedOutAt)} New York time`}>
        <IconCircleMinus size={16} aria-hidden="true" />
        Opted out
      </span>
    );
  if (direction === 'received')
    return (
      <span className={styles.state} data-waits>
        Unanswered
      </span>
    );
  return (
    <span className={styles.phone}>
      <SentStatus status={sentStatus} />
    </span>
  );
}

interface NobodyFoundProps {
  readonly number: string;
  /** There are no older messages. */
  readonly isEnd: boolean;
  readonly onClear: () => void;
}

function NobodyFound({ number, isEnd, onClear }: NobodyFoundProps) {
  const whole = wholePhoneNumber(number);
  return (
    <div className={historyStyles.none}>
      <p>
        {isEnd
          ? 'Nobody with this number.'
          : 'Nobody else in the messages searched so far. Choose Next to search earlier ones.'}
      </p>
      {number !== '' && (
        <p className={styles.next}>
          {whole !== undefined && <ButtonLink to={conversationPath(whole)}>Open {whole}</ButtonLink>}
          <Button onClick={onClear}>Show everyone</Button>
        </p>
      )}
    </div>
  );
}

function NoConversations() {
  return (
    <EmptyView
      title="No conversations yet."
      text="Everyone you exchange messages with is listed here, the latest message first."
    >
      <ButtonLink to={paths.dashboardSend} look="primary">
        Send SMS
      </ButtonLink>
      <Link to={paths.receiving} reloadDocument>
        How replies reach you
      </Link>
    </EmptyView>
  );
}
