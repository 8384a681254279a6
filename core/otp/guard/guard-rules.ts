import { DomainError } from '../../platform/errors/domain-error.js';

/** Subject that a rule counts. */
type GuardSubject = 'recipient' | 'ip' | 'device' | 'block' | 'call' | 'caller';

export interface GuardRule {
  readonly rule: string;
  readonly subject: GuardSubject;
  readonly sendsMax: number;
  readonly windowSeconds: number;
  /** If set, the rule counts codes, and refuses only while fewer of them are verified. */
  readonly verifiedPercentMin: number | null;
}

/** A subject of one message: a keyed hash of its value. */
export interface SubjectKey {
  readonly subject: GuardSubject;
  readonly key: string;
}

/** Counts of a rule for a subject. */
export interface GuardReading extends GuardRule {
  readonly key: string;
  /** Seconds since each message within the window, newest first. */
  readonly ages: readonly number[];
  /** Verified codes among the messages. */
  readonly verified: number;
}

/** Figures of a refusal, public except for the key. */
export interface GuardFigures {
  readonly rule: string;
  readonly key: string;
  readonly sent: number;
  /** Null for a rule that does not count verified codes. */
  readonly verified: number | null;
}

/** A message that the fraud guard refuses. */
export class GuardRefusal extends DomainError {
  constructor(
    reading: GuardReading,
    readonly figures: GuardFigures,
    retryAfterSeconds: number,
  ) {
    const code = reading.verifiedPercentMin === null ? 'rate_limited' : 'otp_suspicious';
    super(code, `${reasonOf(reading, figures)} You were not charged.`, { retryAfterSeconds });
  }
}

/**
 * Judges the messages of a batch in order: a message that passes counts for the next ones. Returns
 * for each message the refusal of the rule that holds longest, or undefined.
 */
export function judgeMessages(messages: readonly (readonly GuardReading[])[]): (GuardRefusal | undefined)[] {
  const added = new Map<string, number>();
  return messages.map((readings) => {
    const refusals = readings.flatMap((reading) => refusalOf(reading, added.get(countOf(reading)) ?? 0) ?? []);
    if (refusals.length > 0) return refusals.reduce((one, other) => (waitOf(other) > waitOf(one) ? other : one));
    for (const count of new Set(readings.map(countOf))) added.set(count, (added.get(count) ?? 0) + 1);
    return undefined;
  });
}

/** A subject's messages can count for some of its rules only. */
const countOf = ({ rule, key }: GuardReading): string => `${rule} ${key}`;

/** Returns whether a rule refuses the next message. */
export function isExceeded({ sendsMax, verifiedPercentMin, verified }: GuardReading, sent: number): boolean {
  return sent >= sendsMax && (verifiedPercentMin === null || verified * 100 < verifiedPercentMin * sent);
}

function refusalOf(reading: GuardReading, added: number): GuardRefusal | undefined {
  const { rule, key, ages, sendsMax, windowSeconds, verifiedPercentMin, verified } = reading;
  const sent = ages.length + added;
  if (!isExceeded(reading, sent)) return undefined;
  const oldest = sendsMax > added ? (ages[sendsMax - added - 1] ?? 0) : 0;
  const figures = { rule, key, sent, verified: verifiedPercentMin === null ? null : verified };
  return new GuardRefusal(reading, figures, Math.max(1, windowSeconds - oldest));
}

function waitOf({ retryAfterSeconds = 0 }: DomainError): number {
  return retryAfterSeconds;
}

const subjectNames: Readonly<Record<GuardSubject, string>> = {
  recipient: 'This recipient has got',
  call: 'This number has been called with',
  caller: 'Your account has made calls with',
  ip: 'This end user’s network address has requested',
  device: 'This end user’s device has requested',
  block: 'Numbers that begin like this one have got',
};

function reasonOf(
  { subject, windowSeconds, verifiedPercentMin }: GuardReading,
  { sent, verified }: GuardFigures,
): string {
  const minutes = Math.round(windowSeconds / 60);
  if (verifiedPercentMin === null || verified === null)
    return `${subjectNames[subject]} ${sent} codes in ${minutes} minutes, the most that are sent.`;
  const percent = Math.floor((verified * 100) / sent);
  return (
    `Of your ${sent} codes in ${minutes} minutes to numbers that begin like this one, ${verified} were ` +
    `verified: ${percent}%, and at least ${verifiedPercentMin}% are expected. This looks like fraud. ` +
    'You can reset the guard in the dashboard once an hour.'
  );
}
