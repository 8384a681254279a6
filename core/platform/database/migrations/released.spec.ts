import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), 'core/platform/database/migrations');
// Written before a release, and only then, by this command in that folder:
// sha256sum 1*.ts partitions.ts > released.sha256
const released = readFileSync(join(folder, 'released.sha256'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => ({ digest: line.slice(0, 64), file: line.slice(66) }));

describe('The migrations of a release', () => {
  it.each(released)('are not edited: $file is as it was, and a change is a new migration', ({ digest, file }) => {
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ).toBe(digest);
  });
});
