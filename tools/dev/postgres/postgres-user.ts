import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.js';
import { say } from '../line-log.js';

/** A user of the system by its numbers. */
export interface SystemUser {
  uid: number;
  gid: number;
}

// Debian's name and macOS's.
const names = ['postgres', '_postgres'];

/**
 * The user that Postgres runs as when we are root (it refuses to run as root): the owner of the data, else the system's
 * Postgres user, else one that is made. Undefined when we are not root.
 */
export function postgresUser(dataDir: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return ownerOf(dataDir) ?? names.map(lookUp).find((user) => user !== undefined) ?? createUser();
}

function ownerOf(dataDir: string): SystemUser | undefined {
  const marker = join(dataDir, 'PG_VERSION');
  if (!existsSync(marker)) return undefined;
  const { uid, gid } = statSync(marker);
  return uid === 0 ? undefined : { uid, gid };
}

function lookUp(name: string): SystemUser | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    // `id` exits with 1 when there is no such user.
    return undefined;
  }
}

function createUser(): SystemUser {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'ignore' });
  } catch (cause) {
    throw new StartError(
      'Postgres refuses to run as root and no user could be made for it: start as an ordinary user, or set DATABASE_URL.',
      { cause },
    );
  }
  const user = lookUp('postgres');
  if (!user) throw new Error('useradd made no user postgres');
  say('postgres', 'Made the system user postgres, as Postgres refuses to run as root');
  return user;
}
