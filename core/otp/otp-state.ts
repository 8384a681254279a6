import { limits } from '#contract/limits.js';
import { reasonOf } from '#contract/delivery-errors.js';
import type { MessageStatus } from '#contract/messages.js';
import type { OtpMessageView, OtpView } from '#contract/otp.js';
import type { OtpStepView } from '#contract/otp-channels.js';
import type { OtpState } from '#contract/otp-statuses.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { publicMessageId, publicOtpId, unknownIdText } from '../rules/ids.js';
import { nextResendAt } from '../rules/otp.js';
import { numberBlockOf } from '../rules/phone-numbers.js';
import type { OtpRecord } from './otp-records.repository.js';
import { type OtpPlan, progressOf } from './steps/otp-plan.js';

/** A message with a code, as JSON. `status` is null if it was never accepted. */
interface LoggedMessage {
  readonly id: string;
  /** From 1; null for a code without channels that was sent again. */
  readonly step: number | null;
  readonly createdAt: string;
  readonly status: MessageStatus | null;
  readonly errorCode: string | null;
  readonly carrierError: number | null;
  readonly sentAt: string | null;
  readonly finishedAt: string | null;
  /** Without refunded credits; null if it was never accepted. */
  readonly credits: number | null;
}

/** A code, or a refusal of the fraud guard. */
export interface LoggedOtp {
  readonly id: string;
  readonly recipient: string;
  /** Null for a code that the previous release stored, or that was never sent. */
  readonly country: string | null;
  readonly reference: string | null;
  readonly keyId: string | null;
  readonly state: 'live' | 'used' | 'over' | 'blocked' | 'unmanaged';
  readonly wrongTries: number;
  readonly lastAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly endedAt: Date | null;
  readonly blockedBy: string | null;
  /** Null for a code without channels. */
  readonly plan: OtpPlan | null;
  /** The step that began last, from 1. */
  readonly step: number | null;
  readonly stepAt: Date | null;
  /** Number of the message, from 1, after which the code was entered. */
  readonly enteredStep: number | null;
  /** Messages in order. */
  readonly messages: readonly LoggedMessage[];
}

type Progress = Pick<OtpRecord, 'state' | 'wrongTries' | 'resends' | 'sentAt' | 'expiresAt' | 'now'>;

export function otpNotFound(publicId: string): DomainError {
  return new DomainError('otp_not_found', unknownIdText('one-time password', publicId));
}

/** The state of a code as its account sees it. */
export function otpStateOf({ state, wrongTries }: Pick<LoggedOtp, 'state' | 'wrongTries'>): OtpState {
  if (state === 'blocked' || state === 'unmanaged') return state;
  if (state === 'live') return 'pending';
  if (state === 'used') return 'verified';
  return wrongTries >= limits.otpTriesMax ? 'exhausted' : 'expired';
}

/** Returns the reason why a code is not sent any more. */
export function endedRefusal(record: Pick<Progress, 'state' | 'wrongTries'>): DomainError | undefined {
  const { state } = record;
  if (state === 'unmanaged')
    return notResendable('You made this code, and we do not keep it. Send it again by POST /api/sendotp.');
  if (state === 'live') return undefined;
  return notResendable(`This code is not pending but ${otpStateOf(record)}. Send a new one.`);
}

/** Returns the reason why a code cannot be sent again now. */
export function resendRefusal(record: Progress): DomainError | undefined {
  const { resends, now } = record;
  const ended = endedRefusal(record);
  if (ended) return ended;
  const resendsMax = limits.otpResendWaitsSeconds.length;
  if (resends >= resendsMax) return notResendable(`A code is sent again at most ${resendsMax} times.`);
  const nextAt = nextResendAt(record);
  if (!nextAt) return notResendable('This code expires before it could be sent again.');
  if (nextAt <= now) return undefined;
  const seconds = Math.ceil((nextAt.getTime() - now.getTime()) / 1_000);
  const detail = `This code can be sent again in ${seconds} seconds. You were not charged.`;
  return new DomainError('otp_resend_too_early', detail, { retryAfterSeconds: seconds });
}

export function notResendable(reason: string): DomainError {
  return new DomainError('otp_not_resendable', `${reason} You were not charged.`);
}

