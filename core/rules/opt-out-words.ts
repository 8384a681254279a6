/** What a word asks for: to hear no more from a sender, to hear from it again, or to be told who that is. */
export type OptOutWish = 'stop' | 'start' | 'help';

const wishes = new Map<string, OptOutWish>([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'].map((word) => [word, 'stop'] as const),
  ...['START', 'YES', 'UNSTOP'].map((word) => [word, 'start'] as const),
  ...['HELP', 'INFO'].map((word) => [word, 'help'] as const),
]);

/** A longer text is no single word, whatever surrounds it. */
const TEXT_LENGTH_MAX = 64;
/** White space, punctuation and characters that nobody sees. */
const AROUND = /^[\s\p{P}\p{Cf}]+|[\s\p{P}\p{Cf}]+$/gu;

/**
 * The wish of a text that is one of the words as a whole, in any letter case, whatever white space or punctuation surrounds it.
 * The words are those that carriers in the USA ask for (https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out).
 */
export function optOutWishOf(text: string): OptOutWish | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  return wishes.get(text.replace(AROUND, '').toUpperCase());
}
