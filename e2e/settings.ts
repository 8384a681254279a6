import { defineConfig, type PlaywrightTestConfig, type ReporterDescription } from '@playwright/test';

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

// Without these Chromium asks its maker's hosts at every start. A root user has no sandbox of Chromium's to be in.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

const reporter: ReporterDescription[] = [['list']];
if (process.env.PLAYWRIGHT_JSON_OUTPUT_NAME) reporter.push(['json']);

const project = (name: string) => ({ name, testMatch: `${name}.spec.ts` });

interface Suite {
  /** Its results' folder. */
  readonly name: string;
  /** Its files, `NAME.spec.ts`, each a project of its own. */
  readonly files: readonly string[];
  /** Files that run at the same time. */
  readonly workers: number;
}

/** What all end-to-end tests share. */
export function settingsOf({ name, files, workers }: Suite): PlaywrightTestConfig {
  return defineConfig({
    testDir: '.',
    outputDir: `results/${name}`,
    workers,
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
    projects: files.map(project),
  });
}
