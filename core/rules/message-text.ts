/** Typed by lib es2024; every supported Node version has these methods. */
interface WellFormedString {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** Returns false for text that neither Postgres nor the carrier can store: a NUL character or an unpaired surrogate. */
export function isSendableText(text: string): boolean {
  return !text.includes('\0') && (text as string & WellFormedString).isWellFormed();
}

/** Replaces every character that Postgres cannot store by U+FFFD. */
export function keepableText(text: string): string {
  return (text as string & WellFormedString).toWellFormed().replaceAll('\0', '\ufffd');
}

/** Meaning of a keyword: opt out of a sender's messages, opt in again, or ask for help. */
export type OptOutWish = 'stop' | 'start' | 'help';

const wishes = new Map<string, OptOutWish>([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'].map((word) => [word, 'stop'] as const),
  ...['START', 'YES', 'UNSTOP'].map((word) => [word, 'start'] as const),
  ...['HELP', 'INFO'].map((word) => [word, 'help'] as const),
]);

/** A longer text cannot be a single keyword. */
const TEXT_LENGTH_MAX = 64;
/** White space, punctuation and invisible characters. */
const AROUND = /^[\s\p{P}\p{Cf}]+|[\s\p{P}\p{Cf}]+$/gu;

/**
 * Returns the meaning of a text that consists of one keyword, in any letter case, surrounded by any white space or punctuation.
 * The keywords are those that US carriers require (https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out).
 */
export function optOutWishOf(text: string): OptOutWish | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  return wishes.get(text.replace(AROUND, '').toUpperCase());
}
