import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReachable } from './reachable.js';
import type { SystemUser } from './postgres-user.js';

/** The folder for things that Postgres must reach when the repository stands where its user cannot go. */
export function openFolder(): string {
  for (const parent of ['/var/lib', tmpdir()]) {
    const folder = join(parent, 'pennytext');
    if (!existsSync(folder) && !isWritable(parent)) continue;
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    return folder;
  }
  throw new Error(`neither /var/lib nor ${tmpdir()} can be written to`);
}

/**
 * The folder that holds the cluster: `<parent>/postgres`, or, when Postgres' user cannot reach that, one elsewhere that
 * `<parent>/postgres` then links to. A copy of the repository that starts anew gets a new one.
 */
export function clusterFolder(parent: string, user: SystemUser | undefined): { folder: string; moved: boolean } {
  const usual = join(parent, 'postgres');
  if (existsSync(usual)) {
    const folder = realpathSync(usual);
    return { folder, moved: folder !== join(realpathSync(parent), 'postgres') };
  }
  // A link whose target was deleted.
  rmSync(usual, { force: true });
  if (!user || isReachable(parent, user)) {
    mkdirSync(usual);
    return { folder: usual, moved: false };
  }
  const folder = join(openFolder(), `postgres-${randomBytes(4).toString('hex')}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'origin'), `${parent}\n`);
  symlinkSync(folder, usual);
  return { folder, moved: true };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
