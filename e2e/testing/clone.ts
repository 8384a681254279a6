import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from './repository.js';

/**
 * Clones the repository's last commit. With E2E_TREE=working the clone holds the files as they are,
 * uncommitted ones too.
 */
export function cloneRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-stranger-'));
  chmodSync(folder, 0o755);
  const clone = join(folder, 'pennytext');
  if (process.env.E2E_TREE === 'working') copyWorkingTree(clone);
  else execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, clone]);
  return clone;
}

/** Gives a clone the packages and the build of this checkout, in place of a second `npm ci`. */
export function shareInstallation(clone: string): void {
  const from = join(repository, 'node_modules');
  // Links where the file system allows them.
  if (spawnSync('cp', ['-al', from, clone]).status !== 0) execFileSync('cp', ['-R', from, clone]);
  execFileSync('cp', ['-R', join(repository, 'dist'), clone]);
}

export function removeClone(clone: string): void {
  rmSync(dirname(clone), { recursive: true, force: true });
}

function copyWorkingTree(clone: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: repository,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter((path) => path !== '')) {
    const from = join(repository, file);
    // Only files are copied: through a copied link, such as to node_modules, the clone's `npm ci`
    // would empty the link's target.
    if (!lstatSync(from, { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    copyFileSync(from, join(clone, file));
  }
}
