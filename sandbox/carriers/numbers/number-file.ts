import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NumberStore, OwnedNumber } from './number-store.js';

const FILE = 'numbers.json';

/**
 * Loads the product's numbers from a file, and writes the file before each answer about a change: a
 * number that was bought is the product's also after a crash. Throws file system errors.
 */
export function keepNumbers(dir: string, numbers: NumberStore): void {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, FILE);
  if (existsSync(path)) numbers.restore(JSON.parse(readFileSync(path, 'utf8')) as OwnedNumber[]);
  numbers.watch(() => {
    writeFileSync(`${path}.new`, JSON.stringify(numbers.list()));
    renameSync(`${path}.new`, path);
  });
}
