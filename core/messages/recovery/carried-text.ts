import { normalized } from '#contract/characters.js';
import { plainTypography } from '#contract/sms-characters.js';

/**
 * Trial accounts put this before every text
 * (https://www.twilio.com/docs/usage/tutorials/how-to-use-your-free-trial-account).
 */
const TRIAL_PREFIX = 'Sent from your Twilio trial account - ';

/** Comparison of a text at the carrier with the text that we sent. */
type TextComparison = 'equal' | 'altered' | 'different';

/**
 * Compares a text that we sent with one in the carrier's list. `altered`: equal except for the
 * carrier's changes: trial prefix, smart encoding, Unicode composition, line ends and white space.
 */
export function compareCarriedText(sent: string, carried: string): TextComparison {
  if (sent === carried) return 'equal';
  const wanted = foldedText(sent);
  // Only a message with files has no text. A text of white space alone equals no other.
  if (wanted === '' && sent !== '') return 'different';
  const found = foldedText(carried);
  return found === wanted || found === foldedText(TRIAL_PREFIX + sent) ? 'altered' : 'different';
}

/** Removes differences of smart encoding, Unicode composition and white space. */
function foldedText(text: string): string {
  return plainTypography(normalized(plainTypography(text), 'NFKC'))
    .replace(/\s+/gu, ' ')
    .trim();
}
