import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { NumbersAnswer } from '#contract/numbers.js';
import { until } from '../../tools/testkit/until.js';
import { stopWithCleanLedger } from '../testing/invariants.js';
import { Stack } from '../testing/stack.js';
import { Visitor } from '../testing/visitor.js';

const CARD = '4242 4242 4242 4242';
const CUSTOMERS = 4;
/** Purchases of each customer; 250 credits pay for all of them. */
const PURCHASES = 5;
/** Orders that a killed server left open are looked up once no call of it can be on its way. */
const SETTLED_WITHIN_MS = 200_000;

let stack: Stack;

test.describe.configure({ timeout: 400_000 });

test.beforeAll(async () => {
  stack = await Stack.start({ servers: 2, receiptDelayMs: 100, logFolder: test.info().outputPath('logs') });
  await stack.startWorker();
});

test.afterAll(() => stopWithCleanLedger(stack));

const urlOf = (server: number) => `http://127.0.0.1:${stack.serverPorts[server]}`;

/** A customer who has bought 250 credits. */
async function customer(): Promise<{ apiKey: string; visitor: Visitor }> {
  const visitor = await Visitor.to(stack);
  const email = `bob-${randomBytes(6).toString('hex')}@example.com`;
  await visitor.signIn({ name: 'Bob', email });
  await visitor.pay((await visitor.checkout('basic')).page, CARD, email);
  await expect.poll(() => visitor.balance()).toBeGreaterThan(250);
  return { apiKey: await visitor.apiKey(), visitor };
}

async function call(url: string, apiKey: string, path: string, body?: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
}

test('kill -9 of servers and worker amid purchases: each number is paid by the one that has it', async () => {
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, customer));
  await stack.carrier.misbehave('delay', { delayMs: 150, service: 'numbers' });
  let asked = 0;
  const purchases = customers.flatMap(({ apiKey }, one) =>
    Array.from({ length: PURCHASES }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, 400 * n + 60 * one));
      asked += 1;
      // A purchase of a killed server has no answer.
      await call(urlOf(n % 2), apiKey, '/api/numbers', { number: `+1212${2_000_000 + one * 100 + n}` }).catch(
        () => undefined,
      );
    }),
  );
  const crashes = (async () => {
    for (const [name, again] of [
      ['server-0', () => stack.startServer(0)],
      ['server-1', () => stack.startServer(1)],
      ['worker', () => stack.startWorker()],
    ] as const) {
      await new Promise((resolve) => setTimeout(resolve, 350));
      await stack.program(name).crash();
      await again();
    }
  })();
  await Promise.all([...purchases, crashes]);
  expect(asked).toBe(CUSTOMERS * PURCHASES);
  await stack.carrier.misbehave('none', { service: 'numbers' });

  const owned = async () => {
    const lists = customers.map(async ({ apiKey }) => {
      const answer = await call(stack.serverUrl, apiKey, '/api/numbers');
      return ((await answer.json()) as NumbersAnswer).numbers;
    });
    return Promise.all(lists);
  };
  const lists = await until(
    'no purchase is open',
    async () => {
      const now = await owned();
      return now.flat().some(({ status }) => status === 'reserving') ? false : now;
    },
    { timeoutMs: SETTLED_WITHIN_MS, everyMs: 1_000 },
  );
  const active = lists.flat().filter(({ status }) => status === 'active');
  const sold = await stack.carrier.numbers();
  expect(active.length).toBeGreaterThan(0);
  // No paid number without an owner, and no owner without a number.
  expect(sold.map(({ number }) => number).toSorted()).toEqual(active.map(({ number }) => number).toSorted());
  for (const [place, { visitor }] of customers.entries())
    expect(await visitor.balance()).toBe(253 - 50 * (lists[place]?.length ?? 0));
  await Promise.all(customers.map(({ visitor }) => visitor.leave()));
});
