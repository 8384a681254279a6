import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dockerignore } from './dockerignore.js';

describe('Dockerignore', () => {
  it.each([
    ['a file by its name', 'secret', 'secret', true],
    ['a folder with all that is in it', 'data', 'data/a/b', true],
    ['a name at any depth', '**/dist', 'web/a/dist/x.js', true],
    ['a name at the top too', '**/dist', 'dist', true],
    ['a star within one folder alone', '*.md', 'docs/a.md', false],
    ['what a later line takes back', '*\n!web', 'web/src/a.ts', false],
    ['what a still later line excludes again', '*\n!web\n**/*.spec.ts', 'web/src/a.spec.ts', true],
    ['nothing by a comment', '# web', 'web', false],
  ])('knows %s', (_what, text, path, excluded) => {
    expect(new Dockerignore(text).excludes(path)).toBe(excluded);
  });

  it('lets nothing into our image that is secret, data, a test or installed', () => {
    const ours = new Dockerignore(readFileSync(join(process.cwd(), '.dockerignore'), 'utf8'));
    const kept = [
      '.env',
      'sandbox.env',
      '.git/config',
      '.data/local.env',
      'node_modules/a/b.js',
      'web/node_modules/a.js',
    ];
    const tests = ['core/rules/segments.spec.ts', 'core/testing/test-bed.ts', 'e2e/crash.spec.ts', 'web/.env'];
    for (const path of [...kept, ...tests, 'dist/server/main.js'])
      expect([path, ours.excludes(path)]).toEqual([path, true]);
    for (const path of ['package-lock.json', 'core/platform/config/env.ts', 'web/src/root.tsx'])
      expect([path, ours.excludes(path)]).toEqual([path, false]);
  });
});
