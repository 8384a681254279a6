import { Link, useLocation, useSearchParams } from 'react-router';
import { deliveryErrorOf } from '#contract/delivery-errors.js';
import type { SentDetailsAnswer, TimelineStep } from '#contract/histories.js';
import type { MessageStatus } from '#contract/messages.js';
import { failureOf } from '../../api/api-failure.js';
import { recordJsonPath } from '../../api/messages.js';
import { conversationPath, paths, recordPath } from '../../paths.js';
import { ButtonLink, CopyButton } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { DataTable } from '../../ui/data-table.js';
import { newYorkTime, orRemoved } from '../../ui/format.js';
import { Card, Notice } from '../../ui/surface.js';
import { EmptyView, Facts, View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { ledgerColumns } from '../../dashboard/records/ledger-columns.js';
import { useSentMessage } from '../composer/sent-message.js';
import { isOptOut, OptOutLink } from '../../dashboard/records/opt-out-link.js';
import { ReasonCode } from '../../dashboard/records/reason.js';
import { StatusLabel, StatusShape, statusWords } from '../../dashboard/records/status-label.js';
import { CancelMessage, MessageWebhooks } from './message-parts.js';
import styles from './message-page.module.css';

export default function MessagePage() {
  const [address] = useSearchParams();
  const id = address.get('id') ?? '';
  return (
    <View title="Message" lead={<BackToHistory />}>
      <Message key={id} id={id} />
    </View>
  );
}

function Message({ id }: { id: string }) {
  const { data: message, error, refetch } = useSentMessage(id);
  if (message) return <MessageDetails message={message} />;
  if (error && failureOf(error).kind === 'refused')
    return (
      <EmptyView title="Message not found." text="Your account has no sent message with this id.">
        <ButtonLink to={paths.dashboardMessages}>See all messages</ButtonLink>
      </EmptyView>
    );
  if (error)
    return <FailureNotice error={error} what="The message could not be loaded." onRetry={() => void refetch()} />;
  return <p role="status">Loading...</p>;
}

/** Leads back to the history with its filters. */
function BackToHistory() {
  const { state } = useLocation() as { state: unknown };
  const search = typeof state === 'object' && state && 'search' in state ? String(state.search) : '';
  return <Link to={`${paths.dashboardMessages}${search}`}>Back to SMS History</Link>;
}

/** Without the link to the message, which is this page. */
const entryColumns = ledgerColumns.filter(({ title }) => title !== 'Details');

/** Everything about one sent message. */
function MessageDetails({ message }: { message: SentDetailsAnswer }) {
  const { timeline, ledger, messageId, reason, refunded } = message;
  const explained = reason && deliveryErrorOf(reason.code);
  return (
    <div className={styles.page}>
      {reason && explained && (
        <Notice kind="bad">
          <div className={styles.fault}>
            <p>
              {reason.text} (<ReasonCode code={reason.code} />
              ). {refunded > 0 ? `Your ${credits(refunded)} ${refunded === 1 ? 'was' : 'were'} refunded.` : ''}
            </p>
            <p>
              {explained.meaning} {explained.remedy.replaceAll('`', '')}{' '}
              {isOptOut(reason.code) && <OptOutLink number={message.to} />}
            </p>
          </div>
        </Notice>
      )}
      <div className={styles.top}>
        <Card>
          <p className={styles.text} dir="auto">
            {orRemoved(message.message)}
          </p>
          <Facts facts={factsOf(message)} />
        </Card>
        <Card>
          <h2 className={styles.title}>Timeline</h2>
          <Timeline steps={timeline} />
          {message.status === 'scheduled' && <CancelMessage {...message} />}
        </Card>
      </div>
      <section aria-label="Ledger entries">
        <h2 className={styles.title}>Ledger entries</h2>
        <DataTable
          label="Ledger entries"
          columns={entryColumns}
          rows={ledger}
          keyOf={({ kind, date }) => `${kind} ${date}`}
        />
      </section>
      <MessageWebhooks messageId={messageId} />
      <p className={styles.moves}>
        {message.message !== '' && message.to !== '' && (
          <>
            <ButtonLink to={paths.dashboardSend} state={{ to: message.to, message: message.message }}>
              Send again
            </ButtonLink>
            <ButtonLink to={conversationPath(message.to)}>Conversation</ButtonLink>
          </>
        )}
        <Link to={recordPath(messageId)}>Record</Link>
        <a href={recordJsonPath(messageId)}>JSON</a>
      </p>
    </div>
  );
}

const waiting: ReadonlySet<MessageStatus> = new Set(['scheduled', 'queued', 'sending']);

function factsOf(message: SentDetailsAnswer) {
  const { to, from, messageId, segments, encoding, refunded, reference, status } = message;
  return [
    ['Status', <StatusLabel key="status" status={status} />],
    ...(message.sendAt === null ? [] : [['Scheduled for', `${newYorkTime(message.sendAt)} New York time`] as const]),
    ['To', orRemoved(to)],
    ['From', from ?? (waiting.has(status) ? 'Chosen when the message is sent' : 'Not sent')],
    [
      'Message id',
      <span key="id" className={styles.id}>
        <code>{messageId}</code>
        <CopyButton text={messageId} label="Copy message id" done="Message id copied to clipboard!" look="plain" />
      </span>,
    ],
    ['Segments', `${segments.toLocaleString('en-US')} (${encoding})`],
    [
      'Price',
      refunded > 0
        ? `${credits(message.credits)}, ${refunded.toLocaleString('en-US')} refunded`
        : credits(message.credits),
    ],
    ['Reference', reference ?? 'None'],
  ] as const;
}

const ahead: Readonly<Record<TimelineStep['status'], string>> = {
  scheduled: 'Waiting for its scheduled time.',
  queued: 'Waiting in the queue.',
  sending: 'Being handed to the carrier.',
  sent: 'The carrier has it; waiting for its delivery receipt.',
  delivered: '',
  undelivered: '',
  failed: '',
  canceled: '',
};

/** The statuses a message has reached, with New York times, and what it is waiting for. */
function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  const last = steps.at(-1)?.status;
  return (
    <ol className={styles.steps} aria-label="Timeline" aria-live="polite">
      {steps.map(({ status, date, at }) => (
        <li key={status} className={styles.step}>
          <StatusShape status={status} />
          <span className={styles.word}>{statusWords[status]}</span>
          <time className={styles.at} dateTime={at}>
            {date}
          </time>
          {status === last && ahead[status] && <span className={styles.ahead}>{ahead[status]}</span>}
        </li>
      ))}
    </ol>
  );
}
