import { defineConfig, type ReporterDescription } from '@playwright/test';

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

// Without these Chromium asks its maker's hosts at every start. A root user has no sandbox of Chromium's to be in.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

const reporter: ReporterDescription[] = [['list']];
if (process.env.PLAYWRIGHT_JSON_OUTPUT_NAME) reporter.push(['json']);

const project = (name: string) => ({ name, testMatch: `${name}.spec.ts` });

export default defineConfig({
  testDir: '.',
  outputDir: 'results',
  // Every file measures time or kills processes: two at once would disturb each other.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter,
  use: {
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromium, args: [...quiet, ...asRoot] },
  },
  projects: [
    'start-faults',
    'two-processes',
    'fairness',
    'otp',
    'crash',
    'carrier-faults',
    'signing-in',
    'buying',
    'webhooks',
    'samples',
    'documentation',
    'pages',
    'sign-in-pages',
    'stranger',
  ].map(project),
});
