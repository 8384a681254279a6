import { useState } from 'react';
import { Link } from 'react-router';
import { receivedFilter, type ReceivedRow, type ReceivedStatus } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { readReceived, receivedKey } from '../../api/messages.js';
import { conversationPath, paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { type Column, When } from '../../ui/data-table.js';
import { orRemoved } from '../../ui/format.js';
import { NumberOrRemoved, PhoneNumber } from '../../ui/phone-number.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { Dialog } from '../../ui/dialog.js';
import { EmptyView, Facts } from '../../ui/view.js';
import { useLiveEvent, useTrailing } from '../../dashboard/live/live-events.js';
import { StatusLabel } from '../../dashboard/records/status-label.js';
import type { HistoryFilters } from './history-filters.js';
import { HistoryShell } from './history-shell.js';
import styles from './history.module.css';
import { MessageMedia } from './message-media.js';
import { MessageCell, MessagePopup, MessageWebhooks, type PoppedMessage } from './message-parts.js';
import { useHistory } from './use-history.js';

interface ReceivedHistoryProps {
  readonly filters: HistoryFilters;
  /** Invalid filters of the address, as sentences. */
  readonly faults: readonly string[];
  readonly onFilter: (filters: HistoryFilters) => void;
}

/** The account's received messages. */
export function ReceivedHistory({ filters, faults, onFilter }: ReceivedHistoryProps) {
  const history = useReceivedHistory(filters);
  const [popped, pop] = useState<PoppedMessage>();
  const [opened, open] = useState<ReceivedRow>();
  return (
    <>
      <HistoryShell
        name="received"
        filters={filters}
        faults={faults}
        onFilter={onFilter}
        history={history}
        columns={columnsWith(open, pop)}
        empty={<NothingReceived />}
      />
      {popped && <MessagePopup {...popped} onClose={() => pop(undefined)} />}
      {opened && <ReceivedPopup message={opened} onClose={() => open(undefined)} />}
    </>
  );
}

function columnsWith(
  open: (row: ReceivedRow) => void,
  pop: (message: PoppedMessage) => void,
): readonly Column<ReceivedRow>[] {
  return [
    {
      title: 'Date',
      phone: 'time',
      cell: ({ at }, before) => <When at={at} before={before?.at} />,
    },
    {
      title: 'Received From',
      phone: 'title',
      cell: ({ from }) => <NumberOrRemoved number={from} />,
    },
    {
      title: 'Message',
      phone: 'text',
      cell: (row) => (
        <MessageCell
          text={row.message}
          mediaTypes={row.media.map(({ type }) => type)}
          isTextRemoved={row.isTextRemoved}
          onMore={() => pop(row)}
          opener={(text) => (
            <button type="button" data-open className={styles.open} onClick={() => open(row)}>
              {text}
            </button>
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
    { title: 'Status', phone: 'state', cell: ({ status }) => <StatusLabel status={status} /> },
  ];
}

/** Live events carry only the ids of replies, so the page is refetched, at most this often. */
const READ_EVERY_MS = 300;

/** Received messages, kept current. */
function useReceivedHistory(filters: HistoryFilters) {
  const history = useHistory<ReceivedRow>({
    queryKey: receivedKey,
    filters,
    read: ({ page, size, order, ...filter }) => readReceived({ ...receivedFilter.parse(filter), page, size, order }),
  });
  const { answer, isLive, lookForNewer, readAgain } = history;
  const readSoon = useTrailing(readAgain, READ_EVERY_MS);
  useLiveEvent('received', ({ message_ids: ids }) => {
    const isShown = answer?.rows.some(({ messageId }) => ids.includes(messageId)) ?? false;
    if (isLive || isShown) readSoon();
    lookForNewer();
  });
  const startOver = () => {
    readAgain();
    lookForNewer();
  };
  useLiveEvent('live', startOver);
  useLiveEvent('many', startOver);
  return history;
}

const notForwarded: Readonly<Record<Exclude<ReceivedStatus, 'received'>, string>> = {
  held: 'You had no credits when it arrived. It will be sent to your webhook once you have credits.',
  limited:
    `This person had already sent you ${limits.chargedRepliesPerHourMax} replies within an hour, or your number had ` +
    'received as many texts of strangers as it takes in a day, or is being released. Further ones are listed here, ' +
    'but neither charged nor sent to your webhook.',
};

interface ReceivedPopupProps {
  readonly message: ReceivedRow;
  readonly onClose: () => void;
}

/** A received message and its webhook deliveries. */
function ReceivedPopup({ message, onClose }: ReceivedPopupProps) {
  const { messageId, date, from, to, segments, status, media } = message;
  return (
    <Dialog title={`Message from ${shownNumber(from)}`} onClose={onClose}>
      <div className={styles.popup}>
        {(message.message !== '' || media.length === 0) && (
          <p className={styles.receivedText} dir="auto">
            {orRemoved(message.message, message.isTextRemoved)}
          </p>
        )}
        <MessageMedia media={media} />
        <Facts
          facts={[
            ['Received', date],
            ['To', <PhoneNumber key="to" number={to} />],
            ['Message id', <code key="id">{messageId}</code>],
            ['Segments', segments.toLocaleString('en-US')],
            ['Price', status === 'held' ? '1 credit, when it is forwarded' : credits(message.credits)],
            ['Status', <StatusLabel key="status" status={status} />],
          ]}
        />
        <p>
          <ButtonLink to={conversationPath(from)} look="primary">
            Reply
          </ButtonLink>
        </p>
        {status === 'received' ? <MessageWebhooks messageId={messageId} /> : <p>{notForwarded[status]}</p>}
      </div>
    </Dialog>
  );
}

/** Replies are received only while a webhook URL is set. */
function NothingReceived() {
  return (
    <EmptyView
      title="No received SMS history available."
      text="Replies to your messages are listed here and posted to your webhook. Set its URL to receive replies."
    >
      <ButtonLink to={paths.dashboardWebhook}>Set your webhook URL</ButtonLink>
      <Link to={paths.receiving} reloadDocument>
        How replies reach you
      </Link>
    </EmptyView>
  );
}
