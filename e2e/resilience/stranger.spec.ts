import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { MessagesAnswer, SendSmsAnswer } from '#contract/messages.js';
import { cloneRepository, removeClone, shareInstallation } from '../testing/clone.js';
import { CodeBlocks } from '../testing/code-blocks.js';
import { freePort, isListening, takePort } from '../../tools/testkit/ports.js';
import { processesUnder } from '../testing/processes.js';
import { Terminal } from '../testing/terminal.js';
import { until } from '../../tools/testkit/until.js';

const INSTALLED_WITHIN_MS = 300_000;
const FIRST_START_MS = 60_000;
const STOPPED_WITHIN_MS = 20_000;
const REFUSED_WITHIN_MS = 30_000;
const COMPILED_WITHIN_MS = 180_000;

const BOX = /Pennytext is ready/;
const INSTALLED = /^> pennytext@\S+ start$/m;

const run = promisify(execFile);

let clone: string;
let ports: { PORT: string; WORKER_PORT: string; SANDBOX_PORT: string };
let apiKey: string;

// Tests run in order: each uses the clone as the previous test left it.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  clone = cloneRepository();
  const [PORT, WORKER_PORT, SANDBOX_PORT] = [await freePort(), await freePort(), await freePort()].map(String) as [
    string,
    string,
    string,
  ];
  ports = { PORT, WORKER_PORT, SANDBOX_PORT };
});

test.afterAll(() => removeClone(clone));

