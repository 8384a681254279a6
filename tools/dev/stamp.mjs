import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sourceTrees = [
  'contract',
  'core',
  'server',
  'worker',
  'admin',
  'sandbox',
  'tools',
  'web',
  'e2e/resilience/chaos',
];
const sourceFiles = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json'];

/** A hash over path, size and modification time of all that the build reads; tests do not count. */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) add(join(path, name));
    } else if (stat && !/\.spec\.tsx?$/.test(path)) {
      hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
    }
  };
  for (const path of [...sourceTrees, ...sourceFiles]) add(path);
  return hash.digest('hex');
}

/** The stamp of the last build that succeeded, or undefined. */
export function readStamp(root) {
  try {
    return readFileSync(stampFile(root), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Records that `dist/` was built from the sources with this stamp. */
export function writeStamp(root, stamp) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile(root), stamp);
}

function stampFile(root) {
  return join(root, 'dist', '.stamp');
}
