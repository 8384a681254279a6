import { execFileSync } from 'node:child_process';

// Plain JavaScript, which Node runs directly.
const script = `import { paths } from './tools/stats.mjs'; process.stdout.write(JSON.stringify(paths()))`;
const found = JSON.parse(
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
) as { name: string; files: string[]; missing: string[] }[];

describe('tools/paths.json', () => {
  it.each(found)('names files and folders that exist for $name', ({ missing, files }) => {
    expect(missing).toEqual([]);
    expect(files.length).toBeGreaterThan(2);
  });
});
