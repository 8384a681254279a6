import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import config from './jest.config.js';

// The Jest tests of `npm test`: TEST_LAYER is `unit` or `integration`. Loading modules takes longer
// than most suites, so neighboring suites share one module registry. A single suite is run by `npx
// jest --selectProjects unit` (or integration).
const root = import.meta.dirname;
const layer = process.env.TEST_LAYER;
const project = config.projects.find(({ displayName }) => displayName === layer);
if (!project) throw new Error('Set TEST_LAYER to unit or integration.');
const suitesMax = 25;
const folders = {
  unit: [['core'], ['contract', 'web'], ['sandbox'], ['server', 'worker', 'admin'], ['sdk'], ['tools', 'e2e']],
  integration: [['core'], ['server'], ['worker', 'admin']],
}[layer];

/** Playwright runs those of e2e's folders; unit tests of their parts are in subfolders. */
const isSuite = (path) =>
  path.endsWith('.spec.ts') &&
  path.endsWith('.int.spec.ts') === (layer === 'integration') &&
  !/^(.*\/)?(node_modules|dist)\//.test(path) &&
  !/^e2e\/[^/]+\/[^/]+$/.test(path);

/**
 * A module that a suite replaces is replaced for its whole group; ids never go back in time, so a
 * clock that does spoils them for all.
 */
const isApart = (file) => /jest\.(mock|useFakeTimers)\(/.test(readFileSync(file, 'utf8'));

/** Suites in the order of their paths, those of different folders apart. */
const groups = folders.flatMap((names) => {
  const all = names.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true })
      .map((file) => join(name, file))
      .filter(isSuite)
      .sort((a, b) => a.localeCompare(b))
      .map((file) => join(root, file)),
  );
  const files = all.filter((file) => !isApart(file));
  const parts = Math.ceil(files.length / suitesMax);
  const together = Array.from({ length: parts }, (_none, part) =>
    files.filter((_file, index) => Math.floor((index * parts) / files.length) === part),
  );
  const apart = all.filter(isApart).map((file) => [file]);
  return [...together, ...apart].map((suites, part) => ({ name: `${layer}: ${names.join(', ')} ${part + 1}`, suites }));
});

/** @type {import('jest').Config} */
export default {
  testSequencer: './tools/dev/test/largest-first.cjs',
  projects: groups.map(({ name, suites }) => ({
    ...project,
    displayName: name,
    testMatch: ['<rootDir>/core/testing/suite-group.ts'],
    globals: { suiteFiles: suites, bytes: suites.reduce((sum, file) => sum + statSync(file).size, 0) },
  })),
};
