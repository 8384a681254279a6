import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one run, which Postgres' user may enter. */
export function makeScratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-test-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'logs'));
  return folder;
}

/** Removes the folder, and the cluster of Postgres if that had to stand elsewhere. */
export function removeScratchFolder(folder: string): void {
  const cluster = join(folder, 'postgres');
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
