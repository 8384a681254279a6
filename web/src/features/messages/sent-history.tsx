import { useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { sentFilter, type SentRow } from '#contract/histories.js';
import type { MessageView } from '#contract/messages.js';
import { readSent, sentKey } from '../../api/messages.js';
import { messagePath, paths } from '../../paths.js';
import { type Column, When } from '../../ui/data-table.js';
import { Moment } from '../../ui/moment.js';
import { NumberOrRemoved } from '../../ui/phone-number.js';
import { EmptyView } from '../../ui/view.js';
import { CurlSample } from '../composer/curl-sample.js';
import { useMessageUpdates } from '../composer/message-updates.js';
import { OutcomeLabel } from '../../dashboard/records/reason.js';
import { StatusLabel } from '../../dashboard/records/status-label.js';
import { CancelMessage, MessageCell, MessagePopup, type PoppedMessage } from './message-parts.js';
import type { HistoryFilters } from './history-filters.js';
import { HistoryShell } from './history-shell.js';
import styles from './history.module.css';
import { withSentUpdates } from './sent-updates.js';
import { useHistory } from './use-history.js';

interface SentHistoryProps {
  readonly filters: HistoryFilters;
  /** Invalid filters of the address, as sentences. */
  readonly faults: readonly string[];
  readonly onFilter: (filters: HistoryFilters) => void;
}

/** The account's messages. */
export function SentHistory({ filters, faults, onFilter }: SentHistoryProps) {
  const history = useSentHistory(filters);
  // The popup lives outside the rows, which may change while it is open.
  const [popped, pop] = useState<PoppedMessage>();
  const { search } = useLocation();
  return (
    <>
      <HistoryShell
        name="sent"
        filters={filters}
        faults={faults}
        onFilter={onFilter}
        history={history}
        columns={columnsWith(search, pop)}
        empty={<NothingSent />}
      />
      {popped && <MessagePopup {...popped} onClose={() => pop(undefined)} />}
    </>
  );
}

/** `search` is the query to return to from a message's page. */
function columnsWith(search: string, pop: (message: PoppedMessage) => void): readonly Column<SentRow>[] {
  return [
    {
      title: 'Date',
      phone: 'time',
      cell: ({ at }, before) => <When at={at} before={before?.at} />,
    },
    { title: 'Sent To', phone: 'title', cell: ({ to }) => <NumberOrRemoved number={to} /> },
    {
      title: 'Message',
      phone: 'text',
      cell: (row) => (
        <MessageCell
          text={row.message}
          mediaTypes={row.media.map(({ type }) => type)}
          onMore={() => pop(row)}
          opener={(text) => (
            <Link data-open className={styles.open} to={messagePath(row.messageId)} state={{ search }}>
              {text}
            </Link>
          )}
        />
      ),
    },
    {
      title: 'Segments Used',
      phone: 'more',
      isNumber: true,
      cell: ({ segments }) => segments.toLocaleString('en-US'),
    },
    { title: 'Status', phone: 'state', cell: (row) => <Status row={row} /> },
  ];
}

/** Status with the time and cancellation of a scheduled message, or the reason of a failure. */
function Status({ row: { status, sendAt, reason, messageId, to, credits } }: { row: SentRow }) {
  if (status !== 'scheduled' || sendAt === null) return <OutcomeLabel status={status} reason={reason} />;
  return (
    <div className={styles.waiting}>
      <StatusLabel status={status} />
      <Moment at={sendAt} />
      <CancelMessage messageId={messageId} to={to} credits={credits} sendAt={sendAt} />
    </div>
  );
}

/**
 * A page being read may miss updates that arrive meanwhile, so recent updates are kept longer than
 * any read takes.
 */
const RECENT_FOR_MS = 30_000;
const RECENT_MAX = 500;

interface RecentUpdate {
  readonly atMs: number;
  readonly message: MessageView;
}

/** Sent messages, kept current. */
function useSentHistory(filters: HistoryFilters) {
  const recent = useRef<readonly RecentUpdate[]>([]);
  const history = useHistory<SentRow>({
    queryKey: sentKey,
    filters,
    read: async (query) => {
      const startedAtMs = performance.now();
      const page = await readSent({
        ...sentFilter.parse(query),
        page: query.page,
        size: query.size,
        order: query.order,
      });
      const meanwhile = recent.current.filter(({ atMs }) => atMs >= startedAtMs).map(({ message }) => message);
      const { page: _asked, size, order, ...conditions } = query;
      const isNewest = page.page === 1 && order === 'newest' && Object.values(conditions).every((value) => !value);
      return withSentUpdates(page, meanwhile, size, isNewest);
    },
  });
  const { answer, isLive, lookForNewer, readAgain, size, update } = history;
  useMessageUpdates({
    onMessages: (messages) => {
      const atMs = performance.now();
      const kept = recent.current.filter((one) => atMs - one.atMs < RECENT_FOR_MS);
      recent.current = [...kept, ...messages.map((message) => ({ atMs, message }))].slice(-RECENT_MAX);
      update((page) => withSentUpdates(page, messages, size, isLive));
      const shown = new Set(answer?.rows.map(({ messageId }) => messageId));
      if (messages.some(({ message_id: id }) => !shown.has(id))) lookForNewer();
    },
    onMissed: () => {
      readAgain();
      lookForNewer();
    },
  });
  return history;
}

/** Shown before the first message: the command that sends one. */
function NothingSent() {
  return (
    <EmptyView
      title="No sent SMS history available."
      text="Every message you send is listed here, and its status updates while you watch."
    >
      <CurlSample />
      <p>
        Or <Link to={paths.dashboardSend}>send one from here</Link>.
      </p>
    </EmptyView>
  );
}