test('a new user runs the README’s command and its curl, and sees the message on the phone', async ({ page }) => {
  test.setTimeout(INSTALLED_WITHIN_MS + FIRST_START_MS + 60_000);
  const readme = new CodeBlocks(clone);
  const command = readme.blockWith('npm start');
  expect(command).toBe('npm ci && npm start');
  // E2E_INSTALL=1 installs and builds in the clone as a stranger does; CI has done both in this
  // checkout.
  if (!process.env.E2E_INSTALL) shareInstallation(clone);
  const product = inTerminal(process.env.E2E_INSTALL ? command : 'npm start');
  try {
    await product.prints(INSTALLED, INSTALLED_WITHIN_MS);
    const tookMs = await took(() => product.prints(BOX, FIRST_START_MS));
    annotate('first start', tookMs);
    const boxCurl = await curlBelowBox(product);
    apiKey = /apikey='([^']+)'/.exec(boxCurl)?.[1] ?? '';

    const fromBox = await send(boxCurl);
    expect(fromBox).toMatchObject({ success: 'true', credits: 1 });
    // The README's ports are the usual ones; this clone runs beside others.
    const readmeCurl = readme
      .blockWith('/api/sendsms')
      .replaceAll(':3000', `:${ports.PORT}`)
      .replace('YOUR_API_KEY', apiKey);
    expect(await send(readmeCurl)).toMatchObject({ success: 'true', credits: 1 });

    await page.goto(`http://localhost:${ports.SANDBOX_PORT}/phone`);
    await page.getByRole('link', { name: '202' }).first().click();
    const log = page.getByRole('log');
    await expect(log.getByText('Hello from Pennytext')).toBeVisible();
    await expect(log.getByText('Hello from the README')).toBeVisible();
    await expect(log.getByText('Delivered').first()).toBeVisible();
    await page.getByRole('textbox', { name: /^Write as/ }).fill('A reply from the phone');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(log.getByText('A reply from the phone')).toBeVisible();
    await page.screenshot({ path: test.info().outputPath('phone.png') });

    await page.goto(`http://localhost:${ports.PORT}/`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send and Receive SMS with our simple API');
    await page.screenshot({ path: test.info().outputPath('start.png') });

    await expect.poll(async () => (await messages()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  } finally {
    await ctrlC(product);
  }
});

test('Ctrl-C has left no process and no open port', async () => {
  expect(processesUnder(clone)).toEqual([]);
  for (const port of Object.values(ports)) expect(await isListening(Number(port))).toBe(false);
});

test('a second start finds yesterday’s messages', async () => {
  const product = inTerminal('npm start');
  try {
    const tookMs = await took(() => product.prints(BOX, FIRST_START_MS));
    annotate('second start', tookMs);
    expect((await messages()).map(({ message }) => message)).toEqual(['Hello from the README', 'Hello from Pennytext']);
    expect(await curlBelowBox(product)).toContain(apiKey);
  } finally {
    await ctrlC(product);
  }
  expect(processesUnder(clone)).toEqual([]);
});

test('npm run dev answers with what is typed, keeps what runs on a type error, and gives back the server', async () => {
  test.setTimeout(2 * FIRST_START_MS + 4 * COMPILED_WITHIN_MS);
  const catalogue = join(clone, 'contract/errors.ts');
  const before = readFileSync(catalogue, 'utf8');
  const errorText = async () => {
    const answer = await fetch(`http://localhost:${ports.PORT}/api/sendsms`, { method: 'POST' });
    return ((await answer.json()) as { error: string }).error;
  };
  const product = inTerminal('npm start');
  try {
    await product.prints(BOX, FIRST_START_MS);
    const dev = inTerminal('npm run dev');
    await dev.prints(/run what was compiled/, 2 * COMPILED_WITHIN_MS);
    const [, pages = ''] = await dev.prints(/^pages +(http:\S+)/m, COMPILED_WITHIN_MS);
    expect(await (await fetch(new URL('/src/entry.client.tsx', pages))).text()).toContain('import');

    writeFileSync(catalogue, before.replace("'Missing required fields", "'TYPED Missing required fields"));
    await until('the answer is the typed one', async () => (await readable(errorText))?.startsWith('TYPED'), {
      timeoutMs: COMPILED_WITHIN_MS,
    });
    writeFileSync(catalogue, `${before}export const broken: number = 'text';\n`);
    await dev.prints(/errors\.ts.*not assignable to type 'number'/, COMPILED_WITHIN_MS);
    expect(await errorText()).toContain('TYPED');

    dev.interrupt();
    await dev.end(STOPPED_WITHIN_MS);
    await until('what was built answers', async () => (await readable(errorText))?.startsWith('Missing'), {
      timeoutMs: FIRST_START_MS,
    });
  } finally {
    writeFileSync(catalogue, before);
    await ctrlC(product);
  }
  expect(processesUnder(clone)).toEqual([]);
});

test('npm run dev without npm start is refused in one line', async () => {
  expect(await onlyLineOf('npm run dev')).toContain('No `npm start` runs from this folder');
});

test('without a redis-server the queue is stored in Postgres and messages still arrive', async () => {
  const PATH = pathWithout(/^(redis|valkey)-/);
  const product = inTerminal('npm start', { PATH });
  try {
    await product.prints(BOX, FIRST_START_MS);
    expect(product.output).toMatch(/No redis-server here: jobs are queued in Postgres\..*apt-get install redis-server/);
    const { message_id } = await send(await curlBelowBox(product));
    await until(
      'the message is delivered',
      async () => (await messages()).some((one) => one.message_id === message_id && one.status === 'delivered'),
      {
        timeoutMs: 20_000,
      },
    );
  } finally {
    await ctrlC(product);
  }
  expect(processesUnder(clone)).toEqual([]);
});

for (const variable of ['PORT', 'WORKER_PORT', 'SANDBOX_PORT'] as const) {
  test(`a taken ${variable} is reported in one line with the remedy`, async () => {
    const taken = await takePort();
    try {
      const line = await onlyLineOf('npm start', { [variable]: String(taken.port) });
      expect(line).toContain(`Port ${taken.port} is taken`);
      expect(line).toContain(`${variable}=`);
    } finally {
      await taken.release();
    }
  });
}

test('a database that refuses connections is reported in one line with its host and the remedy', async () => {
  const port = await freePort();
  const DATABASE_URL = `postgres://somebody@127.0.0.1:${port}/nothing`;
  const line = await onlyLineOf('npm start', { DATABASE_URL });
  expect(line).toContain(`127.0.0.1:${port}`);
  expect(line).toContain('DATABASE_URL');
});

/** A terminal in the clone, without this machine's database settings. */
function inTerminal(command: string, env: Record<string, string> = {}): Terminal {
  const { PATH = '', HOME = '', USER = '', LANG = '' } = process.env;
  return new Terminal(command, {
    cwd: clone,
    env: { PATH, HOME, USER, LANG, ...ports, ...env },
    logFile: test.info().outputPath('terminal.log'),
  });
}

/** Runs a command that fails, and returns the line that it prints. */
async function onlyLineOf(command: string, env: Record<string, string> = {}): Promise<string> {
  const terminal = inTerminal(command, env);
  expect(await terminal.end(REFUSED_WITHIN_MS)).toBe(1);
  expect(terminal.ownLines).toHaveLength(1);
  expect(processesUnder(clone)).toEqual([]);
  return terminal.ownLines[0] ?? '';
}

/** The first curl below the box, with its continued lines. */
async function curlBelowBox(product: Terminal): Promise<string> {
  const [curl] = await product.prints(/^curl (.*\\\n)*.*$/m, 5_000);
  return curl;
}

async function send(curl: string): Promise<SendSmsAnswer> {
  const { stdout } = await run('bash', ['-c', curl], { timeout: 15_000 });
  return JSON.parse(stdout) as SendSmsAnswer;
}

async function messages(): Promise<MessagesAnswer['messages']> {
  const answer = await fetch(`http://localhost:${ports.PORT}/api/messages`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return ((await answer.json()) as MessagesAnswer).messages;
}

/** Result of a look at the server; undefined while no server listens. */
async function readable(look: () => Promise<string>): Promise<string | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function ctrlC(product: Terminal): Promise<void> {
  product.interrupt();
  await product.end(STOPPED_WITHIN_MS);
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function annotate(type: string, tookMs: number): void {
  test.info().annotations.push({ type, description: `${(tookMs / 1_000).toFixed(1)} s` });
}

/** A PATH with all this machine's commands but some. */
function pathWithout(unwanted: RegExp): string {
  const folder = test.info().outputPath('bin');
  mkdirSync(folder, { recursive: true });
  const seen = new Set<string>();
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of namesIn(directory)) {
      if (unwanted.test(name) || seen.has(name)) continue;
      seen.add(name);
      symlinkSync(join(directory, name), join(folder, name));
    }
  }
  return folder;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    // PATHs name folders that do not exist.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
