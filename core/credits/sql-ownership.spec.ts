import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = process.cwd();
const folders = ['core', 'server', 'worker', 'admin'];
/**
 * Tests, applied migrations, the list of the tables' placement on Citus, and the check of a backup,
 * which counts rows of a copy, may name the tables; the tables belong to core/credits.
 */
const exempt =
  /^core\/(credits\/|platform\/(citus\/layout|database\/(migrations\/.*|verify-backup))\.ts$)|\/testing\/|\.spec\.ts$/;

describe('SQL on balances and ledger', () => {
  it('is in core/credits alone', () => {
    const files = folders
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
      )
      .map((path) => relative(root, path))
      .filter((path) => path.endsWith('.ts') && !exempt.test(path));
    const naming = files.filter((path) =>
      /\b(credit_accounts|credit_holds|ledger_entries)\b/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(naming).toEqual([]);
  });
});
