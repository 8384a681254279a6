import { smartText, unicodeCharactersIn } from '#contract/sms-characters.js';
import { shownCharacter } from '../../ui/format.js';

const NAMED_MAX = 3;

/** Names the replaced characters: 'Replace – by -'. */
export function replacementText(message: string): string {
  const pairs = unicodeCharactersIn(message)
    .map((character) => [character, smartText(character)] as const)
    .filter(([character, plain]) => character !== plain);
  const named = pairs
    .slice(0, NAMED_MAX)
    .map(([character, plain]) => `${shownCharacter(character)} by ${plain === ' ' ? 'a space' : plain}`);
  if (named.length === 0) return 'Use plain characters';
  return `Replace ${[...named, ...(pairs.length > NAMED_MAX ? ['others'] : [])].join(', ')}`;
}
