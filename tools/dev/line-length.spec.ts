import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const CHARACTERS_MAX = 120;
/** Migrations are never edited. The rest is written by programs or fetched. */
const passedOver =
  /(^|\/)(\.git|\.data|node_modules|dist|results|migrations|\.tmp[^/]*)(\/|$)|\.generated\.|^docs\/configuration\.md$/;
const texts = /(\.(ts|tsx|mjs|cjs|js|css|sh|yml|md)|Dockerfile|\.env\.example|sandbox\.env)$/;

describe('the length of lines', () => {
  it(`is at most ${CHARACTERS_MAX} characters, in code, comments and prose`, () => {
    expect(filesOf('').flatMap(longLinesOf)).toEqual([]);
  });
});

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (passedOver.test(path)) return [];
    if (entry.isDirectory()) return filesOf(path);
    return entry.isFile() && texts.test(path) ? [path] : [];
  });
}

function longLinesOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
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
