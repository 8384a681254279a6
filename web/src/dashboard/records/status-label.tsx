import type { ReactNode } from 'react';
import type { ReceivedStatus } from '#contract/histories.js';
import type { MessageStatus } from '#contract/messages.js';
import styles from './dashboard-parts.module.css';

type Status = MessageStatus | ReceivedStatus;

/** The display name of each status. */
export const statusWords: Readonly<Record<Status, string>> = {
  scheduled: 'Scheduled',
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  delivered: 'Delivered',
  undelivered: 'Undelivered',
  failed: 'Failed',
  canceled: 'Canceled',
  held: 'Held',
  received: 'Received',
  limited: 'Not forwarded',
};

/** A status as a word and a shape that is distinct without its color. */
export function StatusLabel({ status }: { status: Status }) {
  return (
    <span className={styles.label}>
      <StatusShape status={status} />
      {statusWords[status]}
    </span>
  );
}

/** The shape alone, for places that show the word elsewhere. */
export function StatusShape({ status }: { status: Status }) {
  return (
    <svg className={`${styles.shape} ${styles[status]}`} width={14} height={14} viewBox="0 0 16 16" aria-hidden="true">
      {shapes[status]}
    </svg>
  );
}

const circle = <circle cx={8} cy={8} r={6} />;
const check = (
  <>
    <circle cx={8} cy={8} r={7} className={styles.full} stroke="none" />
    <path d="m4.8 8.2 2.2 2.2 4.2-4.6" stroke="var(--surface)" />
  </>
);

const shapes: Readonly<Record<Status, ReactNode>> = {
  scheduled: (
    <>
      {circle}
      <path d="M8 4.5V8l2.5 1.5" />
    </>
  ),
  queued: circle,
  sending: (
    <>
      {circle}
      <path d="M8 4.5a3.5 3.5 0 0 1 0 7z" className={styles.full} stroke="none" />
    </>
  ),
  sent: <path d="M2 8h10.5m-4-4 4 4-4 4" />,
  delivered: check,
  undelivered: <path d="M8 2 14.5 13.5h-13z" />,
  failed: <path d="m3.5 3.5 9 9m0-9-9 9" />,
  canceled: (
    <>
      {circle}
      <path d="m3.8 12.2 8.4-8.4" />
    </>
  ),
  held: <path d="M5.5 3v10m5-10v10" />,
  received: check,
  limited: <path d="M2.5 8h11" />,
};
