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

const NOT_SET = Object.keys({ DATABASE_URL: '', ...required }).map((variable) => `${variable} is not set`);

/** Each program names what it needs of these at once. */
const needs: Readonly<Record<string, readonly string[]>> = {
  server: NOT_SET,
  worker: NOT_SET,
  admin: NOT_SET,
  migrate: ['DATABASE_URL is not set'],
};

for (const [program, missing] of Object.entries(needs)) {
  test(`the ${program} names every missing variable in one line, and needs no more than these`, async () => {
    const line = await onlyLineOf(program, {});
    for (const words of missing) expect(line).toContain(words);
    if (program !== 'admin') expect(JSON.parse(line)).toMatchObject({ level: 60, name: program });

    // Secrets are in files that .env names, and nothing answers at the address of the database.
    const port = await freePort();
    const folder = folderOf();
    const { API_KEY_HASH_SECRET: secret, ...others } = required;
    writeFileSync(join(folder, 'hash-secret'), `${secret}\n`);
    writeFileSync(join(folder, 'database'), `postgres://pennytext@127.0.0.1:${port}/nothing\n`);
    writeFileSync(
      join(folder, '.env'),
      'API_KEY_HASH_SECRET_FILE=hash-secret\nDATABASE_URL_FILE=database\n' +
        'CARRIER=x\nPOSTGRES_PASSWORD=x\nSANDBOX_PORT=4000\n',
    );
    const lines = await linesOf(program, others);
    // The warning is on standard output and the reason on standard error: either may arrive first.
    const unread = lines.filter((text) => text.includes('.env has names that no program reads'));
    const [reason = '', ...more] = lines.filter((text) => !unread.includes(text));
    expect(more).toEqual([]);
    expect(reason).toContain(`127.0.0.1:${port}`);
    expect(reason).toContain('fix DATABASE_URL');
    expect(unread.map((text) => JSON.parse(text) as object)).toEqual(
      program === 'admin' ? [] : [expect.objectContaining({ level: 40, names: ['CARRIER'] })],
    );
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

// All programs read their settings in one place: each of these faults is tried with one program.

test("the server refuses the sandbox's settings at a public address in one line", async () => {
  const settings = parseEnv(readFileSync(join(repository, 'sandbox.env'), 'utf8')) as Record<string, string>;
  const DATABASE_URL = 'postgres://pennytext:x@127.0.0.1:1/pennytext';
  const line = await onlyLineOf('server', { ...settings, DATABASE_URL, PUBLIC_URL: 'https://sms.example.com' });
  for (const variable of ['API_KEY_HASH_SECRET', 'API_KEY_ENCRYPTION_KEY', 'STRIPE_WEBHOOK_SECRET', 'TWILIO_API_URL'])
    expect(line).toContain(`${variable} `);
});

test('the worker prints as text why it does not start with LOG_FORMAT=pretty, such as a missing file', async () => {
  writeFileSync(join(folderOf(), '.env'), 'DATABASE_URL_FILE=database\n');
  const line = await onlyLineOf('worker', { ...required, LOG_FORMAT: 'pretty' });
  expect(line).toMatch(/^The settings are incomplete or wrong\. /);
  expect(line).toContain('DATABASE_URL_FILE names database, which does not exist');
});

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
