import { expect } from '@playwright/test';
import type { MessageView } from '#contract/messages.js';
import type { SendOutcome, SendRequest } from './api.js';
import { messageIdOf } from '../../tools/testkit/carrier.js';
import type { Stack, TestAccount } from './stack.js';
import { until } from '../../tools/testkit/until.js';

interface Sent {
  readonly request: SendRequest;
  readonly outcome: SendOutcome;
}

/** Waits until every message of the account has ended, and answers them all. */
export async function settled(stack: Stack, { apiKey }: TestAccount, timeoutMs: number): Promise<MessageView[]> {
  return until(
    'every message has ended',
    async () => {
      const messages = await stack.api.messages(apiKey);
      const open = messages.some(({ status }) => ['queued', 'sending', 'sent'].includes(status));
      return open ? false : messages;
    },
    { timeoutMs, everyMs: 1_000 },
  );
}

/**
 * Proves that an account's sends came out even once everything has settled: what was accepted is a message and was carried
 * once or failed and was refunded; what was refused is no message; what was not answered is one message or none; nothing
 * else was carried or charged; the ledger agrees. Expects texts that no other account sends.
 */
export async function expectEven(
  stack: Stack,
  account: TestAccount,
  sent: readonly Sent[],
  messages: readonly MessageView[],
): Promise<void> {
  const texts = new Set(sent.map(({ request }) => request.message));
  const carried = countBy((await stack.carrier.messages()).filter(({ body }) => texts.has(body)).map(messageIdOf));
  const byReference = countBy(messages.map(({ reference }) => reference ?? ''));
  const messageIds = new Set(messages.map(({ message_id }) => message_id));
  const balance = await stack.api.balance(account.apiKey);
  const withOutcome = (kind: SendOutcome['kind']) =>
    sent.filter(({ outcome }) => outcome.kind === kind).map(({ request }) => request);
  const acceptedIds = sent.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.answer.message_id] : []));

  expect({
    acceptedAndGone: acceptedIds.filter((id) => !messageIds.has(id)),
    refusedAndKept: withOutcome('refused').filter(({ reference }) => byReference.has(reference ?? '')),
    keptTwice: [...byReference].filter(([, count]) => count > 1),
    carriedNotOnce: messages.filter(
      ({ message_id, error_code }) => (carried.get(message_id) ?? 0) !== (isUncarried(error_code) ? 0 : 1),
    ),
    carriedUnasked: [...carried.keys()].filter((id) => !messageIds.has(id)),
    notRefunded: messages.filter(
      ({ status, credits, refunded }) => refunded !== (status === 'delivered' ? 0 : credits),
    ),
  }).toEqual({
    acceptedAndGone: [],
    refusedAndKept: [],
    keptTwice: [],
    carriedNotOnce: [],
    carriedUnasked: [],
    notRefunded: [],
  });
  expect(balance.used).toBe(messages.reduce((sum, { credits, refunded }) => sum + credits - refunded, 0));
  expect(balance.balance).toBe(balance.purchased - balance.used);
  await expectLedgerClean(stack);
}

/** `admin ledger check` finds nothing, and says so by its exit code. */
export async function expectLedgerClean(stack: Stack): Promise<void> {
  expect(await stack.admin('ledger', 'check')).toMatchObject({ mismatches: 0 });
}

function isUncarried(errorCode: string | null): boolean {
  return errorCode !== null && errorCode !== 'not_delivered';
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
