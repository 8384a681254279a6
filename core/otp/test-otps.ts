import { limits } from '#contract/limits.js';
import type { OtpView } from '#contract/otp.js';
import type { OtpStatus } from '#contract/otp-statuses.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { nextResendAt } from '../rules/otp.js';
import { type LoggedOtp, notResendable, otpNotFound, otpView, resendRefusal } from './otp-state.js';
import type { OtpRecord } from './otp-records.repository.js';
import { type OtpPlan, progressOf, stepAfter, type StepProgress } from './steps/otp-plan.js';

interface TestCode {
  readonly state: OtpRecord['state'] | 'blocked';
  readonly wrongTries?: number;
  readonly resends?: number;
  /** Seconds since the latest message was sent. */
  readonly sentSecondsAgo: number;
}

/** Codes of test mode: the n-th code is for the number +1 500 555 012n. Its id ends in n. */
const testCodes: readonly TestCode[] = [
  { state: 'live', sentSecondsAgo: 60 },
  { state: 'used', sentSecondsAgo: 60 },
  { state: 'over', sentSecondsAgo: 600 },
  { state: 'over', sentSecondsAgo: 60, wrongTries: limits.otpTriesMax },
  { state: 'blocked', sentSecondsAgo: 60 },
  { state: 'live', sentSecondsAgo: 0 },
  { state: 'live', sentSecondsAgo: 60, resends: limits.otpResendWaitsSeconds.length },
  // A code that the caller has made, for any number.
  { state: 'unmanaged', sentSecondsAgo: 60 },
];
const TEST_NUMBER = /^\+1500555012([1-7])$/;
const TEST_ID = /^OT0{31}([1-8])$/;
const LIFETIME_MS = limits.otpMinutesDefault * 60_000;

const idOf = (place: string) => `00000000-0000-0000-0000-00000000000${place}`;
const publicIdOf = (place: string) => `OT${'0'.repeat(31)}${place}`;
const numberOf = (place: string) => `+1500555012${place}`;

/** Refusals of the fraud guard for the numbers +1 500 555 0111 to 0115, by rule. */
const testRefusals: ReadonlyMap<string, { rule: string; sent: number; verified: number | null }> = new Map([
  ['+15005550111', { rule: 'recipient_hour', sent: 5, verified: null }],
  ['+15005550112', { rule: 'recipient_day', sent: 10, verified: null }],
  ['+15005550113', { rule: 'ip_hour', sent: 20, verified: null }],
  ['+15005550114', { rule: 'block_hour', sent: 100, verified: null }],
  ['+15005550115', { rule: 'conversion_hour', sent: 30, verified: 5 }],
]);
const TEST_WAIT_SECONDS = 3_600;

/** Returns the code that a test key gets for a number, or the fraud guard's refusal. */
export function testCodeFor(
  recipient: string,
  minutes: number,
  isManaged: boolean,
  plan: OtpPlan | null,
): SentCode | DomainError {
  const refused = testRefusals.get(recipient);
  if (refused)
    return new DomainError(
      refused.verified === null ? 'rate_limited' : 'otp_suspicious',
      `The fraud guard refuses this number for a test key, by the rule ${refused.rule}. You were not charged.`,
      { retryAfterSeconds: TEST_WAIT_SECONDS, facts: { otp_id: publicIdOf('5'), guard: refused } },
    );
  const place = TEST_NUMBER.exec(recipient)?.[1] ?? '1';
  const sentAt = new Date();
  const expiresAt = new Date(sentAt.getTime() + minutes * 60_000);
  return {
    otpId: publicIdOf(isManaged ? place : '8'),
    expiresAt,
    nextResendAt: isManaged ? nextResendAt({ sentAt, resends: 0, expiresAt }) : undefined,
    attemptsLeft: isManaged ? limits.otpTriesMax : 0,
    isManaged,
    progress: plan ? progressOf(plan, 1, { stepAt: stepAfter(sentAt, plan, 1), expiresAt }) : undefined,
  };
}

/** Returns the answer to resending a code of test mode. */
export function testResendOf(otpId: string, now: Date): { recipient: string; code: SentCode } | DomainError {
  const record = recordOf(otpId, now);
  if (!record) return otpNotFound(otpId);
  if (record.isBlocked) return notResendable('This code is not pending but blocked. Send a new one.');
  const refusal = resendRefusal(record);
  if (refusal) return refusal;
  const { recipient, expiresAt, resends } = record;
  const code = {
    otpId,
    expiresAt,
    nextResendAt: nextResendAt({ sentAt: now, resends: resends + 1, expiresAt }),
    attemptsLeft: limits.otpTriesMax,
    isManaged: true,
  };
  return { recipient, code };
}

