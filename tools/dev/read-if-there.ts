import { existsSync, readFileSync } from 'node:fs';

/** What a file says, or undefined when there is none. */
export function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
