import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import { otpChannelNames, type OtpStepView } from '#contract/otp-channels.js';
import type { OtpMessageView, OtpView } from '#contract/otp.js';
import { failureOf } from '../../api/api-failure.js';
import { otpDetailsQuery } from '../../api/otp.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { ReasonCode } from '../../dashboard/records/reason.js';
import { StatusLabel } from '../../dashboard/records/status-label.js';
import { messagePath, paths } from '../../paths.js';
import { Moment } from '../../ui/moment.js';
import { CopyButton } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Notice } from '../../ui/surface.js';
import { Facts } from '../../ui/view.js';
import { CodeProgress } from './code-progress.js';
import { decisiveOf, hasChannels } from './code-steps.js';
import { Country, keyText } from './otp-log-cells.js';
import { OtpStateLabel } from './otp-state-label.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import styles from './otp.module.css';

interface OtpDialogProps {
  readonly otpId: string;
  readonly onClose: () => void;
}

/** One code: its arrival and its events. */
export function OtpDialog({ otpId, onClose }: OtpDialogProps) {
  const { data, error, refetch } = useQuery({ ...otpDetailsQuery(otpId), refetchOnMount: 'always' });
  return (
    <Dialog title="One-time password" onClose={onClose}>
      {data ? (
        <Details otp={data} />
      ) : error && failureOf(error).kind === 'refused' ? (
        <p>
          Your account has no code with the id <code className={styles.id}>{otpId}</code>. Codes are kept for{' '}
          {limits.otpRememberedHours} hours after they have ended; their messages are in{' '}
          <Link to={paths.dashboardMessages}>SMS History</Link>.
        </p>
      ) : error ? (
        <FailureNotice error={error} what="The code could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </Dialog>
  );
}

function Details({ otp }: { otp: OtpView }) {
  const history = `${paths.dashboardMessages}?${new URLSearchParams({ number: otp.to }).toString()}`;
  return (
    <div className={styles.details}>
      <Arrival otp={otp} />
      {hasChannels(otp) && (
        <section aria-labelledby="otp-steps">
          <h3 id="otp-steps" className={styles.subtitle}>
            Steps
          </h3>
          <CodeProgress otp={otp} />
        </section>
      )}
      <section aria-labelledby="otp-timeline">
        <h3 id="otp-timeline" className={styles.subtitle}>
          Timeline
        </h3>
        <ol className={styles.steps}>
          {stepsOf(otp).map(({ key, at, text }) => (
            <li key={key}>
              <div>{text}</div>
              {at !== null && (
                <span className={styles.text}>
                  <Moment at={at} />
                </span>
              )}
            </li>
          ))}
        </ol>
      </section>
      <Facts
        facts={[
          ['Status', <OtpStateLabel key="status" status={otp.status} />],
          [
            'Recipient',
            <Link key="to" to={history}>
              <PhoneNumber number={otp.to} />
            </Link>,
          ],
          ['Country', <Country key="country" iso2={otp.country} />],
          ...(otp.status === 'unmanaged' ? [] : [['Attempts', attemptsText(otp)] as const]),
          ...(otp.status === 'unmanaged' || otp.expires_at === null
            ? []
            : [['Valid until', <Moment key="until" at={otp.expires_at} />] as const]),
          ['Reference', otp.reference === null ? 'None' : <bdi key="reference">{otp.reference}</bdi>],
          ['Key', <bdi key="key">{keyText(otp)}</bdi>],
          [
            'otp_id',
            <span key="id" className={styles.idLine}>
              <code className={styles.id}>{otp.otp_id}</code>
              <CopyButton text={otp.otp_id} label="Copy otp_id" done="otp_id copied to clipboard!" look="plain" />
            </span>,
          ],
        ]}
      />
    </div>
  );
}

function attemptsText({ attempts, attempts_left: left, status }: OtpView): string {
  return status === 'pending' ? `${attempts}, ${left} left` : String(attempts);
}

interface ArrivalWords {
  readonly delivered: string;
  readonly undelivered: string;
  /** Before and after the recipient. */
  readonly sent: readonly [before: string, after: string];
  readonly waiting: string;
}

const textWords: ArrivalWords = {
  delivered: 'Delivered to',
  undelivered: 'Not delivered to',
  sent: ['The carrier has the message to', '; its delivery receipt is awaited.'],
  waiting: 'The message to',
};

/** The arrival of a message by each channel; the recipient follows. */
const arrivals: Readonly<Record<OtpStepView['channel'], ArrivalWords>> = {
  sms: textWords,
  whatsapp: {
    ...textWords,
    delivered: 'Delivered by WhatsApp to',
    undelivered: 'Not delivered by WhatsApp to',
    sent: ['The carrier has the WhatsApp message to', '; its delivery receipt is awaited.'],
  },
  voice: {
    delivered: 'A call was answered by',
    undelivered: 'A call did not reach',
    sent: ['The carrier calls', '; the result of the call is awaited.'],
    waiting: 'The call to',
  },
  email: {
    ...textWords,
    sent: ['The mail server has the email to', '; email has no delivery receipts.'],
    waiting: 'The email to',
  },
};

/** Tells whether the recipient got the code. */
function Arrival({ otp }: { otp: OtpView }) {
  const { delivered_at: deliveredAt, blocked_by: rule } = otp;
  const message = decisiveOf(otp);
  const step = message && otp.steps[otp.messages.indexOf(message)];
  const channel = step?.channel ?? 'sms';
  const number = <PhoneNumber number={step?.to ?? otp.to} />;
  const { delivered, undelivered, sent, waiting } = arrivals[channel];
  if (rule !== null)
    return (
      <Notice kind="bad">
        Not sent to {number}: the fraud guard refused it by the rule <code>{rule}</code>. You were not charged.
      </Notice>
    );
  if (deliveredAt !== null)
    return (
      <Notice kind="good">
        {delivered} {number}, <Moment at={deliveredAt} />.
      </Notice>
    );
  switch (message?.status) {
    case undefined:
    case null:
      return <Notice kind="bad">Not sent to {number}: the request failed. You were not charged.</Notice>;
    case 'undelivered':
    case 'failed':
    case 'canceled':
      return (
        <Notice kind="bad">
          {undelivered} {number}
          {message.reason ? (
            <>
              : {message.reason.text} (<ReasonCode code={message.reason.code} />
              ).
            </>
          ) : (
            '.'
          )}
        </Notice>
      );
    case 'sent':
      return (
        <Notice kind="info">
          {sent[0]} {number}
          {sent[1]}
        </Notice>
      );
    case 'delivered':
      return (
        <Notice kind="good">
          {delivered} {number}.
        </Notice>
      );
    case 'scheduled':
    case 'queued':
    case 'sending':
      return (
        <Notice kind="info">
          {waiting} {number} waits to be handed to the carrier.
        </Notice>
      );
  }
}

interface Step {
  readonly key: string;
  /** Null for an event without a known time. */
  readonly at: string | null;
  readonly text: ReactNode;
}

/** Events of a code, in order. */
export function stepsOf(otp: OtpView): Step[] {
  const { messages, attempts, last_attempt_at: attemptAt, created_at: createdAt, ended_at: endedAt, status } = otp;
  const wrong = status === 'verified' ? attempts - 1 : attempts;
  const steps: Step[] = [
    ...messages.flatMap((message, place) => messageSteps(message, requestText(otp, place))),
    ...(wrong > 0
      ? [
          {
            key: 'wrong',
            at: status === 'verified' ? null : attemptAt,
            text: wrong === 1 ? '1 wrong attempt' : `${wrong} wrong attempts, the last one`,
          },
        ]
      : []),
    ...(status === 'blocked' ? [{ key: 'end', at: createdAt, text: 'Refused by the fraud guard' }] : []),
    ...(status === 'verified' ? [{ key: 'end', at: endedAt, text: 'Verified' }] : []),
    ...(status === 'expired' ? [{ key: 'end', at: endedAt, text: 'Expired unverified' }] : []),
    ...(status === 'exhausted' ? [{ key: 'end', at: endedAt, text: 'Ended by too many wrong attempts' }] : []),
  ];
  const timeOf = ({ at }: Step) => at ?? endedAt ?? '';
  return steps.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : timeOf(one) > timeOf(other) ? 1 : 0));
}

/** How a message of a code came about. A later step of a code with channels begins by itself or is asked for. */
function requestText(otp: OtpView, place: number): string {
  if (place === 0) return 'Requested';
  const step = otp.steps[place];
  return step && hasChannels(otp)
    ? `Step ${step.n} began: ${otpChannelNames[step.channel]}`
    : `Requested again (resend ${place})`;
}

function messageSteps(message: OtpMessageView, request: string): Step[] {
  const { message_id: id, status, created_at: createdAt, finished_at: finishedAt, reason } = message;
  return [
    {
      key: `${id} requested`,
      at: createdAt,
      text: (
        <>
          {request}
          {status === null ? ', not sent' : <Link to={messagePath(id)}>Message</Link>}
        </>
      ),
    },
    ...(message.sent_at === null ? [] : [{ key: `${id} sent`, at: message.sent_at, text: 'Handed to the carrier' }]),
    ...(finishedAt === null || status === null
      ? []
      : [
          {
            key: `${id} finished`,
            at: finishedAt,
            text: (
              <>
                <StatusLabel status={status} />
                {reason && (
                  <span>
                    {reason.text} (<ReasonCode code={reason.code} />)
                  </span>
                )}
              </>
            ),
          },
        ]),
  ];
}