/** Returns a code of test mode as GET /api/otps/{otp_id} shows it. Throws `otp_not_found`. */
export function testOtpView(otpId: string, now: Date): OtpView {
  const record = recordOf(otpId, now);
  if (!record) throw otpNotFound(otpId);
  return otpView(loggedOf(record), null);
}

/** Returns all codes of test mode by id, as GET /api/otps shows them to a test key. */
export function testOtpViews(now: Date): OtpView[] {
  return testCodes.map((_code, index) => testOtpView(publicIdOf(String(index + 1)), now));
}

/** The answers to a key in test mode, by code. */
const verdicts: ReadonlyMap<string, OtpStatus> = new Map([
  ['123456', 'verified'],
  ['000001', 'not_found'],
  ['000002', 'expired'],
  ['000003', 'already_used'],
]);
const TOO_MANY = '000004';

/**
 * Returns the result of verifying in test mode; `otp` is undefined if it cannot be a code. An id
 * names the state of its code. Throws `rate_limited` for the code 000004.
 */
export function testVerdict(otp: string | undefined, otpId: string | undefined): OtpStatus {
  if (otp === TOO_MANY)
    throw new DomainError('rate_limited', 'Too many wrong codes: the answer of a test key to this code.', {
      retryAfterSeconds: limits.otpGuessWindowSeconds,
    });
  const record = otpId === undefined ? undefined : recordOf(otpId, new Date());
  const isUnknown = !record || record.isBlocked || record.state === 'unmanaged';
  if (otp === undefined || (otpId !== undefined && isUnknown)) return 'not_found';
  if (record?.state === 'used') return 'already_used';
  if (record?.state === 'over') return 'expired';
  return verdicts.get(otp) ?? 'not_found';
}

type TestRecord = OtpRecord & { readonly isBlocked: boolean };

function recordOf(otpId: string, now: Date): TestRecord | undefined {
  const place = TEST_ID.exec(otpId)?.[1] ?? '';
  const code = testCodes[Number(place) - 1];
  if (!code) return undefined;
  const { state, wrongTries = 0, resends = 0, sentSecondsAgo } = code;
  const sentAt = new Date(now.getTime() - sentSecondsAgo * 1_000);
  const expiresAt = new Date(sentAt.getTime() + LIFETIME_MS);
  const isBlocked = state === 'blocked';
  return {
    id: idOf(place),
    accountId: idOf('0'),
    plan: null,
    step: null,
    recipient: numberOf(place),
    digits: limits.otpDigitsDefault,
    reference: null,
    state: isBlocked ? 'over' : state,
    wrongTries,
    createdAt: sentAt,
    expiresAt,
    endedAt: state === 'live' ? null : expiresAt < now ? expiresAt : now,
    wording: null,
    encryptionKeyId: null,
    messageId: idOf(place),
    resends,
    sentAt,
    now,
    isBlocked,
  };
}

/** Every message of a test code was delivered when it was sent. */
function loggedOf(record: TestRecord): LoggedOtp {
  const { isBlocked, state, sentAt, createdAt, expiresAt, endedAt, resends, messageId: id } = record;
  const at = sentAt.toISOString();
  const message = {
    id,
    step: null,
    createdAt: at,
    errorCode: null,
    carrierError: null,
    sentAt: at,
    finishedAt: at,
    credits: limits.otpCredits,
  };
  return {
    ...record,
    country: 'US',
    keyId: null,
    stepAt: null,
    enteredStep: null,
    lastAttemptAt: state === 'used' || record.wrongTries > 0 ? endedAt : null,
    ...(isBlocked
      ? { state: 'blocked', blockedBy: 'recipient_hour', expiresAt: null, endedAt: createdAt, messages: [] }
      : {
          blockedBy: null,
          expiresAt,
          messages: Array.from({ length: resends + 1 }, () => ({ ...message, status: 'delivered' as const })),
        }),
  };
}

/** A code and the message that carries it. */
export interface SentCode {
  /** Public id. */
  readonly otpId: string;
  readonly expiresAt: Date;
  /** Undefined if the code cannot be resent. */
  readonly nextResendAt: Date | undefined;
  readonly attemptsLeft: number;
  /** False for a code that the caller has made, which is not ours to verify or to send again. */
  readonly isManaged: boolean;
  /** Undefined for a code without channels. */
  readonly progress?: StepProgress | undefined;
}
