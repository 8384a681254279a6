import { readFileSync } from 'node:fs';
import { writtenFiles } from './testing/written-files.js';

const CHARACTERS_MAX = 120;

describe('the length of lines', () => {
  it(`is at most ${CHARACTERS_MAX} characters, in code, comments and prose`, () => {
    expect(writtenFiles().flatMap(longLinesOf)).toEqual([]);
  });
});

function longLinesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const lines = (path.endsWith('.md') ? withoutSamples(text) : text).split('\n');
  return lines.flatMap((line, n) => {
    const isLong = Array.from(line).length > CHARACTERS_MAX;
    return isLong && !hasNoBreak(line) ? [`${path}:${n + 1}`] : [];
  });
}

/** Samples in a page are shown as they run, and a table's row is one line. */
function withoutSamples(page: string): string {
  return page.replaceAll(/^ *```[^]*?^ *```$|^ *\|.*$/gm, (part) => part.replaceAll(/[^\n]/g, ''));
}

/** A pattern, an address or a path has no place where a line could end. A test's title stays in one piece. */
function hasNoBreak(line: string): boolean {
  return /\S{80}|^ *(it|test|describe)[.(]/.test(line);
}
