import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { SendRequest } from '../testing/api.js';
import { flood } from '../testing/flood.js';
import { expectLedgerClean } from '../testing/invariants.js';
import { Stack, type TestAccount } from '../testing/stack.js';

const SENDS = 1_500;

let stack: Stack;

test.beforeAll(async () => {
  stack = await Stack.start({ servers: 2, receiptDelayMs: 1_000, logFolder: test.info().outputPath('logs') });
});

test.afterAll(() => stack?.stop());

test('no balance falls below 0 and every charge has its message under concurrent requests to two servers', async () => {
  const seed = Date.now() % 2 ** 31;
  test.info().annotations.push({ type: 'seed', description: String(seed) });
  // No worker runs, so nothing is refunded and a balance only falls.
  const accounts = await Promise.all([60, 150, 300, 700].map((credits) => stack.account(credits)));
  const requests = fc.sample(requestOf(accounts), { seed, numRuns: SENDS });

  const sending = flood(stack.api, requests, 100);
  let lowest = Infinity;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const balances = await Promise.all(accounts.map(({ apiKey }) => stack.api.balance(apiKey)));
      for (const { balance, purchased, used } of balances) {
        lowest = Math.min(lowest, balance);
        expect(balance).toBe(purchased - used);
      }
    }
  })();
  const sent = await sending.done;
  over.abort();
  await watching;
  expect(lowest).toBeGreaterThanOrEqual(0);
  expect(sent.filter(({ outcome }) => outcome.kind === 'unanswered')).toEqual([]);

  for (const { apiKey } of accounts) {
    const mine = sent.filter(({ request }) => request.apikey === apiKey);
    const accepted = mine.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.answer] : []));
    const { balance, purchased, used } = await stack.api.balance(apiKey);
    const messages = await stack.api.messages(apiKey);
    expect(used).toBe(accepted.reduce((sum, { credits }) => sum + credits, 0));
    expect(balance).toBe(purchased - used);
    expect(messages.map(({ message_id }) => message_id).sort()).toEqual(
      accepted.map(({ message_id }) => message_id).sort(),
    );
    expect(verdictsThatBalanceRefutes(mine, balance)).toEqual([]);
  }
  await expectLedgerClean(stack);
});

/** Since balances only fall, a balance that once was too low for a price still is. */
function verdictsThatBalanceRefutes(sent: Awaited<ReturnType<typeof flood>['done']>, balance: number) {
  return sent.filter(({ request, outcome }) => {
    if (outcome.kind !== 'refused') return false;
    if (outcome.answer.code === 'no_credits') return balance > 0;
    if (outcome.answer.code === 'insufficient_credits') return balance >= priceOf(request);
    return true;
  });
}

/** Credits per segment: the specification's table. */
const numbers = [
  { to: '+14152000001', credits: 1 },
  { to: '+16135550123', credits: 1 },
  { to: '+66812345678', credits: 2 },
  { to: '+447400123456', credits: 3 },
  { to: '+4915112345678', credits: 5 },
];

/** Texts of one to three segments of GSM-7, and how many they have. */
const texts = [
  { length: 1, segments: 1 },
  { length: 160, segments: 1 },
  { length: 161, segments: 2 },
  { length: 459, segments: 3 },
];

function requestOf(accounts: readonly TestAccount[]): fc.Arbitrary<SendRequest> {
  return fc.record({
    to: fc.constantFrom(...numbers).map(({ to }) => to),
    message: fc.constantFrom(...texts).map(({ length }) => 'x'.repeat(length)),
    apikey: fc.constantFrom(...accounts).map(({ apiKey }) => apiKey),
  });
}

function priceOf({ to, message }: SendRequest): number {
  const number = numbers.find((one) => one.to === to);
  const text = texts.find(({ length }) => length === message.length);
  if (!number || !text) throw new Error('The tables above are empty');
  return number.credits * text.segments;
}
