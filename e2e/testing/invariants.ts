import { expect } from '@playwright/test';
import type { MessageView } from '#contract/messages.js';
import type { SendOutcome, SendRequest } from './api.js';
import { carriedById, carrierInvariants, sendInvariants, type SendAttempt } from '../../tools/testkit/invariants.js';
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
      // The newest messages end last: mostly the first page has an open message.
      const messages = await stack.api.messages(apiKey, hasOpen);
      return hasOpen(messages) ? false : messages;
    },
    { timeoutMs, everyMs: 1_000 },
  );
}

function hasOpen(messages: readonly MessageView[]): boolean {
  return messages.some(({ status }) => ['queued', 'sending', 'sent'].includes(status));
}

/**
 * Checks an account's sends once everything has settled: an accepted send is a message that was
 * carried once, or failed and was refunded; a refused send is no message; an unanswered send is one
 * message or none; nothing else was carried or charged. Expects references that are unique, and
 * texts that no other account sends. `stopWithCleanLedger` checks the ledger when a file's tests
 * are over.
 */
export async function expectEven(
  stack: Stack,
  account: TestAccount,
  sent: readonly Sent[],
  messages: readonly MessageView[],
): Promise<void> {
  const texts = new Set(sent.map(({ request }) => request.message));
  const carried = carriedById((await stack.carrier.messages()).filter(({ body }) => texts.has(body)));
  const kept = messages.map(({ message_id: id, error_code: errorCode, ...view }) => ({ ...view, id, errorCode }));
  const invariants = [...sendInvariants(sent.map(attemptOf), kept), ...carrierInvariants(kept, carried)];
  expect(invariants.filter(({ broken }) => broken.length > 0)).toEqual([]);

  const balance = await stack.api.balance(account.apiKey);
  expect(balance.used).toBe(messages.reduce((sum, { credits, refunded }) => sum + credits - refunded, 0));
  expect(balance.balance).toBe(balance.purchased - balance.used);
}

function attemptOf({ request, outcome }: Sent): SendAttempt {
  const reference = request.reference ?? '';
  switch (outcome.kind) {
    case 'accepted':
      return { reference, outcome: 'accepted', messageIds: new Set([outcome.answer.message_id]), refusals: [] };
    case 'refused':
      return { reference, outcome: 'refused', messageIds: new Set(), refusals: [outcome.answer.code] };
    case 'unanswered':
      return { reference, outcome: 'unknown', messageIds: new Set(), refusals: [] };
  }
}

/** `admin ledger check`, which looks at all accounts, finds nothing and exits with 0. */
export async function expectLedgerClean(stack: Stack): Promise<void> {
  expect(await stack.admin('ledger', 'check')).toMatchObject({ mismatches: 0 });
}

/** Checks the ledger, and stops a stack whose tests are over. */
export async function stopWithCleanLedger(stack: Stack | undefined): Promise<void> {
  try {
    if (stack) await expectLedgerClean(stack);
  } finally {
    await stack?.stop();
  }
}
