import { reasonOf } from '#contract/delivery-errors.js';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { MessageRecordAnswer } from '#contract/message-record.js';
import { failureOf } from '../../api/api-failure.js';
import { messageRecordQuery, recordJsonPath } from '../../api/messages.js';
import { messagePath, paths } from '../../paths.js';
import { Button, ButtonLink, CopyButton } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { exactTimes, newYorkMoment, orRemoved, SEGMENTS_OF_MMS, segmentsText } from '../../ui/format.js';
import { Mark } from '../../ui/icons.js';
import { NumberOrRemoved, PhoneNumber } from '../../ui/phone-number.js';
import { Notice } from '../../ui/surface.js';
import { EmptyView, Facts, View } from '../../ui/view.js';
import { Attempt, DeliveryState, formatWords } from '../../dashboard/records/delivery-dialog.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useSession } from '../../dashboard/frame/dashboard-context.js';
import { kindTitles } from '../../dashboard/records/ledger-columns.js';
import { receiptMeanings } from '../../dashboard/records/receipt-level.js';
import { StatusLabel } from '../../dashboard/records/status-label.js';
import styles from './record-page.module.css';

/** All data of one message, as a document to print or keep. */
export default function RecordPage() {
  const { messageId = '' } = useParams();
  const { data, error, refetch } = useQuery({ ...messageRecordQuery(messageId), refetchOnMount: 'always' });
  return (
    <View
      title="Message record"
      lead={<Link to={messagePath(messageId)}>Back to the message</Link>}
      actions={
        data && (
          <>
            <Button onClick={() => window.print()}>Print</Button>
            <ButtonLink to={recordJsonPath(messageId)} reloadDocument download={`message-${messageId}.json`}>
              Download JSON
            </ButtonLink>
          </>
        )
      }
    >
      {data ? (
        <Record record={data} />
      ) : error && failureOf(error).kind === 'refused' ? (
        <EmptyView title="Message not found." text="Your account has no sent message with this id.">
          <ButtonLink to={paths.dashboardMessages}>See all messages</ButtonLink>
        </EmptyView>
      ) : error ? (
        <FailureNotice error={error} what="The record could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </View>
  );
}

function Record({ record }: { record: MessageRecordAnswer }) {
  const { transitions, attempt_list, ledger, webhooks, removed, media } = record;
  return (
    <article className={styles.record}>
      <Letterhead />
      <p className={styles.quiet}>
        Everything kept about this message as of <Time at={record.recorded_at} />.
      </p>
      {removed.length > 0 && (
        <Notice kind="info">
          <ul className={styles.removed} aria-label="No longer kept">
            {removed.map(({ part, why }) => (
              <li key={part}>
                <strong>{partWords[part]}:</strong> {why}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Section title="Message">
        <p className={styles.text} dir="auto">
          {record.message === '' && media && media.length > 0 ? 'Without a text.' : orRemoved(record.message)}
        </p>
        {media && media.length > 0 && (
          <DataTable label="Files" columns={fileColumns} rows={media} keyOf={({ media_id: id }) => id} />
        )}
        <Facts facts={factsOf(record)} />
      </Section>
      <Section title="States">
        <DataTable label="States" columns={stateColumns(record)} rows={transitions} keyOf={({ status }) => status} />
      </Section>
      {attempt_list.length > 1 && (
        <Section title="Routes">
          <DataTable label="Routes" columns={handOverColumns} rows={attempt_list} keyOf={({ n }) => n} />
          <p className={styles.quiet}>
            {record.delivery === 'once'
              ? 'It was sent with delivery once: another route got it only when that was safe.'
              : 'It was sent with delivery fast: another route got it also in doubt.'}{' '}
            <Link to={`${paths.sendSms}#if-a-carrier-does-not-deliver`}>When a carrier does not deliver</Link>.
          </p>
        </Section>
      )}
      <Section title="Ledger entries">
        <DataTable label="Ledger entries" columns={entryColumns} rows={ledger} keyOf={({ number }) => number} />
        <p className={styles.quiet}>
          A seal proves that its entries were not changed since: <Link to={paths.verifyLedger}>Verify your ledger</Link>
          .
        </p>
      </Section>
      <Section title="Webhooks and callbacks">
        {webhooks.length === 0 && <p className={styles.quiet}>No webhooks for this message.</p>}
        {webhooks.map((webhook) => (
          <Webhook key={webhook.id} {...webhook} />
        ))}
      </Section>
    </article>
  );
}

/** Names the account on paper, where the header is missing. */
function Letterhead() {
  const session = useSession();
  return (
    <p className={styles.letterhead}>
      <Mark size={32} />
      <strong>Pennytext</strong>
      {session && (
        <span className={styles.account}>
          Account: <bdi>{session.displayName}</bdi>, <bdi>{session.email}</bdi>
        </span>
      )}
    </p>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  );
}

/** A hash, shortened to a line on screens; whole on paper and in copies. */
function SealHash({ hash }: { hash: string }) {
  return (
    <span className={styles.seal}>
      <code className={styles.short} title={hash}>
        {hash.slice(0, 12)}…
      </code>
      <CopyButton text={hash} label="Copy the hash of the seal" done="Hash copied to clipboard!" look="plain" />
      <code className={styles.whole}>{hash}</code>
    </span>
  );
}

/** A time in New York, and in UTC to compare with logs. */
function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTimes(at)}>
      {newYorkMoment(at)} <span className={styles.utc}>{at}</span>
    </time>
  );
}

const partWords: Readonly<Record<MessageRecordAnswer['removed'][number]['part'], string>> = {
  text: 'Text',
  media: 'Files',
  number: 'Phone number',
  carrier_id: 'Carrier id',
  webhooks: 'Webhooks',
};

const kindWords: Readonly<Record<MessageRecordAnswer['kind'], string>> = {
  sms: 'Message',
  mms: 'Message with files (MMS)',
  otp: 'One-time password; its code is never shown',
};

type RecordFile = NonNullable<MessageRecordAnswer['media']>[number];

const fileColumns: readonly Column<RecordFile>[] = [
  { title: 'File', phone: 'title', cell: ({ media_id: id }) => <code className={styles.hash}>{id}</code> },
  { title: 'Type', phone: 'state', cell: ({ type }) => type },
  { title: 'Bytes', phone: 'time', isNumber: true, cell: ({ bytes }) => bytes.toLocaleString('en-US') },
  {
    title: 'SHA-256',
    phone: 'text',
    cell: ({ sha256 }) => (sha256 === null ? 'Deleted' : <code className={styles.hash}>{sha256}</code>),
  },
  {
    title: 'Made of',
    phone: 'more',
    cell: ({ original_id: id }) => (id === undefined ? 'As it was given' : <code className={styles.hash}>{id}</code>),
  },
];

function factsOf(record: MessageRecordAnswer): readonly (readonly [string, ReactNode])[] {
  const { status, kind, encoding, error_code: error, carrier_error: carrierError, reason, refund, callback } = record;
  const textOr = (value: string | null, none: string) => (value === null ? none : <span dir="auto">{value}</span>);
  return [
    ['Message id', <code key="id">{record.message_id}</code>],
    ['Kind', kindWords[kind]],
    ['Status', <StatusLabel key="status" status={status} />],
    ...(reason ? [['Reason', `${reason.text} (${error})`] as const] : []),
    ...(carrierError === null ? [] : [['Carrier code', String(carrierError)] as const]),
    ['To', <NumberOrRemoved key="to" number={record.to} />],
    ['From', record.from === null ? 'Not sent' : <PhoneNumber key="from" number={record.from} />],
    ['Reference', textOr(record.reference, 'None')],
    ['Segments', kind === 'mms' ? SEGMENTS_OF_MMS : segmentsText(record.segments, encoding)],
    ['Price', credits(record.credits)],
    [
      'Refund',
      refund ? (
        <span key="refund">
          {credits(refund.credits)}, <Time at={refund.at} />
        </span>
      ) : (
        'None'
      ),
    ],
    ['Carrier id', record.carrier_id === null ? 'None' : <code key="carrier">{record.carrier_id}</code>],
    ['Hand-overs to carriers', record.attempts.toLocaleString('en-US')],
    ...(record.expires_at === null ? [] : [['Valid until', <Time key="expires" at={record.expires_at} />] as const]),
    ...(callback ? [['Callback URL', `${callback.url} (${formatWords[callback.format]})`] as const] : []),
  ];
}

type Transition = MessageRecordAnswer['transitions'][number];

function stateColumns(record: MessageRecordAnswer): readonly Column<Transition>[] {
  const { carrier_error: carrierError, receipt_level: level } = record;
  const causes: Readonly<Partial<Record<string, string>>> = {
    accepted: 'The request was accepted and charged.',
    send_at: 'Its time had come.',
    claimed: 'It was taken from the queue.',
    carrier_accepted: 'The carrier accepted it.',
    delivery_receipt: receiptMeanings[level] ?? 'The carrier reported that it was delivered.',
    canceled: 'You canceled it.',
  };
  return [
    { title: 'State', phone: 'title', cell: ({ status }) => <StatusLabel status={status} /> },
    { title: 'Time', phone: 'time', cell: ({ at }) => <Time at={at} /> },
    { title: 'Cause', phone: 'text', cell: ({ cause }) => causes[cause] ?? reasonOf(cause, carrierError)?.text },
  ];
}

type HandOver = MessageRecordAnswer['attempt_list'][number];

const handOverReasons: Readonly<Record<HandOver['reason'], string>> = {
  first: 'The first route.',
  not_taken: 'The route before did not take it.',
  route_failed: 'The route before could not deliver it.',
  doubtful: 'The answer of the route before was lost.',
  slow: 'The route before did not confirm the delivery in time.',
  route_paused: 'The route before was paused.',
};

const outcomeWords: Readonly<Record<NonNullable<HandOver['outcome']>, string>> = {
  accepted: 'Accepted',
  not_taken: 'Not taken',
  doubtful: 'No answer',
};

const handOverColumns: readonly Column<HandOver>[] = [
  { title: 'Route', phone: 'title', cell: ({ route }) => <code>{route}</code> },
  { title: 'Time', phone: 'time', cell: ({ handed_at: at }) => (at === null ? 'Not yet' : <Time at={at} />) },
  { title: 'From', phone: 'text', cell: ({ sender }) => <PhoneNumber number={sender} /> },
  { title: 'Why', phone: 'text', cell: ({ reason }) => handOverReasons[reason] },
  {
    title: 'Result',
    phone: 'state',
    cell: ({ outcome, receipt }) =>
      receipt ? <StatusLabel status={receipt} /> : outcome === null ? 'Not known yet' : outcomeWords[outcome],
  },
];

const entryColumns: readonly Column<MessageRecordAnswer['ledger'][number]>[] = [
  { title: 'Entry', phone: 'more', isNumber: true, cell: ({ number }) => number.toLocaleString('en-US') },
  { title: 'Time', phone: 'time', cell: ({ at }) => <Time at={at} /> },
  { title: 'Movement', phone: 'title', cell: ({ kind }) => kindTitles[kind] },
  { title: 'Credits', phone: 'state', isNumber: true, cell: ({ amount }) => signed(amount) },
  { title: 'Balance', isNumber: true, cell: ({ balance_after }) => balance_after.toLocaleString('en-US') },
  {
    title: 'Seal',
    phone: 'text',
    cell: ({ seal }) =>
      seal ? (
        <>
          No. {seal.number.toLocaleString('en-US')} over entries {seal.first.toLocaleString('en-US')} to{' '}
          {seal.last.toLocaleString('en-US')} <SealHash hash={seal.hash} />
        </>
      ) : (
        'Not sealed yet'
      ),
  },
];

function Webhook({
  id,
  type,
  callback,
  status,
  created_at,
  body,
  attempts,
  attempt_list,
}: MessageRecordAnswer['webhooks'][number]) {
  return (
    <section className={styles.webhook} aria-label={type}>
      <h3 className={styles.webhookTitle}>
        <code>{type}</code> <DeliveryState status={status} failure={null} />
      </h3>
      <p className={styles.quiet}>
        <code>{id}</code>, <Time at={created_at} />
        {callback && ` to ${callback.url} (${formatWords[callback.format]})`}
      </p>
      <pre className={styles.body} dir="auto">
        {body}
      </pre>
      {attempts > attempt_list.length && (
        <p className={styles.quiet}>
          The last {attempt_list.length.toLocaleString('en-US')} of {attempts.toLocaleString('en-US')} attempts:
        </p>
      )}
      <ol className={styles.attempts} aria-label="Attempts">
        {attempt_list.map(({ duration_ms, ...attempt }) => (
          <Attempt key={attempt.at} {...attempt} durationMs={duration_ms} />
        ))}
      </ol>
    </section>
  );
}

function signed(amount: number): string {
  return `${amount < 0 ? '−' : '+'}${Math.abs(amount).toLocaleString('en-US')}`;
}
