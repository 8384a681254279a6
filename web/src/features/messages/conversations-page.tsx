import { type RefObject, type SubmitEvent, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import {
  type ConversationRow,
  type ConversationsAnswer,
  type ConversationTab,
  type UnansweredAnswer,
} from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { conversationListKey, conversationListQuery, unansweredQuery } from '../../api/messages.js';
import { conversationPath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, CursorPager, DataTable, useCursor, When } from '../../ui/data-table.js';
import { formText } from '../../ui/form.js';
import { briefTimestamp, exactTimes } from '../../ui/format.js';
import { Flag } from '../../ui/icons.js';
import { Tabs } from '../../ui/tabs.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { EmptyView, View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { IconCircleMinus, IconMessageCircle } from '../../dashboard/frame/icons.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { textOrMedia } from '../../dashboard/records/text-or-media.js';
import { StatusLabel } from '../../dashboard/records/status-label.js';
import { addressOf, type ConversationFilter, filterIn, searchFor } from './conversation-filter.js';
import { wholePhoneNumber } from './history-filters.js';
import { SearchField } from '../../ui/filter-fields.js';
import styles from './conversations-page.module.css';
import historyStyles from './history.module.css';

export default function ConversationsPage() {
  const [address, setAddress] = useSearchParams();
  const filter = filterIn(address);
  const { data: unanswered } = useQuery(unansweredQuery);
  const go = (wanted: Partial<ConversationFilter>) =>
    setAddress(addressOf({ ...filter, ...wanted }), { replace: true, preventScrollReset: true });
  const find = useRef<HTMLFormElement>(null);
  const clear = () => {
    go({ number: '', text: '' });
    find.current?.querySelector('input')?.focus();
  };
  return (
    <View title="Conversations" lead="People you exchange messages with.">
      <Find ref={find} filter={filter} onFind={go} />
      <Tabs label="Conversations" tabs={tabsWith(unanswered)} chosen={filter.tab} onChoose={(tab) => go({ tab })}>
        <Conversations filter={filter} onClear={clear} />
      </Tabs>
    </View>
  );
}

function tabsWith(unanswered: UnansweredAnswer | undefined) {
  const count = unanswered && `${unanswered.count}${unanswered.isMore ? '+' : ''}`;
  return [
    { name: 'replies', title: 'With replies' },
    {
      name: 'unanswered',
      title: (
        <span className={styles.tab}>
          Unanswered <span className={styles.count}>{count}</span>
        </span>
      ),
    },
    { name: 'all', title: 'All' },
  ] as const;
}

interface ConversationsProps {
  readonly filter: ConversationFilter;
  readonly onClear: () => void;
}

/** The people of a tab, kept current. */
function Conversations({ filter, onClear }: ConversationsProps) {
  const { tab, number, text } = filter;
  const { cursor, onStart, ...turns } = useCursor<NonNullable<ConversationsAnswer['next']>>();
  const [shown, setShown] = useState(filter);
  if (shown.tab !== tab || shown.number !== number || shown.text !== text) {
    // Another search starts on the first page.
    setShown(filter);
    onStart();
  }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...conversationListQuery({ ...cursor, tab, number, text }),
    refetchOnMount: 'always',
  });
  useRefresh(conversationListKey);
  const isFiltered = number !== '' || text !== '';
  const isWhole = turns.page === 1 && data?.next === null && !isPlaceholderData;
  if (isWhole && !isFiltered && data.conversations.length === 0) return <NoConversations tab={tab} />;
  return (
    <>
      {error && (
        <FailureNotice error={error} what="Your conversations could not be loaded." onRetry={() => void refetch()} />
      )}
      {(data ?? !error) && (
        <>
          <p className={historyStyles.count} role="status">
            {data ? countText(data, { isWhole, isFirst: turns.page === 1 }) : 'Loading...'}
          </p>
          {data?.conversations.length === 0 ? (
            <NoneFound filter={filter} isEnd={data.next === null} onClear={onClear} />
          ) : (
            <DataTable
              label="Conversations"
              columns={columnsOf(filter)}
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

/** Number of shown people, and the date back to which an incomplete page was searched. */
function countText(
  { conversations: { length }, searchedTo }: ConversationsAnswer,
  { isWhole, isFirst }: { isWhole: boolean; isFirst: boolean },
): string {
  const back = searchedTo === null ? '' : ` Searched back to ${briefTimestamp(searchedTo)}.`;
  if (length === 0) return `0 found.${back}`;
  const count = length === 1 ? '1 conversation' : `${length} conversations`;
  if (isWhole) return `${count}.${back}`;
  return isFirst ? `The latest ${length === 1 ? 'conversation' : count}.${back}` : `${count} further back.${back}`;
}

interface FindProps {
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly filter: ConversationFilter;
  readonly onFind: (wanted: Partial<ConversationFilter>) => void;
}

/** Finds people by a typed number or text; Enter opens the conversation of any whole number. */
function Find({ ref, filter: { number, text }, onFind }: FindProps) {
  const navigate = useNavigate();
  const open = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const whole = wholePhoneNumber(formText(new FormData(event.currentTarget), 'search'));
    if (whole !== undefined) void navigate(conversationPath(whole));
  };
  return (
    <search aria-label="Find a conversation">
      <form ref={ref} className={styles.search} noValidate onSubmit={open}>
        <SearchField
          label="Number or text"
          name="search"
          value={number || text}
          maxLength={limits.searchCharactersMax}
          onChange={(typed) => onFind(searchFor(typed))}
        />
      </form>
    </search>
  );
}

const countries = new Map<string, string>(regions.map(({ iso2, country }) => [iso2, country]));

function columnsOf({ tab, text }: ConversationFilter): readonly Column<ConversationRow>[] {
  const message = text !== '' ? 'Message Found' : tab === 'all' ? 'Latest Message' : 'Latest Reply';
  return [
    { title: 'Date', phone: 'time', cell: ({ at }, before) => <When at={at} before={before?.at} /> },
    { title: 'Number', phone: 'title', cell: (row) => <Person {...row} /> },
    { title: message, phone: 'text', cell: (row) => <Message {...row} /> },
    { title: 'State', phone: 'state', cell: (row) => <State {...row} isAnswer={tab !== 'all'} /> },
  ];
}

function Person({ number, country }: ConversationRow) {
  const { search } = useLocation();
  const name = countries.get(country ?? '');
  return (
    <span className={styles.person} title={name}>
      {name !== undefined && country !== null && <Flag iso2={country} />}
      <Link data-open className={historyStyles.open} to={conversationPath(number)} state={{ search }}>
        <PhoneNumber number={number} />
      </Link>
    </span>
  );
}

/**
 * The start of the text; the ellipsis is at the text's end, also from right to left.
 */
function Message({ direction, text, isTextRemoved, mediaTypes, isUnanswered }: ConversationRow) {
  const shown = textOrMedia(text, mediaTypes, isTextRemoved);
  return direction === 'sent' ? (
    <span className={styles.text}>
      <span className={styles.you}>You: </span>
      <bdi>{shown}</bdi>
    </span>
  ) : (
    <span className={styles.text} dir="auto" data-waits={isUnanswered}>
      {shown}
    </span>
  );
}

/**
 * Opt-out or unanswered reply of the person; otherwise the outcome of the latest message to the
 * person.
 */
function State({ sentStatus, optedOutAt, isUnanswered, isAnswer }: ConversationRow & { isAnswer: boolean }) {
  if (optedOutAt !== null)
    return (
      <span className={styles.state} title={exactTimes(optedOutAt)}>
        <IconCircleMinus size={16} aria-hidden="true" />
        Opted out
      </span>
    );
  if (isUnanswered)
    return (
      <span className={styles.state} data-waits>
        Unanswered
      </span>
    );
  if (sentStatus === null || (isAnswer && sentStatus !== 'failed' && sentStatus !== 'undelivered'))
    return (
      <span className={styles.state}>
        <IconMessageCircle size={16} aria-hidden="true" />
        Answered
      </span>
    );
  return (
    <span className={styles.status}>
      <StatusLabel status={sentStatus} />
    </span>
  );
}

interface NoneFoundProps {
  readonly filter: ConversationFilter;
  /** True if there are no older messages. */
  readonly isEnd: boolean;
  readonly onClear: () => void;
}

function NoneFound({ filter: { tab, number, text }, isEnd, onClear }: NoneFoundProps) {
  const whole = wholePhoneNumber(number);
  const what = text === '' ? 'with this number' : number === '' ? 'with this text' : 'with this number and text';
  const among = { replies: 'has replied', unanswered: 'waits for an answer', all: '' }[tab];
  return (
    <div className={historyStyles.none}>
      <p>
        {isEnd
          ? `No one ${[what, among].filter(Boolean).join(' ')}.`
          : 'No one else in the messages searched so far. Choose Next to search earlier ones.'}
      </p>
      <p className={styles.next}>
        {whole !== undefined && <ButtonLink to={conversationPath(whole)}>Open {shownNumber(whole)}</ButtonLink>}
        <Button onClick={onClear}>Clear search</Button>
      </p>
    </div>
  );
}

const empty: Readonly<Record<ConversationTab, readonly [title: string, text: string]>> = {
  replies: ['No replies yet.', 'People who reply to your messages are listed here, the latest reply first.'],
  unanswered: ['No unanswered replies.', 'People whose reply is the latest message between you are listed here.'],
  all: ['No conversations yet.', 'Everyone you exchange messages with is listed here, the latest message first.'],
};

function NoConversations({ tab }: { tab: ConversationTab }) {
  const [title, text] = empty[tab];
  return (
    <EmptyView title={title} text={text}>
      <ButtonLink to={paths.dashboardSend} look="primary">
        Send SMS
      </ButtonLink>
      <Link to={paths.receiving} reloadDocument>
        How replies reach you
      </Link>
    </EmptyView>
  );
}
