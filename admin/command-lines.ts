import { DomainError } from '#core/platform/errors/domain-error.js';

/** A word of a command line: plain characters, 'as it is', or "with \" and \\". */
const WORD = /(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/y;

/**
 * Splits a line into words as a shell does, without substitutions. An empty line and a comment (`# …`) have
 * none. Throws `invalid_request` for a quote that does not end.
 */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '' && !rest.startsWith('#')) {
    WORD.lastIndex = 0;
    const [word] = WORD.exec(rest) ?? [];
    if (word === undefined) throw new DomainError('invalid_request', 'A quote does not end.');
    words.push(word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, unquoted));
    rest = rest.slice(word.length).trimStart();
  }
  return words;
}

function unquoted(_all: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? '';
}

/**
 * Returns what precedes every command of standard input when the words ask for them: `-` in place of a
 * command, after `--as NAME` if that is given. Undefined for a single command.
 */
export function sharedWordsOf(words: readonly string[]): readonly string[] | undefined {
  const shared = words.slice(0, -1);
  const isName = shared.length === 0 || (shared.length === 2 && shared[0] === '--as');
  return words.at(-1) === '-' && (isName || (shared.length === 1 && shared[0]?.startsWith('--as=')))
    ? shared
    : undefined;
}
