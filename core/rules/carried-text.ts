/** Trial accounts put this before every text (https://www.twilio.com/docs/usage/tutorials/how-to-use-your-free-trial-account). */
const TRIAL_PREFIX = 'Sent from your Twilio trial account - ';

/**
 * Characters that smart encoding replaces, by their replacement: typographic quotes, dashes, ellipsis, spaces and the like
 * (https://www.twilio.com/docs/messaging/services#smart-encoding). Other characters are compared by their compatibility form.
 */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/gu, '"'],
  [/[\u0060\u00b4\u02b9-\u02bd\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\uff07]/gu, "'"],
  [/[\u00ad\u2010-\u2015\u2043\u2212\u23af\u2e3a\u2e3b\ufe58\ufe63\uff0d]/gu, '-'],
  [/[\u2022\u2023\u2219\u25cf\u204e\u2217]/gu, '*'],
  [/[\u200b-\u200f\u2060\ufeff]|\ufe0f/gu, ''],
  [/[\u2044\u2215\u29f8]/gu, '/'],
  [/[\u2038\u02c6]/gu, '^'],
  [/[\u02dc\u223c]/gu, '~'],
];

/** How a text at the carrier compares with the one we sent. */
export type TextComparison = 'equal' | 'altered' | 'different';

/**
 * Compares a text that we sent with one in the carrier's list. `altered`: equal except for what the carrier may change, which is
 * the trial prefix, smart encoding, Unicode composition, line ends and white space.
 */
export function compareCarriedText(sent: string, carried: string): TextComparison {
  if (sent === carried) return 'equal';
  const wanted = foldedText(sent);
  if (wanted === '') return 'different';
  const found = foldedText(carried);
  return found === wanted || found === foldedText(TRIAL_PREFIX + sent) ? 'altered' : 'different';
}

function foldedText(text: string): string {
  return replaced(replaced(text).normalize('NFKC')).replace(/\s+/gu, ' ').trim();
}

function replaced(text: string): string {
  return replacements.reduce((rest, [from, to]) => rest.replace(from, to), text);
}
