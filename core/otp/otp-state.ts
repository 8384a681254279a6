import { limits } from '#contract/limits.js';
import type { OtpAnswer } from '#contract/otp.js';
import type { OtpState } from '#contract/otp-statuses.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { publicMessageId, publicOtpId, unknownIdText } from '../rules/ids.js';
import { nextResendAt } from '../rules/otp.js';
import type { BlockRow } from './guard/guard.repository.js';
import type { OtpRecord } from './otp-records.repository.js';

type Progress = Pick<OtpRecord, 'state' | 'wrongTries' | 'resends' | 'sentAt' | 'expiresAt' | 'now'>;

export function otpNotFound(publicId: string): DomainError {
  return new DomainError('otp_not_found', unknownIdText('one-time password', publicId));
}

/** The state of a code as its account sees it. */
export function otpStateOf({ state, wrongTries }: Pick<OtpRecord, 'state' | 'wrongTries'>): OtpState {
  if (state === 'live') return 'pending';
  if (state === 'used') return 'verified';
  return wrongTries >= limits.otpTriesMax ? 'exhausted' : 'expired';
}

/** Returns why a code cannot be sent again now. */
export function resendRefusal(record: Progress): DomainError | undefined {
  const { state, resends, now } = record;
  if (state !== 'live') return notResendable(`This code is not pending but ${otpStateOf(record)}. Send a new one.`);
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

/** Returns a code as its account sees it, never the digits. */
export function otpView(record: OtpRecord): Omit<OtpAnswer, 'success' | 'test'> {
  const { id, recipient, reference, wrongTries, resends, messageId, createdAt, expiresAt, endedAt } = record;
  const isPending = record.state === 'live';
  return {
    otp_id: publicOtpId(id),
    status: otpStateOf(record),
    to: recipient,
    message_id: publicMessageId(messageId),
    reference,
    attempts_left: isPending ? limits.otpTriesMax - wrongTries : 0,
    resends_left: isPending ? limits.otpResendWaitsSeconds.length - resends : 0,
    next_resend_at: (isPending && nextResendAt(record)?.toISOString()) || null,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

/** Returns what the fraud guard refused, as a code that was never sent. */
export function blockedOtpView(block: BlockRow): Omit<OtpAnswer, 'success' | 'test'> {
  return {
    otp_id: publicOtpId(block.id),
    status: 'blocked',
    to: block.recipient,
    message_id: null,
    reference: block.reference,
    attempts_left: 0,
    resends_left: 0,
    next_resend_at: null,
    created_at: block.createdAt.toISOString(),
    expires_at: null,
    ended_at: block.createdAt.toISOString(),
  };
}
