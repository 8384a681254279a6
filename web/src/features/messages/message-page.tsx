import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { deliveryErrorOf } from '#contract/delivery-errors.js';
import type { LedgerRow, SentDetailsAnswer, TimelineStep } from '#contract/histories.js';
import type { MessageStatus, ReceiptLevel } from '#contract/messages.js';
import { type Region, regions } from '#contract/regions.js';
import { failureOf } from '../../api/api-failure.js';
import { keysQuery } from '../../api/account.js';
import { recordJsonPath } from '../../api/messages.js';
import { conversationPath, paths, recordPath } from '../../paths.js';
import { ButtonLink, CopyButton } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import {
  elapsedText,
  exactTimes,
  isTexted,
  newYorkMoment,
  orRemoved,
  SEGMENTS_OF_MMS,
  segmentsText,
} from '../../ui/format.js';
import { Flag } from '../../ui/icons.js';
import { Moment } from '../../ui/moment.js';
import { NumberOrRemoved, PhoneNumber } from '../../ui/phone-number.js';
import { countryOf } from '../../ui/phone-numbers.js';
import { Card, Notice } from '../../ui/surface.js';
import { EmptyView, Facts, View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { kindTitles, ledgerColumns } from '../../dashboard/records/ledger-columns.js';
import { curlCommand } from '../composer/curl-command.js';
import { useMessage } from '../composer/message-updates.js';
import { isOptOut, OptOutLink } from '../../dashboard/records/opt-out-link.js';
import { ReasonCode } from '../../dashboard/records/reason.js';
import { receiptMeanings } from '../../dashboard/records/receipt-level.js';
import { StatusLabel, StatusShape, statusWords } from '../../dashboard/records/status-label.js';
import { MessageMedia } from './message-media.js';
import { CancelMessage, MessageWebhooks } from './message-parts.js';
import styles from './message-page.module.css';

export default function MessagePage() {
  const [address] = useSearchParams();
  const id = address.get('id') ?? '';
  return <Message key={id} id={id} />;
}

function Message({ id }: { id: string }) {
  const { data: message, error, refetch } = useMessage(id);
  return (
    <View title="Message" lead={<BackToHistory />} actions={message && <Actions message={message} />}>
      {message ? (
        <MessageDetails message={message} />
      ) : error && failureOf(error).kind === 'refused' ? (
        <EmptyView title="Message not found." text="Your account has no sent message with this id.">
          <ButtonLink to={paths.dashboardMessages}>See all messages</ButtonLink>
        </EmptyView>
      ) : error ? (
        <FailureNotice error={error} what="The message could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </View>
  );
}

interface OfMessage {
  readonly message: SentDetailsAnswer;
}

/**
 * Actions on a message. An erased message can be neither sent again nor answered, nor can a code that went by another
 * channel than SMS.
 */
function Actions({ message: { messageId, to, message, reference, media } }: OfMessage) {
  const { data: keys } = useQuery(keysQuery);
  const files = media.filter(({ status }) => status === 'stored');
  const hasContent = isTexted(to) && (message !== '' || files.length > 0);
  return (
    <>
      {hasContent && (
        <>
          <ButtonLink to={paths.dashboardSend} state={{ to, message, media: files }}>
            Send again
          </ButtonLink>
          <ButtonLink to={conversationPath(to)}>Conversation</ButtonLink>
        </>
      )}
      <ButtonLink to={recordPath(messageId)}>Record</ButtonLink>
      {hasContent && keys && (
        <CopyButton
          text={curlCommand({
            origin: window.location.origin,
            to,
            message,
            reference,
            media: files.map(({ id }) => id),
            apiKey: keys.apiKey,
          })}
          title="Copy as curl"
          label="Copy as curl"
          done="Copied with your API key. Running it sends the message again and charges for it."
          look="button"
        />
      )}
      <ButtonLink to={recordJsonPath(messageId)} reloadDocument>
        JSON
      </ButtonLink>
    </>
  );
}

/** Leads back to the history with its filters. */
function BackToHistory() {
  const { state } = useLocation() as { state: unknown };
  const search = typeof state === 'object' && state && 'search' in state ? String(state.search) : '';
  return <Link to={`${paths.dashboardMessages}${search}`}>Back to SMS History</Link>;
}

/**
 * Omits the link to the message, which is this page, and the balance: entries of other messages lie
 * between, so the balance after a refund would look wrong.
 */
const entryColumnsOf = ({ status }: SentDetailsAnswer): readonly Column<LedgerRow>[] =>
  ledgerColumns
    .filter(({ title }) => title !== 'Details' && title !== 'Balance')
    .map((column) =>
      column.title === 'Movement' && status === 'canceled' ? { ...column, cell: movementOfCanceled } : column,
    );

const movementOfCanceled = ({ kind }: LedgerRow) => (kind === 'refund' ? 'Refund: canceled' : kindTitles[kind]);

function MessageDetails({ message }: OfMessage) {
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
          {(message.message !== '' || message.media.length === 0) && (
            <p className={styles.text} dir="auto">
              {orRemoved(message.message)}
            </p>
          )}
          <div className={styles.media}>
            <MessageMedia media={message.media} />
          </div>
          <Facts facts={factsOf(message)} />
        </Card>
        <Card>
          <h2 className={styles.title}>Timeline</h2>
          <Timeline steps={timeline} receiptLevel={message.receiptLevel} />
          {message.status === 'scheduled' && <CancelMessage {...message} />}
        </Card>
      </div>
      <section aria-label="Ledger entries">
        <h2 className={styles.title}>Ledger entries</h2>
        <DataTable
          label="Ledger entries"
          columns={entryColumnsOf(message)}
          rows={ledger}
          keyOf={({ kind, date }) => `${kind} ${date}`}
        />
        {refunded > 0 && <p className={styles.sum}>{sumText(message)}</p>}
      </section>
      <MessageWebhooks messageId={messageId} />
    </div>
  );
}

/** Sum of the entries, in words. */
function sumText({ credits: charged, refunded }: SentDetailsAnswer): string {
  const cost = charged === refunded ? 'nothing' : credits(charged - refunded);
  return (
    `${charged.toLocaleString('en-US')} charged, ${refunded.toLocaleString('en-US')} refunded: ` +
    `this message cost ${cost}.`
  );
}

const waiting: ReadonlySet<MessageStatus> = new Set(['scheduled', 'queued', 'sending']);

function factsOf(message: SentDetailsAnswer) {
  const { to, from, messageId, segments, encoding, refunded, reference, status, sendAt } = message;
  const unsent = waiting.has(status) ? 'Chosen when the message is sent' : 'Not sent';
  const iso2 = countryOf(to);
  const region = regions.find((one) => one.iso2 === iso2);
  const latency = latencyOf(message);
  return [
    ['Status', <StatusLabel key="status" status={status} />],
    ...(sendAt === null ? [] : [['Scheduled for', <Moment key="scheduled" at={sendAt} />] as const]),
    ...(latency === undefined ? [] : [['Delivered after', latency] as const]),
    ['To', <NumberOrRemoved key="to" number={to} />],
    ...(region === undefined ? [] : [['Country', <Country key="country" {...region} />] as const]),
    ['From', from === null ? unsent : <PhoneNumber key="from" number={from} />],
    [
      'Message id',
      <span key="id" className={styles.id}>
        <code>{messageId}</code>
        <CopyButton text={messageId} label="Copy message id" done="Message id copied to clipboard!" look="plain" />
      </span>,
    ],
    ['Segments', message.media.length > 0 ? SEGMENTS_OF_MMS : segmentsText(segments, encoding)],
    [
      'Price',
      refunded > 0
        ? `${credits(message.credits)}, ${refunded.toLocaleString('en-US')} refunded`
        : credits(message.credits),
    ],
    ['Reference', reference === null ? 'None' : <bdi key="reference">{reference}</bdi>],
  ] as const;
}

/** Time of delivery since acceptance, or since a scheduled message was due. */
function latencyOf({ timeline, sendAt }: SentDetailsAnswer): string | undefined {
  const from = sendAt ?? timeline[0]?.at;
  const delivered = timeline.find(({ status }) => status === 'delivered');
  return from !== undefined && delivered ? elapsedText(from, delivered.at) : undefined;
}

function Country({ iso2, country }: Region) {
  return (
    <span className={styles.country}>
      <Flag iso2={iso2} />
      {country}
    </span>
  );
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

/** The statuses of a message, each with the time since the previous status. */
function Timeline({ steps, receiptLevel }: { steps: readonly TimelineStep[]; receiptLevel: ReceiptLevel }) {
  const last = steps.at(-1)?.status;
  return (
    <ol className={styles.steps} aria-label="Timeline" aria-live="polite">
      {steps.map(({ status, at }, place) => (
        <li key={status} className={styles.step}>
          <StatusShape status={status} />
          <span className={styles.word}>{statusWords[status]}</span>
          <time className={styles.at} dateTime={at} title={exactTimes(at)}>
            {place === 0 ? newYorkMoment(at) : `+${elapsedText(steps[place - 1]?.at ?? at, at)}`}
          </time>
          {status === last && ahead[status] && <span className={styles.ahead}>{ahead[status]}</span>}
          {status === 'delivered' && receiptMeanings[receiptLevel] && (
            <span className={styles.ahead}>{receiptMeanings[receiptLevel]}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
