import { defineConfig } from '@playwright/test';
import real from '../../playwright.config.js';

/**
 * The projects and the strictness of the end-to-end tests, over a test that passes on its second
 * run only.
 */
export default defineConfig({
  ...real,
  testDir: '.',
  projects: (real.projects ?? [])
    .filter(({ name = '' }) => process.env['FLAKY_PROJECTS']?.split(',').includes(name))
    .map((project) => ({ ...project, testMatch: 'flaky.fixture.ts' })),
});
