import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { test } from '../testing/product.js';
import { repository } from '../testing/repository.js';
import { SdkProject } from '../testing/sdk-project.js';
import type { Stack, TestAccount } from '../testing/stack.js';
import { freePort } from '../../tools/testkit/ports.js';
import { until } from '../../tools/testkit/until.js';

const CLIENT_BYTES_MAX = 12 * 1_024;
const TO = '+12025550142';

let stack: Stack;
let account: TestAccount;
let project: SdkProject;
let documentation: string;

test.beforeAll(async ({ product }) => {
  stack = product;
  account = await stack.account(1_000);
  documentation = await (await fetch(`${stack.serverUrl}/llms.txt`)).text();
  project = await SdkProject.create();
});

test.afterAll(() => project?.remove());

const env = () => ({ PENNYTEXT_URL: stack.serverUrl, PENNYTEXT_API_KEY: account.apiKey });

/** The code of a one-time password, as the recipient gets it. */
const codeOf = (to: string): Promise<string> =>
  until(
    'the code has reached the carrier',
    async () => /code is (\d{6})\./.exec((await stack.carrier.messages(to))[0]?.body ?? '')?.[1],
    { timeoutMs: 30_000 },
  );

test('the client has at most 12 kB, and its package no dependencies', () => {
  expect(gzipSync(readFileSync(project.installed('dist/index.js'))).length).toBeLessThanOrEqual(CLIENT_BYTES_MAX);
  const installed = JSON.parse(readFileSync(project.installed('package.json'), 'utf8')) as object;
  expect(installed).not.toHaveProperty('dependencies');
});

/** A program or command as the documentation of this installation shows it. */
function sampleOf(title: string): string {
  const [, code] = new RegExp(`^${title}:\n\n\`\`\`\\w+\n([^]*?)^\`\`\`$`, 'm').exec(documentation) ?? [];
  if (code === undefined) throw new Error(`The documentation shows no code with the title ${title}`);
  return code;
}

test('the quick start of the documentation sends a message', async () => {
  const printed = await project.program('quick-start.mjs', sampleOf('send.mjs'), env());
  expect(printed).toMatch(/message_id: 'SM[0-9a-f]{32}'/);
  expect(printed).toMatch(/status: '(queued|sending|sent|delivered)'/);
});

test('the commands of the documentation log in and send', async () => {
  const commands = sampleOf('Log in and send');
  const { code, output, errors } = await project.run('bash', ['-ec', commands], { input: `${account.apiKey}\n` });
  expect([code, output]).toEqual([0, expect.stringMatching(/SM[0-9a-f]{32}/)]);
  expect(`${output}${errors}`).not.toContain(account.apiKey);
});

test('the lists and the error handling of the documentation run with the client of its quick start', async () => {
  const start = sampleOf('send.mjs');
  const lists = sampleOf('Lists are read page by page');
  const failures = sampleOf('Errors have a code');
  const client = start.slice(0, start.indexOf('const {'));
  expect(await project.program('lists.mjs', `${client}${lists}console.log(latest.length > 0);`, env())).toMatch(
    /true\n$/,
  );
  const opted = failures.replace("to: '+12025550142'", "to: '+1'");
  const { code, errors } = await project.run(process.execPath, [project.write('failures.mjs', `${client}${opted}`)], {
    env: env(),
  });
  expect([code, errors]).toEqual([0, expect.stringContaining('invalid_number')]);
});

