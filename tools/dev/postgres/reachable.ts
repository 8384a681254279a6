import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SystemUser } from './postgres-user.js';

/** Whether the user may enter a folder and all that it stands in: `/root` is commonly closed to others. */
export function isReachable(path: string, user: SystemUser): boolean {
  let folder = realpathSync(path);
  for (;;) {
    if (!mayEnter(statSync(folder), user)) return false;
    const parent = dirname(folder);
    if (parent === folder) return true;
    folder = parent;
  }
}

/** The classic rule of permissions: the owner's bits count for the owner, else the group's for the group, else the others'. */
export function mayEnter(folder: { mode: number; uid: number; gid: number }, user: SystemUser): boolean {
  if (folder.uid === user.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === user.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}
