import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const stampModule = pathToFileURL(join(process.cwd(), 'tools', 'dev', 'build.mjs')).href;

// The stamp is plain JavaScript, needed before anything is built: Node runs it directly.
function stampOf(folder: string): string {
  const script =
    `import { sourceStamp } from ${JSON.stringify(stampModule)}; ` +
    'process.stdout.write(sourceStamp(process.argv[1]))';
  return execFileSync(process.execPath, ['--input-type=module', '-e', script, folder], { encoding: 'utf8' });
}

describe('sourceStamp', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'stamp-'));
    mkdirSync(join(root, 'core', 'src'), { recursive: true });
    writeFileSync(join(root, 'core', 'src', 'a.ts'), 'one');
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('is the same while nothing changes', () => {
    expect(stampOf(root)).toBe(stampOf(root));
  });

  it('changes with the content of a source, not with its time', () => {
    const before = stampOf(root);
    utimesSync(join(root, 'core', 'src', 'a.ts'), 1, 1);
    expect(stampOf(root)).toBe(before);
    writeFileSync(join(root, 'core', 'src', 'a.ts'), 'two');
    expect(stampOf(root)).not.toBe(before);
  });

  it('changes with a new source', () => {
    const before = stampOf(root);
    writeFileSync(join(root, 'core', 'src', 'b.ts'), '');
    expect(stampOf(root)).not.toBe(before);
  });

  it('does not change with a test or a file outside the sources', () => {
    const before = stampOf(root);
    writeFileSync(join(root, 'core', 'src', 'a.spec.ts'), '');
    writeFileSync(join(root, 'README.md'), '');
    expect(stampOf(root)).toBe(before);
  });
});
