import { withoutInvisible } from '#contract/characters.js';

/** Meaning of a keyword: opt out of a sender's messages, opt in again, or ask for help. */
export type OptOutWish = 'stop' | 'start' | 'help';

const STOP_WORDS = [
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'OPT OUT',
] as const;

const wishes = new Map<string, OptOutWish>([
  ...STOP_WORDS.map((word) => [word, 'stop'] as const),
  ...['START', 'YES', 'UNSTOP'].map((word) => [word, 'start'] as const),
  ...['HELP', 'INFO'].map((word) => [word, 'help'] as const),
]);

/**
 * The longest SMS that the carrier delivers has 1,600 characters; longer texts are not compared.
 */
const TEXT_LENGTH_MAX = 1_600;
const WORD_LENGTH_MAX = 16;
const KEYCAPS = /[0-9#*]\ufe0f?\u20e3/gu;
const SPACES = /\s+/gu;
/** A letter in a circle or a box; other symbols, such as the trade mark sign, contain words. */
const LETTER_IN_SYMBOL = /^\(?(\p{L})\)?$/u;
/** Punctuation, control characters, and emoji that this version of Unicode does not know yet. */
const UNREAD = /[\p{P}\p{C}\p{Me}]/gu;

/**
 * Returns the meaning of a text that consists of one keyword, after Unicode compatibility folding
 * and without letter case, punctuation, symbols, emoji and surrounding white space. The keywords
 * are those required by US carriers
 * (https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out), and REVOKE and OPTOUT since
 * April 2025 (47 CFR 64.1200(a)(10)).
 */
export function optOutWishOf(text: string): OptOutWish | undefined {
  return wishes.get(keywordOf(text) ?? '');
}

/**
 * Returns whether a person who writes this text waits for an answer. STOP and START are for the
 * product, which obeys them; YES and HELP may also be meant for people.
 */
export function needsAnswer(text: string): boolean {
  const wish = optOutWishOf(text);
  return wish === undefined || wish === 'help' || keywordOf(text) === 'YES';
}

/** Returns the keyword of a text, in capital letters, as {@link optOutWishOf} reads it. */
export function keywordOf(text: string): string | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const word = withoutInvisible(text.replace(KEYCAPS, ''))
    .replace(/\p{S}/gu, letterOf)
    .replace(SPACES, ' ')
    .replace(UNREAD, '')
    .replace(SPACES, ' ')
    .trim();
  // Compatibility folding is not linear in the length of a text.
  if (word.length > 2 * WORD_LENGTH_MAX) return undefined;
  const keyword = word.normalize('NFKC').toUpperCase();
  return wishes.has(keyword) ? keyword : undefined;
}

function letterOf(symbol: string): string {
  return LETTER_IN_SYMBOL.exec(symbol.normalize('NFKC'))?.[1] ?? '';
}
