import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@playwright/test';
import { freePort } from '../../tools/testkit/ports.js';
import { repository } from '../testing/repository.js';
import { Terminal } from '../testing/terminal.js';

/** Variables that server and worker need besides the database; nothing connects to them here. */
const required = {
  REDIS_URL: 'redis://127.0.0.1:1',
  PUBLIC_URL: 'http://localhost:1',
  API_KEY_HASH_SECRET: Buffer.alloc(32).toString('base64'),
  API_KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_SENDERS: '+15005550006',
};

for (const program of ['server', 'worker']) {
  test(`the ${program} names a missing variable in one line`, async () => {
    const line = await onlyLineOf(program, required);
    expect(line).toContain('DATABASE_URL is not set');
  });

  test(`the ${program} names every missing variable in one line`, async () => {
    const line = await onlyLineOf(program, {});
    for (const variable of ['DATABASE_URL', ...Object.keys(required)]) expect(line).toContain(`${variable} is not set`);
  });

  test(`the ${program} reports a database that refuses connections in one line with its host and the remedy`, async () => {
    const port = await freePort();
    const DATABASE_URL = `postgres://somebody@127.0.0.1:${port}/nothing`;
    const line = await onlyLineOf(program, { ...required, DATABASE_URL });
    expect(line).toContain(`127.0.0.1:${port}`);
    expect(line).toContain('DATABASE_URL');
  });
}

test('the migration names the URL of its own role when that database does not answer', async () => {
  const port = await freePort();
  const line = await onlyLineOf('migrate', {
    ...required,
    DATABASE_URL: 'postgres://pennytext@127.0.0.1:1/nothing',
    MIGRATION_DATABASE_URL: `postgres://migrator@127.0.0.1:${port}/nothing`,
  });
  expect(line).toContain(`127.0.0.1:${port}`);
  expect(line).toContain('fix MIGRATION_DATABASE_URL.');
});

for (const program of ['server', 'worker', 'admin', 'migrate']) {
  test(`the ${program} refuses the sandbox's settings at a public address in one line`, async () => {
    const settings = parseEnv(readFileSync(join(repository, 'sandbox.env'), 'utf8')) as Record<string, string>;
    const DATABASE_URL = 'postgres://pennytext:x@127.0.0.1:1/pennytext';
    const line = await onlyLineOf(program, { ...settings, DATABASE_URL, PUBLIC_URL: 'https://sms.example.com' });
    for (const variable of ['API_KEY_HASH_SECRET', 'API_KEY_ENCRYPTION_KEY', 'STRIPE_WEBHOOK_SECRET', 'TWILIO_API_URL'])
      expect(line).toContain(`${variable} `);
  });
}

for (const program of ['server', 'worker', 'migrate']) {
  test(`the ${program} prints why it does not start, as JSON like its log or as text`, async () => {
    const line = JSON.parse(await onlyLineOf(program, {})) as { level: number; name: string; msg: string };
    expect(line).toMatchObject({ level: 60, name: program });
    expect(line.msg).toContain('DATABASE_URL is not set');
    expect(await onlyLineOf(program, { LOG_FORMAT: 'pretty' })).toMatch(/^The settings are incomplete or wrong\. /);
  });

  test(`the ${program} logs which names in .env nothing reads`, async () => {
    const DATABASE_URL = `postgres://pennytext@127.0.0.1:${await freePort()}/nothing`;
    writeFileSync(join(folderOf(), '.env'), 'CARRIER=x\nPOSTGRES_PASSWORD=x\nSANDBOX_PORT=4000\n');
    // The warning is on standard output and the reason on standard error: either may arrive first.
    const lines = (await linesOf(program, { ...required, DATABASE_URL })).map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 40, names: ['CARRIER'], msg: '.env has names that no program reads' }),
    );
  });
}

for (const program of ['server', 'worker', 'admin', 'migrate']) {
  test(`the ${program} takes the secrets that .env names as files, and names the one that is missing`, async () => {
    const port = await freePort();
    const folder = folderOf();
    const { API_KEY_HASH_SECRET: secret, ...others } = required;
    writeFileSync(join(folder, 'hash-secret'), `${secret}\n`);
    writeFileSync(join(folder, '.env'), 'API_KEY_HASH_SECRET_FILE=hash-secret\nDATABASE_URL_FILE=database\n');
    expect(await onlyLineOf(program, others)).toContain('DATABASE_URL_FILE names database, which does not exist');
    writeFileSync(join(folder, 'database'), `postgres://pennytext@127.0.0.1:${port}/nothing\n`);
    expect(await onlyLineOf(program, others)).toContain(`127.0.0.1:${port}`);
  });
}

const programs: Readonly<Record<string, string>> = {
  admin: 'admin/main.js ledger check',
  migrate: 'core/platform/database/migrate.js',
};

/** A folder without the settings files of `npm start`. */
function folderOf(): string {
  const folder = test.info().outputPath('elsewhere');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs a program that fails to start, and returns the line that it prints. */
async function onlyLineOf(program: string, env: Record<string, string>): Promise<string> {
  const lines = await linesOf(program, env);
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

/** Runs a program that fails to start, and returns all lines that it prints. */
async function linesOf(program: string, env: Record<string, string>): Promise<string[]> {
  const { PATH = '' } = process.env;
  const cwd = folderOf();
  const terminal = new Terminal(`node ${join(repository, 'dist', programs[program] ?? `${program}/main.js`)}`, {
    cwd,
    env: { PATH, ...env },
    logFile: test.info().outputPath('terminal.log'),
  });
  expect(await terminal.end(30_000)).toBe(1);
  return terminal.ownLines;
}
