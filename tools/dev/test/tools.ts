import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { StartError } from '../../testkit/program.js';
import { findCommand, isExecutable } from '../../testkit/redis.js';

const macBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Chromium without windows: half the processor time. Debian has it as a package. */
const headlessShells = ['chromium-headless-shell'];

/**
 * The programs that end-to-end tests need, as variables. Throws StartError with what to install.
 */
export function toolPaths(): Record<string, string> {
  const browser =
    findCommand(...headlessShells, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
    [...macBrowsers, chromium.executablePath()].find((path) => existsSync(path));
  return {
    CHROMIUM_PATH: pathOf('CHROMIUM_PATH', browser, 'Chromium'),
    PGBOUNCER_PATH: pathOf('PGBOUNCER_PATH', findCommand('pgbouncer'), 'pgbouncer'),
  };
}

function pathOf(variable: string, found: string | undefined, program: string): string {
  const given = process.env[variable];
  if (given && !isExecutable(given)) throw new StartError(`${variable} is ${given}, but no program is there.`);
  const path = given || found;
  if (path) return path;
  throw new StartError(`The end-to-end tests need ${program}: install it (apt-get or brew), or set ${variable}.`);
}
