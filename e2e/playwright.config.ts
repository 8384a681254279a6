import { defineConfig } from '@playwright/test';

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

// Without these Chromium contacts its maker's hosts at every start. Chromium's own sandbox does not
// work for root.
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
];
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

// Every file is found by its folder, so that a new file cannot be forgotten. Projects start in this
// order, their files by name, so that no worker waits for a long test at the end. At first two of
// three workers have crash tests, which mostly wait while the third takes the processor.
export default defineConfig({
  testDir: '.',
  outputDir: 'results/tests',
  workers: 2,
  fullyParallel: false,
  // Strict: a second run that passes would hide a race of the API, of a crash or of data.
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  snapshotPathTemplate: '{testDir}/web/pictures/{arg}{ext}',
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: {
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: { executablePath: chromium, args: [...quiet, ...asRoot] },
  },
  projects: [
    { name: 'resilience', testMatch: 'resilience/*.spec.ts', workers: 2, timeout: 420_000 },
    { name: 'api', testMatch: 'api/*.spec.ts', workers: 2 },
    // A page's test that fails runs once more, with a trace: traces of all tests take a seventh of
    // the run's processor time. If it passes then, it counts as passed, and `npm test` lists it as
    // flaky.
    { name: 'web', testMatch: 'web/*.spec.ts', workers: 3, retries: 1 },
    // Run by `npm run test:citus` only, which needs PostgreSQL with Citus.
    { name: 'citus', testMatch: 'citus/*.spec.ts', timeout: 420_000 },
  ],
});