/** Returns a code as its account sees it, without the digits. */
export function otpView(otp: LoggedOtp, keyName: string | null): OtpView {
  const { id, state, recipient, reference, keyId, wrongTries, createdAt, lastAttemptAt, expiresAt, endedAt } = otp;
  const messages = otp.messages.map(messageOf);
  const isPending = state === 'live';
  const resends = Math.max(0, messages.length - 1);
  const sentAt = new Date(messages.at(-1)?.created_at ?? createdAt);
  const nextAt = isPending && expiresAt ? nextResendAt({ sentAt, resends, expiresAt }) : undefined;
  const delivered = messages.flatMap(({ status, finished_at: at }) => (status === 'delivered' && at ? [at] : []));
  return {
    otp_id: publicOtpId(id),
    status: otpStateOf(otp),
    to: recipient,
    country: otp.country ?? numberBlockOf(recipient).country,
    message_id: messages.at(-1)?.message_id ?? null,
    messages,
    delivered_at: delivered.toSorted()[0] ?? null,
    reference,
    attempts: wrongTries + (state === 'used' ? 1 : 0),
    attempts_left: isPending ? limits.otpTriesMax - wrongTries : 0,
    resends_left: isPending ? Math.max(0, limits.otpResendWaitsSeconds.length - resends) : 0,
    next_resend_at: nextAt?.toISOString() ?? null,
    key_id: keyId,
    key_name: keyName,
    blocked_by: otp.blockedBy,
    ...channelsOf(otp, isPending),
    created_at: createdAt.toISOString(),
    last_attempt_at: lastAttemptAt?.toISOString() ?? null,
    verified_at: (state === 'used' && endedAt?.toISOString()) || null,
    expires_at: expiresAt?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
  };
}

function channelsOf({ plan, step, stepAt, enteredStep, ...otp }: LoggedOtp, isPending: boolean) {
  // No step follows when a message has arrived, unless the caller asks.
  const isWaiting = isPending && !otp.messages.some(({ status }) => status === 'delivered');
  const times = { stepAt: isWaiting ? stepAt : null, expiresAt: otp.expiresAt };
  const { channel, next } = progressOf(plan ?? { plan: [], creditsMax: 0 }, step ?? 1, times);
  return {
    channel,
    next_channel: next?.channel ?? null,
    next_channel_at: next?.at.toISOString() ?? null,
    steps: stepsOf({ plan, ...otp }),
    entered_step: enteredStep ?? (otp.state === 'used' ? 1 : null),
  };
}

/** Returns the messages of a code as steps, and the steps that were refused. */
export function stepsOf({
  plan,
  recipient,
  messages,
}: Pick<LoggedOtp, 'plan' | 'recipient' | 'messages'>): OtpStepView[] {
  return messages.map(({ id, step, createdAt, status, errorCode, carrierError, credits }, index) => {
    const planned = plan?.plan[(step ?? 1) - 1];
    const refusal = plan?.refused?.[id];
    return {
      n: index + 1,
      channel: planned?.channel ?? 'sms',
      to: planned?.to ?? recipient,
      started_at: new Date(createdAt).toISOString(),
      outcome: refusal === undefined ? outcomeOf(status) : 'refused',
      reason: refusal ?? reasonOf(errorCode, carrierError)?.code ?? null,
      credits: credits ?? 0,
    };
  });
}

function outcomeOf(status: MessageStatus | null): OtpStepView['outcome'] {
  switch (status) {
    case 'sent':
    case 'delivered':
    case 'undelivered':
    case 'failed':
      return status;
    case 'canceled':
      return 'failed';
    case null:
    case 'scheduled':
    case 'queued':
    case 'sending':
      return 'started';
  }
}

function messageOf(message: LoggedOtp['messages'][number]): OtpMessageView {
  const { id, createdAt, status, errorCode, carrierError, sentAt, finishedAt } = message;
  return {
    message_id: publicMessageId(id),
    status,
    reason: reasonOf(errorCode, carrierError),
    created_at: new Date(createdAt).toISOString(),
    sent_at: sentAt === null ? null : new Date(sentAt).toISOString(),
    finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
  };
}
