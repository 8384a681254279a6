import { expect, test } from '@playwright/test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CreateKeyBody, NamedKeySecretAnswer } from '#contract/account.js';
import type { WebhookAnswer } from '#contract/webhooks.js';
import { CutConnections } from '../../tools/testkit/cut-connections.js';
import { Customer } from '../testing/customer.js';
import { SdkProject } from '../testing/sdk-project.js';
import { Stack } from '../testing/stack.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';
import { until } from '../../tools/testkit/until.js';

const WITHIN_MS = 60_000;

let stack: Stack;
let customer: Customer;
let project: SdkProject;
let env: { PENNYTEXT_URL: string; PENNYTEXT_API_KEY: string };

test.beforeAll(async () => {
  stack = await Stack.start({
    servers: 1,
    receiptDelayMs: 100,
    logFolder: test.info().outputPath('logs'),
    env: { CUSTOM_SIGN_IN_ENABLED: 'true' },
  });
  await stack.startWorker();
  customer = await Customer.signUp(stack.url);
  await stack.admin('credits', 'adjust', customer.email, '100', '--why', 'e2e');
  env = { PENNYTEXT_URL: stack.serverUrl, PENNYTEXT_API_KEY: await customer.apiKey() };
  project = await SdkProject.create();
});

test.afterAll(async () => {
  project?.remove();
  await stack?.stop();
});

interface Line {
  readonly id: string;
  readonly type: string;
  readonly cursor: string;
  readonly forwarded?: { readonly status: number };
}

const linesOf = (output: string) =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

async function trigger(type: string): Promise<string> {
  const { code, output, errors } = await project.cli(['trigger', type, '--json'], { env });
  expect([code, errors]).toEqual([0, '']);
  return (JSON.parse(output) as { event_id: string }).event_id;
}

test('listen forwards events with signatures that webhook code accepts', async () => {
  const receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
  const listening = project.start(['listen', '--forward', receiver.url, '--json'], env);
  try {
    await listening.prints(/Listening\./, WITHIN_MS);
    const triggered = await trigger('message.delivered');
    const sent = await project.cli(['send', '+12025550142', 'Hello', '--json'], { env });
    const { message_id: messageId } = JSON.parse(sent.output) as { message_id: string };
    await until(
      'the message was delivered and forwarded',
      () => receiver.calls.some(({ body }) => body.includes(messageId) && body.includes('message.delivered')),
      { timeoutMs: WITHIN_MS },
    );
    const { secret } = await customer.call<WebhookAnswer>('GET', '/api/dashboard/webhook');
    receiver.verifyAll(secret);
    expect(receiver.ids).toContain(triggered);
    const ended = await listening.stop();
    const lines = linesOf(ended.output);
    expect(lines.map(({ id }) => id)).toEqual(receiver.ids);
    expect(new Set(lines.map(({ forwarded }) => forwarded?.status))).toEqual(new Set([200]));
    expect([ended.code, ended.errors]).toEqual([130, expect.stringContaining(`--after ${lines.at(-1)?.cursor}`)]);
  } finally {
    await listening.stop();
    await receiver.stop();
  }
});

test('listen loses no event and repeats none while connections break, and continues where it ended', async () => {
  const way = await CutConnections.to(Number(new URL(stack.serverUrl).port));
  const cutEnv = { ...env, PENNYTEXT_URL: way.url };
  const listening = project.start(['listen', '--json'], cutEnv);
  try {
    await listening.prints(/Listening\./, WITHIN_MS);
    const triggered: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      triggered.push(await trigger('otp.sent'));
      way.cut();
      triggered.push(await trigger('otp.verified'));
      way.heal();
    }
    await until('all events are printed', () => linesOf(listening.output).length >= triggered.length, {
      timeoutMs: WITHIN_MS,
    });
    const { errors } = await listening.stop();
    expect(errors).toContain('Reconnecting');
    expect(linesOf(listening.output).map(({ id }) => id)).toEqual(triggered);

    const missed = await trigger('otp.failed');
    const [, cursor = ''] = /--after (\d+)/.exec(errors) ?? [];
    const continued = project.start(['logs', '--follow', '--after', cursor, '--json'], env);
    await until('the missed event is printed', () => linesOf(continued.output).length > 0, { timeoutMs: WITHIN_MS });
    await continued.stop();
    expect(linesOf(continued.output).map(({ id }) => id)).toEqual([missed]);
  } finally {
    await listening.stop();
    await way.stop();
  }
});

