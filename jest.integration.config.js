import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import config from './jest.config.js';

// The integration tests of `npm test`. Loading Nest and TypeORM takes longer than most suites, so the suites of a folder
// share one module registry. A single suite is run by `npx jest --selectProjects integration`.
const root = import.meta.dirname;
const integration = config.projects.find(({ displayName }) => displayName === 'integration');
const groups = new Map();
for (const folder of ['core', 'server', 'worker', 'admin']) {
  for (const file of readdirSync(join(root, folder), { recursive: true }).sort()) {
    if (!file.endsWith('.int.spec.ts')) continue;
    const [subfolder] = file.split('/');
    const group = file.includes('/') ? `${folder}/${subfolder}` : folder;
    groups.set(group, [...(groups.get(group) ?? []), join(root, folder, file)]);
  }
}

// Large folders are divided, so that no core waits for one group at the end.
const suitesMax = 8;
const projects = [...groups].flatMap(([folder, files]) =>
  Array.from({ length: Math.ceil(files.length / suitesMax) }, (_none, part) => ({
    displayName: part === 0 ? folder : `${folder} ${part + 1}`,
    suiteFiles: files.slice(part * suitesMax, (part + 1) * suitesMax),
  })),
);

/** @type {import('jest').Config} */
export default {
  projects: projects.map(({ displayName, suiteFiles }) => ({
    ...integration,
    displayName,
    testMatch: ['<rootDir>/core/testing/suite-group.ts'],
    globals: { suiteFiles },
  })),
};
