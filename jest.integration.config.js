import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import config from './jest.config.js';

// The integration tests of `npm test`. Loading Nest and TypeORM takes longer than most suites, so neighbouring suites share one
// module registry. A single suite is run by `npx jest --selectProjects integration`.
const root = import.meta.dirname;
const integration = config.projects.find(({ displayName }) => displayName === 'integration');
const suitesMax = 10;

/** Suites in the order of their paths, those of different folders apart. */
const groups = [['core'], ['server'], ['worker', 'admin']].flatMap((folders) => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => file.endsWith('.int.spec.ts'))
      .sort((a, b) => a.localeCompare(b))
      .map((file) => join(root, folder, file)),
  );
  const parts = Math.ceil(files.length / suitesMax);
  return Array.from({ length: parts }, (_none, part) => ({
    name: `${folders.join(' and ')} ${part + 1}`,
    files: files.filter((_file, index) => Math.floor((index * parts) / files.length) === part),
  }));
});

/** @type {import('jest').Config} */
export default {
  testSequencer: './tools/dev/test/largest-first.cjs',
  projects: groups.map(({ name, files }) => ({
    ...integration,
    displayName: name,
    testMatch: ['<rootDir>/core/testing/suite-group.ts'],
    globals: { suiteFiles: files, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) },
  })),
};
