import type { MessageStatus } from '#contract/messages.js';
import type { OtpView } from '#contract/otp.js';
import type { OtpState } from '#contract/otp-statuses.js';
import { OutcomeLabel } from '../../dashboard/records/reason.js';
import { StatusShape } from '../../dashboard/records/status-label.js';
import { decisiveOf } from './code-steps.js';
import styles from './otp.module.css';

/** The display name of each state. */
export const stateWords: Readonly<Record<OtpState, string>> = {
  pending: 'Pending',
  verified: 'Verified',
  expired: 'Expired',
  exhausted: 'Exhausted',
  blocked: 'Blocked',
  unmanaged: 'Own code',
};

const shapes: Readonly<Record<OtpState, Parameters<typeof StatusShape>[0]['status']>> = {
  pending: 'queued',
  verified: 'delivered',
  expired: 'canceled',
  exhausted: 'failed',
  blocked: 'limited',
  unmanaged: 'sent',
};

/** The state of a code as a word and a shape. */
export function OtpStateLabel({ status }: { status: OtpState }) {
  return (
    <span className={styles.state}>
      <StatusShape status={shapes[status]} />
      {stateWords[status]}
    </span>
  );
}

/** Whether a code arrived, and why not. */
export function ArrivalLabel({ otp }: { otp: OtpView }) {
  const message = decisiveOf(otp);
  const status: MessageStatus | null = message?.status ?? null;
  if (!message || status === null) return 'Not sent';
  return <OutcomeLabel status={status} reason={message.reason} />;
}
