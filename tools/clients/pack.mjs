// Packs the clients of all languages: `node tools/clients/pack.mjs [FOLDER]`. Without a folder they
// go into the built site, which serves them as /clients/… in the version that fits its API.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const folder = process.argv[2] ?? join(here, '../../dist/web/client/clients');
if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(here).filter((file) => /^pack-\w+\.mjs$/.test(file))) {
  const { status } = spawnSync(process.execPath, [join(here, name), folder], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
