import { execFileSync } from 'node:child_process';

// Plain JavaScript, which Node runs directly.
const script = `import { paths } from './tools/stats.mjs'; process.stdout.write(JSON.stringify(paths()))`;
const found = JSON.parse(
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
) as { name: string; files: string[] }[];

describe('paths', () => {
  it.each(found)('follows the imports of $name from its first file into core', ({ files }) => {
    expect(files.some((file) => file.startsWith('core/'))).toBe(true);
  });

  it('leads from sendsms to the statement that accepts, and not into the platform', () => {
    const files = found.find(({ name }) => name === 'sendsms')?.files ?? [];
    expect(files).toContain('core/messages/send/acceptance.sql.ts');
    expect(files.filter((file) => /^(contract|core\/platform)\//.test(file))).toEqual([]);
  });
});
