import { readFileSync } from 'node:fs';
import { writtenFiles } from './testing/written-files.js';

/**
 * Beginnings of comments that have no subject: a relative clause without a head, or a pronoun for a noun that
 * only the author knows. The rule and its cure are in CONTRIBUTING.md, "Comments".
 */
const HEADLESS = /^(What|Which|Whose|Whom|Who|Of|Those|One (that|which|who|whose)|That of|Longer than|As for)\b/;

const COMMENTS = {
  /** A block, or the first of the lines that follow each other; also behind code. */
  script: /\/\*\*?\s*(?:\*\s*)?(?<block>[^\s*][^\n]*)|(?<before>^|\n)(?<code>[^\n]*?)(?<=^|\s)\/\/ (?<line>[^\n]+)/g,
  shell: /(?<before>^|\n)(?<code>[ \t]*)# (?<line>[^\n]+)/g,
};

describe('comments', () => {
  it('begin with their subject', () => {
    // The samples below are such comments.
    const files = writtenFiles().filter((path) => !path.endsWith('.md') && path !== 'tools/dev/comments.spec.ts');
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap((path) => headlessOf(path, readFileSync(path, 'utf8')))).toEqual([]);
  });

  it.each([
    ['a.ts', 'f();\n/** Of a message: its text. */\n', 'a.ts:2: Of a message: its text. */'],
    ['a.ts', '/**\n * What a carrier told.\n */\n', 'a.ts:2: What a carrier told.'],
    ['a.ts', '// One that waits.\nf();\n', 'a.ts:1: One that waits.'],
    ['a.ts', 'f(); // Those of a day.\n', 'a.ts:1: Those of a day.'],
    ['a.sh', 'ls\n# Which of them run.\n', 'a.sh:2: Which of them run.'],
  ])('are found in %s: %j', (path, text, found) => {
    expect(headlessOf(path, text)).toEqual([found]);
  });

  it('may go on with any word', () => {
    expect(headlessOf('a.ts', '// A message waits\n// Of which there are many.\n')).toEqual([]);
    expect(headlessOf('a.ts', "const url = 'https://example.com'; // Often enough.\n")).toEqual([]);
  });
});

/** Lists the comments of a file that begin without their subject, each with its line. */
function headlessOf(path: string, text: string): string[] {
  const pattern = /\.(ts|tsx|mjs|cjs|js|css)$/.test(path) ? COMMENTS.script : COMMENTS.shell;
  let endOfLast = -1;
  return Array.from(text.matchAll(pattern)).flatMap(({ 0: matched, index, groups: { block, code, line } = {} }) => {
    const isContinued = block === undefined && code?.trim() === '' && index === endOfLast;
    endOfLast = index + matched.length;
    const comment = block ?? line ?? '';
    if (isContinued || !HEADLESS.test(comment)) return [];
    return [`${path}:${text.slice(0, endOfLast).split('\n').length}: ${comment}`];
  });
}
