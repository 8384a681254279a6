import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of the first of these commands that the PATH offers, or undefined. */
export function findCommand(...names: string[]): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean),
    '/opt/homebrew/bin',
    '/usr/local/bin',
    // Debian's servers; an ordinary user's PATH leaves it out.
    '/usr/sbin',
  ];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Whether a path is a file that may be run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
