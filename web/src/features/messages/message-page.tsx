import { Link, useLocation, useSearchParams } from 'react-router';
import type { SentDetailsAnswer, TimelineStep } from '#contract/histories.js';
import { failureOf } from '../../api/api-failure.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { DataTable } from '../../ui/data-table.js';
import { newYorkTime, orRemoved } from '../../ui/format.js';
import { Card, Notice } from '../../ui/surface.js';
import { EmptyView, Facts, View } from '../../ui/view.js';
import { FailureNotice } from '../dashboard/failures.js';
import { ledgerColumns } from '../dashboard/ledger-columns.js';
import { useSentMessage } from '../dashboard/sent-message.js';
import { StatusLabel, StatusShape, statusWords } from '../dashboard/status-label.js';
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
  const { timeline, ledger, messageId, error, carrierError, refunded } = message;
  return (
    <div className={styles.page}>
      {error !== null && (
        <Notice kind="bad">
          <div className={styles.fault}>
            <p>
              {faultText(error, carrierError)}{' '}
              {refunded > 0 ? `Your ${credits(refunded)} ${refunded === 1 ? 'was' : 'were'} refunded.` : ''}
            </p>
            {carrierError !== null && (
              <p>
                Carrier code{' '}
                <a href={carrierErrorUrl(carrierError)} rel="noreferrer">
                  {carrierError}
                </a>
              </p>
            )}
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
    </div>
  );
}

function factsOf(message: SentDetailsAnswer) {
  const { to, from, messageId, segments, encoding, refunded, reference, status } = message;
  return [
    ['Status', <StatusLabel key="status" status={status} />],
    ...(message.sendAt === null ? [] : [['Scheduled for', `${newYorkTime(message.sendAt)} New York time`] as const]),
    ['To', orRemoved(to)],
    ['From', from ?? 'Chosen when the message is sent'],
    ['Message id', <code key="id">{messageId}</code>],
    ['Segments', `${segments} (${encoding})`],
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
  scheduled: 'Waiting for its time.',
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

/** Explanations of our error codes. */
const faults: Readonly<Record<string, string>> = {
  daily_limit: 'The daily limit of your account was reached before it could be sent.',
  account_blocked: 'Your account was blocked before it could be sent.',
  delivery_suspended: 'Your account was suspended from sending before it could be sent.',
  carrier_refused: 'The carrier rejected it.',
  carrier_unavailable: 'The carrier was unreachable for too long.',
  not_delivered: 'The carrier could not deliver it.',
  expired: 'It had expired before it could be sent.',
  recipient_opted_out: 'The recipient opted out before it could be sent.',
};

/** Explanations of common carrier codes (https://www.twilio.com/docs/api/errors). */
const carrierFaults: Readonly<Record<number, string>> = {
  21211: 'invalid number.',
  21408: 'messages to this country are not permitted.',
  21610: 'the recipient has opted out.',
  21612: 'the number cannot be reached from ours.',
  21614: 'not a mobile number.',
  30001: 'its queue was full.',
  30003: 'the phone is switched off or out of reach.',
  30004: 'the recipient blocks messages.',
  30005: 'the number is unknown or no longer in use.',
  30006: 'the number is a landline, or its network does not support messages.',
  30007: 'the network classified it as spam.',
  30008: 'the network gave no reason.',
};

/** Explains why a message was not delivered. */
function faultText(error: string, carrierError: number | null): string {
  const ours = faults[error] ?? `It failed with the code ${error}.`;
  const theirs = carrierError === null ? undefined : carrierFaults[carrierError];
  return theirs ? `${ours.replace(/\.$/, '')}: ${theirs}` : ours;
}

/** The carrier's page about its code. */
function carrierErrorUrl(carrierError: number): string {
  return `https://www.twilio.com/docs/api/errors/${carrierError}`;
}