test('an ESM program sends, lists, and reads errors', async () => {
  const printed = await project.program(
    'all.mjs',
    `import { Pennytext, PennytextError } from 'pennytext';
     const client = new Pennytext({ apiKey: process.env.PENNYTEXT_API_KEY, baseUrl: process.env.PENNYTEXT_URL });
     const request = { to: '${TO}', message: 'From the SDK', reference: 'sdk-1' };
     const quote = await client.quote(request);
     const options = { idempotencyKey: crypto.randomUUID() };
     const first = await client.send(request, options);
     const again = await client.send(request, options);
     const later = await client.send({ ...request, send_at: new Date(Date.now() + 3_600_000).toISOString() });
     const canceled = await client.messages.cancel(later.message_id);
     const recipients = Array.from({ length: 60 }, (_none, n) => ({ to: '+1202555' + (2000 + n), name: 'Ada ' + n }));
     const bulk = await client.sendBulk({ message: 'Hi {{name}}', recipients });
     const batch = await client.batches.get(bulk.batch_id);
     let listed = 0;
     for await (const message of client.batches.messages(bulk.batch_id)) 
        listed += message.message.startsWith('Hi Ada') ? 1 : 0;
     const [byReference] = await client.messages.list({ reference: 'sdk-1', status: 'canceled' }).take(1);
     const failure = await client.send({ to: '+1', message: 'x' }).catch((error) => error);
     console.log(JSON.stringify({
       price: quote.credits, replayed: first.message_id === again.message_id, canceled: canceled.status,
       batch: batch.messages, listed, byReference: byReference.message_id === later.message_id,
       error: [failure instanceof PennytextError, failure.code, failure.status, typeof failure.requestId],
       balance: typeof (await client.balance()).balance,
     }));`,
    env(),
  );
  expect(JSON.parse(printed)).toEqual({
    price: 1,
    replayed: true,
    canceled: 'canceled',
    batch: 60,
    listed: 60,
    byReference: true,
    error: [true, 'invalid_number', 400, 'string'],
    balance: 'number',
  });
});

test('a CommonJS program sends a code and verifies it', async () => {
  const to = '+12025550171';
  const client = `const { Pennytext } = require('pennytext');
     const client = new Pennytext({ apiKey: process.env.PENNYTEXT_API_KEY, baseUrl: process.env.PENNYTEXT_URL });`;
  await project.program('send.cjs', `${client} client.otp.send({ to: '${to}', org: 'Shop' });`, env());
  const verify =
    `${client} client.otp.verify({ to: '${to}', otp: '${await codeOf(to)}' }).then(({ status }) => ` +
    'console.log(status));';
  expect(await project.program('verify.cjs', verify, env())).toBe('verified\n');
  expect(await project.program('verify.cjs', verify, env())).toBe('already_used\n');
});

test('TypeScript finds the types from ESM and CommonJS, without types of Node', async () => {
  const program = `import { Pennytext, PennytextError, verify, type AcceptedMessage } from 'pennytext';
    const client = new Pennytext({ apiKey: 'key', baseUrl: 'https://api.example' });
    export async function run(): Promise<AcceptedMessage['message_id']> {
      const event = await verify('{}', new Headers(), ['one', 'two']);
      if (event.type === 'message.delivered') event.data.credits.toFixed();
      for await (const message of client.messages.list({ status: 'sent' })) message.to.toUpperCase();
      await client.sendBulk({ message: 'Hi {{name}}', recipients: [{ to: '+1', name: 'Ada' }] });
      // @ts-expect-error: a message has a text
      await client.send({ to: '+1' });
      // @ts-expect-error: not a state of a message
      client.messages.list({ status: 'lost' });
      return (await client.send({ to: '+1', message: 'Hello' })).message_id;
    }
    export const code = (error: PennytextError) => (error.code === 'no_credits' ? error.detail : error.requestId);`;
  for (const name of ['program.mts', 'program.cts']) project.write(`types/${name}`, program);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  project.write('types/tsconfig.json', JSON.stringify({ compilerOptions }));
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const { code, output } = await project.run(process.execPath, [tsc, '-p', 'types']);
  expect({ code, output }).toEqual({ code: 0, output: '' });
});

