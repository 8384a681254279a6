import { expect, test } from '@playwright/test';
import { differentMessages, keyed, persistentFlood } from '../testing/flood.js';
import { settled, stopWithCleanLedger } from '../testing/invariants.js';
import { Stack } from '../testing/stack.js';
import { freePort } from '../../tools/testkit/ports.js';
import { until } from '../../tools/testkit/until.js';

const SENDS = 600;
const UNDOUBTED_WITHIN_MS = 45_000;
const SETTLED_WITHIN_MS = 60_000;
/** Maximum of noted messages: twice the window. */
const NOTED_MAX = 20;
/** A lease of ten seconds, and the time until another worker asks for it. */
const TAKEN_OVER_WITHIN_MS = 15_000;

let stack: Stack;

test.describe.configure({ timeout: 300_000 });

test.beforeAll(async () => {
  const port = String(await freePort());
  const bind = {
    name: 'smsc',
    url: `smpp://127.0.0.1:${port}`,
    system_id: 'sandbox',
    password: 'sandbox',
    senders: ['+15005550200'],
  };
  const env = { SANDBOX_SMPP_PORT: port, SMPP_BINDS: JSON.stringify([bind]) };
  stack = await Stack.start({ servers: 1, receiptDelayMs: 1_000, logFolder: test.info().outputPath('logs'), env });
  await Promise.all([0, 1].map((index) => stack.startWorker(index)));
});

test.afterAll(() => stopWithCleanLedger(stack));

/** The number of the worker that has the bind; undefined without a bind. */
async function boundWorker(): Promise<number | undefined> {
  const states = await Promise.all(
    stack.workerUrls.map(async (url) => {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      const report = (await answer?.json()) as { binds?: { smsc?: string } } | undefined;
      return report?.binds?.smsc;
    }),
  );
  const index = states.indexOf('bound');
  return index < 0 ? undefined : index;
}

test('kill -9 of the worker with the bind, amid 600 sends by two carriers, loses and doubles nothing', async () => {
  const account = await stack.account(SENDS);
  await stack.carrier.misbehave('delay', { delayMs: 20, service: 'smsc' });
  const holder = await until('a bind', async () => (await boundWorker())?.toString() ?? false, { timeoutMs: 30_000 });
  const sending = persistentFlood(stack.api, keyed(differentMessages(SENDS, account.apiKey, 'bind')));
  const bySmpp = async () => (await stack.carrier.messages()).filter(({ carrier }) => carrier === 'smsc');
  await until('messages leave by SMPP', async () => (await bySmpp()).length > 30, { timeoutMs: 60_000, everyMs: 10 });

  await stack.program(holder === '0' ? 'worker' : `worker-${holder}`).crash();
  const crashedAt = Date.now();
  const next = await until('another worker has the bind', async () => (await boundWorker())?.toString() ?? false, {
    timeoutMs: 2 * TAKEN_OVER_WITHIN_MS,
  });
  const tookMs = Date.now() - crashedAt;
  test.info().annotations.push({ type: 'taken over after', description: `${tookMs} ms` });
  expect(next).not.toBe(holder);
  expect(tookMs).toBeLessThan(TAKEN_OVER_WITHIN_MS);

  const sent = await sending.done;
  expect(sent.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  const settledSoon = await settled(stack, account, UNDOUBTED_WITHIN_MS).catch(() => undefined);
  // A message that was noted and not yet written when the worker died is never submitted again.
  if (!settledSoon) {
    await stack.sql(`UPDATE messages SET claimed_at = now() - interval '25 hours' WHERE status = 'sending'`, []);
    await stack.sql('UPDATE message_checks SET due_at = now()', []);
  }
  const messages = settledSoon ?? (await settled(stack, account, SETTLED_WITHIN_MS));
  expect(messages).toHaveLength(SENDS);
  const failed = messages.filter(({ status }) => status !== 'delivered');
  expect(failed.length).toBeLessThanOrEqual(NOTED_MAX);
  expect(failed.filter(({ status, refunded }) => status !== 'failed' || refunded !== 1)).toEqual([]);
  test.info().annotations.push({ type: 'in doubt', description: String(failed.length) });
  // The text identifies a message, because a message by SMPP does not carry our id.
  const carried = (await stack.carrier.messages()).map(({ body }) => body).toSorted();
  const lost = new Set(failed.map(({ message }) => message));
  expect(carried).toEqual(
    sent.flatMap(({ request }) => (lost.has(request.message) ? [] : [request.message])).toSorted(),
  );
  expect((await bySmpp()).length).toBeGreaterThan(SENDS / 10);
  expect((await stack.api.balance(account.apiKey)).used).toBe(SENDS - failed.length);
});
