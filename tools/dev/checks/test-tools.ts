import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findCommand, isExecutable } from '../find-command.js';
import { findRedisServer } from '../redis/redis-server.js';
import { StartError } from '../start-error.js';
import type { Installer } from './installer.js';

const macApplications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Redis server, installed if need be. Throws StartError with how to get one. */
export async function redisForTests(installer: Installer): Promise<string> {
  const found = findRedisServer();
  if (found) return found;
  if (installer.hasApt) await installer.apt('redis-server');
  else if (findCommand('brew')) await installer.run('brew', ['install', 'redis']);
  const installed = findRedisServer();
  if (installed) return installed;
  throw new StartError('The tests need Redis: install redis-server (apt-get or brew), or set REDIS_URL.');
}

/** The path of pgbouncer, installed if need be. Throws StartError with how to get one. */
export async function pgbouncerForTests(installer: Installer): Promise<string> {
  const given = process.env['PGBOUNCER_PATH'];
  if (given) {
    if (isExecutable(given)) return given;
    throw new StartError(`PGBOUNCER_PATH is ${given}, but no program is there.`);
  }
  const found = findCommand('pgbouncer');
  if (found) return found;
  if (installer.hasApt) await installer.apt('pgbouncer');
  else if (findCommand('brew')) await installer.run('brew', ['install', 'pgbouncer']);
  const installed = findCommand('pgbouncer');
  if (installed) return installed;
  throw new StartError('The end-to-end tests need pgbouncer: install it (apt-get or brew), or set PGBOUNCER_PATH.');
}

/** The path of a Chromium, installed if need be. */
export async function chromiumForTests(root: string, installer: Installer): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  if (given) {
    if (isExecutable(given)) return given;
    throw new StartError(`CHROMIUM_PATH is ${given}, but no program is there.`);
  }
  const found = findChromium() ?? (await playwrightChromium());
  if (found) return found;
  if (installer.hasApt) await installer.apt('chromium', 'fonts-liberation');
  else
    await installer.run(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium']);
  const installed = findChromium() ?? (await playwrightChromium());
  if (installed) return installed;
  throw new StartError('The end-to-end tests need Chromium: install it, or set CHROMIUM_PATH.');
}

function findChromium(): string | undefined {
  return (
    findCommand('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
    macApplications.find(isExecutable)
  );
}

async function playwrightChromium(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}