test('a page of another site loads the client and uses a test key', async ({ page }) => {
  const site = await servePage(`import { Pennytext, PennytextError } from '/pennytext.js';
    const client = new Pennytext({ apiKey: '${account.apiKey}_test', baseUrl: '${stack.serverUrl}' });
    const sent = await client.send({ to: '${TO}', message: 'From a page' });
    const bulk = await client.sendBulk({ messages: [{ to: '${TO}', message: 'From a page' }] });
    const failure = await client.send({ to: '+1', message: 'x' }).catch((error) => error);
    const found = [sent.test && bulk.test, failure instanceof PennytextError, failure.code];
    document.title = [...found, Boolean(failure.requestId)].join(' ');`);
  try {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await expect(page).toHaveTitle('true true invalid_number true', { timeout: 30_000 });
  } finally {
    site.close();
  }
});

async function servePage(script: string): Promise<Server> {
  const client = readFileSync(project.installed('dist/index.js'));
  const site = createServer((request, reply) => {
    const isClient = request.url === '/pennytext.js';
    reply.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    reply.end(isClient ? client : `<!doctype html><script type="module">${script}</script>`);
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  return site;
}

test.describe('the command line', () => {
  test('saves a key that others cannot read, and uses it', async () => {
    const config = { XDG_CONFIG_HOME: join(project.folder, 'ada') };
    const wrong = await project.cli(['login', '--url', stack.serverUrl], { env: config, input: 'wrong' });
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('unknown_api_key')]);
    const login = await project.cli(['login', '--url', stack.serverUrl], { env: config, input: `${account.apiKey}\n` });
    expect(login).toMatchObject({ code: 0, errors: '' });
    expect(login.output).not.toContain(account.apiKey);
    expect(statSync(join(config.XDG_CONFIG_HOME, 'pennytext/config.json')).mode & 0o777).toBe(0o600);
    expect((await project.cli(['balance'], { env: config })).output).toMatch(/^\d[\d,]* credits/);
    await project.cli(['logout'], { env: config });
    const after = await project.cli(['balance'], { env: config });
    expect([after.code, after.errors]).toEqual([2, expect.stringContaining('pennytext login')]);
  });

  test('sends, shows, prices and cancels messages', async () => {
    const quote = JSON.parse((await project.cli(['quote', TO, 'Hello', '--json'], { env: env() })).output) as object;
    expect(quote).toMatchObject({ credits: 1, country: 'US' });
    const sent = await project.cli(['send', TO, '-', '--reference', 'cli'], { env: env(), input: 'Hi, 😀\n' });
    const [id = 'no id'] = /SM[0-9a-f]{32}/.exec(sent.output) ?? [];
    const shown = await project.cli(['status', id, '--json'], { env: env() });
    expect(JSON.parse(shown.output)).toMatchObject({ message_id: id, message: 'Hi, 😀', reference: 'cli' });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const later = await project.cli(['send', '--send-at', at, TO, 'Later', '--json'], { env: env() });
    const { message_id: waiting } = JSON.parse(later.output) as { message_id: string };
    expect((await project.cli(['cancel', waiting], { env: env() })).output).toBe(
      `${waiting}: canceled, 1 credit refunded\n`,
    );
    const logs = await project.cli(['logs', '--limit', '1'], { env: env() });
    const [, ...shownAs] = logs.output.trim().split(/ +/);
    expect(shownAs).toEqual([waiting, TO, 'canceled', '1', 'Later']);
  });

  test('has an exit code for each kind of failure', async () => {
    const failing = async (args: string[], more: Record<string, string> = {}) => {
      const { code, output, errors } = await project.cli(args, { env: { ...env(), ...more } });
      expect([output, errors.includes('\u001b')]).toEqual(['', false]);
      return [code, errors.split(/[:. ]/)[0]];
    };
    expect(await failing(['send', '+1', 'x'])).toEqual([1, 'invalid_number']);
    expect(await failing(['send'])).toEqual([2, 'Usage']);
    expect(await failing(['nonsense'])).toEqual([2, 'There']);
    expect(await failing(['balance', '--api-key', 'x'])).toEqual([2, 'Unknown']);
    const closed = { PENNYTEXT_URL: `http://127.0.0.1:${await freePort()}` };
    expect(await failing(['balance'], closed)).toEqual([3, 'unreachable']);
  });

  test('explains every command', async () => {
    const overview = (await project.cli(['--help'])).output;
    const names = [...overview.matchAll(/^ {2}([a-z]+)[ A-Z.]/gm)].map(([, name = '']) => name);
    expect(names).toEqual(
      expect.arrayContaining(['login', 'send', 'bulk', 'otp', 'status', 'logs', 'listen', 'trigger']),
    );
    for (const name of names) {
      const { code, output } = await project.cli([name, '--help']);
      expect([code, output]).toEqual([0, expect.stringMatching(`^Usage: pennytext ${name}`)]);
    }
    const completed =
      `source <(${project.installed('dist/cli.js')} completion bash); COMP_WORDS=(pennytext bulk ` +
      `--par); COMP_CWORD=2; _pennytext; echo "\${COMPREPLY[*]}"`;
    expect((await project.run('bash', ['-c', completed])).output).toBe('--partial\n');
  });

  test('shows the price of a bulk and sends it only after a confirmation', async () => {
    const rows = [
      'to,name,reference',
      ...Array.from({ length: 20 }, (_none, n) => `+1202555${2100 + n},"Ada, ${n}",r${n}`),
    ];
    const file = project.write('list.csv', rows.join('\n'));
    const args = ['bulk', file, '--message', 'Hi {{name}}'];
    const asked = await project.cli(args, { env: env() });
    expect([asked.code, asked.output]).toEqual([2, '']);
    expect(asked.errors).toContain('20 messages, 20 segments, 20 credits');
    expect(asked.errors).toContain('--yes');
    const sent = await project.cli([...args, '--yes', '--wait', '--json'], { env: env() });
    expect(sent.code).toBe(0);
    const [accepted, ended] = sent.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(accepted).toMatchObject({ accepted: 20, credits: 20, rejected: [] });
    expect(ended).toMatchObject({ messages: 20, statuses: { delivered: 20 } });
    expect(sent.errors).not.toContain('\u001b');
    expect(sent.errors).not.toContain('\r');
  });

  test('names the rows of a bulk that are wrong', async () => {
    const file = project.write('wrong.csv', 'to;message\n+12025550142;Hello\n+1;Hello\n');
    const { code, errors } = await project.cli(['bulk', file, '--yes'], { env: env() });
    expect([code, errors]).toEqual([1, expect.stringMatching(/^Row 2 \(\+1\): invalid_number/)]);
  });

  test('asks in a terminal and draws the progress', async () => {
    const file = project.write('two.csv', 'to,message\n+12025552201,One\n+12025552202,Two\n');
    const cli = `${process.execPath} ${project.installed('dist/cli.js')} bulk ${file}`;
    const inTerminal = (answer: string) =>
      project.run('script', ['-qefc', cli, '/dev/null'], { env: { ...env(), TERM: 'xterm' }, input: answer });
    const declined = await inTerminal('n\n');
    expect([declined.code, declined.output]).toEqual([1, expect.stringContaining('Nothing was sent')]);
    const sent = await inTerminal('y\n');
    expect(sent.output).toMatch(/\[#+\] 100% 2 delivered, 0 failed/);
  });

  test('sends and verifies a code', async () => {
    const to = '+12025550172';
    const sent = await project.cli(['otp', 'send', to, '--org', 'Shop', '--json'], { env: env() });
    const { otp_id: id } = JSON.parse(sent.output) as { otp_id: string };
    const verify = ['otp', 'verify', await codeOf(to), '--otp-id', id];
    expect(await project.cli(verify, { env: env() })).toMatchObject({ code: 0, output: 'verified\n' });
    expect(await project.cli(verify, { env: env() })).toMatchObject({ code: 1, output: 'already_used\n' });
    const own = await project.cli(['otp', 'send', to, '--code', '4830K2', '--json'], { env: env() });
    expect(JSON.parse(own.output)).toMatchObject({ managed: false });
  });
});