test('logs lists messages and then follows', async () => {
  await project.cli(['send', '+12025550143', 'Before'], { env });
  const logs = project.start(['logs', '--follow', '--limit', '1'], env);
  try {
    await logs.prints(/\+12025550143 +\w+ +\d+ +Before\n/, WITHIN_MS);
    await trigger('message.received');
    await logs.prints(/message\.received SM[0-9a-f]{32} from \+\d+: /, WITHIN_MS);
  } finally {
    await logs.stop();
  }
});

/** The tools of `pennytext mcp` as an assistant calls them, with a key of this account. */
async function withAssistant<T>(apiKey: string, use: (call: Tool, names: string[]) => Promise<T>): Promise<T> {
  const assistant = new Client({ name: 'assistant', version: '1' });
  const server = { ...env, PENNYTEXT_API_KEY: apiKey, PATH: process.env.PATH ?? '' };
  const command = project.installed('dist/cli.js');
  await assistant.connect(new StdioClientTransport({ command: process.execPath, args: [command, 'mcp'], env: server }));
  try {
    const { tools } = await assistant.listTools();
    return await use(
      async (name, input = {}) => {
        const { isError, content } = await assistant.callTool({ name, arguments: input });
        const [{ text = '' } = {}] = content as { text?: string }[];
        return isError ? text : (JSON.parse(text) as Record<string, unknown>);
      },
      tools.map(({ name }) => name),
    );
  } finally {
    await assistant.close();
  }
}

type Tool = (name: string, input?: Record<string, unknown>) => Promise<unknown>;

async function keyWith(limited: Partial<CreateKeyBody>): Promise<string> {
  const { secret } = await customer.call<NamedKeySecretAnswer>('POST', '/api/dashboard/keys', {
    name: 'Assistant',
    mode: 'live',
    scopes: ['send', 'read'],
    addresses: [],
    countries: [],
    creditsPerDay: null,
    creditsPerMonth: null,
    messagesPerSecond: null,
    expiresAt: null,
    ...limited,
  });
  return secret;
}

test('mcp lets an assistant send within the budget of its key', async () => {
  await withAssistant(await keyWith({ creditsPerDay: 1 }), async (call, names) => {
    const ofNumbers = ['search_numbers', 'buy_number', 'release_number', 'keep_number'];
    expect(names).toEqual(['balance', 'quote', 'send', 'status', ...ofNumbers]);
    const message = { to: '+12025550144', message: 'From an assistant' };
    expect(await call('quote', message)).toMatchObject({ credits: 1 });
    const sent = (await call('send', message)) as { message_id: string };
    expect(await call('status', { message_id: sent.message_id })).toMatchObject({ message: 'From an assistant' });
    expect(await call('balance')).toMatchObject({ budget: { credits_per_day: 1, spent_today: 1 } });
    expect(await call('send', message)).toMatch(/^key_budget: /);
    expect(await call('status', { message_id: 'SM0' })).toMatch(/^message_not_found: /);
  });
});

test('mcp refuses a key without a budget, with the reason', async () => {
  for (const key of [await customer.apiKey(), await keyWith({})]) {
    await withAssistant(key, async (call) => {
      for (const name of ['balance', 'quote', 'send'])
        expect(await call(name, { to: '+12025550144', message: 'x' })).toContain('this API key has no budget');
    });
  }
  await withAssistant(await keyWith({ creditsPerMonth: 5, scopes: ['send'] }), async (call) => {
    expect(await call('send', { to: '+12025550144', message: 'x' })).toMatch(/^key_scope: /);
  });
});

test('mcp sends nothing with a test key', async () => {
  await withAssistant(`${await customer.apiKey()}_test`, async (call) => {
    expect(await call('send', { to: '+12025550144', message: 'x' })).toMatchObject({ test: true });
  });
});

test('mcp buys numbers within the budget of its key, and gives them back', async () => {
  await withAssistant(await keyWith({ creditsPerDay: 40, scopes: ['read', 'numbers'] }), async (call) => {
    const { numbers } = (await call('search_numbers', { area_code: '212' })) as { numbers: { number: string }[] };
    const [{ number } = { number: '' }] = numbers;
    // The customer has bought no credits, and the budget does not cover the rent.
    expect(await call('buy_number', { number })).toMatch(/^(number_needs_purchase|key_budget): /);
    expect(await call('release_number', { number_id: 'num_0' })).toMatch(/^number_not_found: /);
  });
  await withAssistant(await keyWith({ creditsPerDay: 40 }), async (call) => {
    expect(await call('search_numbers')).toMatch(/^key_scope: /);
  });
  await withAssistant(`${await customer.apiKey()}_test`, async (call) => {
    const bought = (await call('buy_number', { number: '+12125550143' })) as { number_id: string };
    expect(bought).toMatchObject({ test: true });
    expect(await call('release_number', { number_id: bought.number_id })).toMatchObject({ test: true });
  });
});
