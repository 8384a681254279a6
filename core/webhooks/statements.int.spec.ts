import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { callbackFormats, optionalWebhookEvents, webhookEventTypes } from '#contract/webhooks.js';
import { uuidV7Floor } from '../rules/ids.js';
import type { TestAccount } from '../testing/test-accounts.js';
import { statementScene } from '../testing/core-scene.js';
import {
  attemptsOf,
  bodiesOfSource,
  findDelivery,
  insertDeliveries,
  lastSearched,
  ownersOf,
  pageOfAccount,
  pageOfSource,
  type AttemptRow,
  type DeliveryOwner,
  type DeliveryRow,
} from './deliveries/deliveries.repository.js';
import {
  claimDeliveries,
  recordAttempts,
  takeDueDeliveries,
  type ClaimedRow,
  type DueRow,
  type EndpointHealth,
} from './delivery/attempts.repository.js';
import {
  disableEndpoint,
  EndpointsRepository,
  findEndpoint,
  receivingAccounts,
  subscribedToMessages,
  takeWatched,
  takeSecretsToReencrypt,
  upsertFirstSecret,
  type EndpointRow,
  type WatchedAccount,
  type SecretColumns,
} from './endpoints/endpoints.repository.js';
import type { EndpointEntity } from './endpoints/endpoint.entity.js';
import { listen, readEventsAfter, type EventRow, type ListenerRow } from './event-log.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.js';
import { WebhookEvents } from './webhook-events.js';

const id = z.uuid();
const accountOnly = z.strictObject({ accountId: id });
const secretColumns = {
  secret: z.instanceof(Buffer).nullable(),
  secretKeyId: z.string().nullable(),
  previousSecret: z.instanceof(Buffer).nullable(),
  previousSecretKeyId: z.string().nullable(),
};
const deliveryColumns = {
  id,
  accountId: id,
  type: z.enum(webhookEventTypes),
  isTest: z.boolean(),
  status: z.enum(['pending', 'sending', 'waiting', 'paused', 'delivered', 'failed']),
  attempts: z.int(),
  dueAt: z.date().nullable(),
  createdAt: z.date(),
  finishedAt: z.date().nullable(),
  format: z.enum(['standard', ...callbackFormats]),
  url: z.string().nullable(),
  sourceId: z.string(),
  failures: z.int(),
  body: z.string(),
};

const endpointColumns = {
  url: z.string().nullable(),
  events: z.array(z.enum(optionalWebhookEvents)),
  failingSince: z.date().nullable(),
  disabledAt: z.date().nullable(),
  disabledReason: z.enum(['gone', 'failing', 'operator']).nullable(),
  lowCredits: z.int(),
};
const endpointRow: z.ZodType<EndpointRow> = z.strictObject({
  ...secretColumns,
  ...endpointColumns,
  previousSecretEndsAt: z.date().nullable(),
});
const secretsRow: z.ZodType<SecretColumns & { accountId: string }> = z.strictObject({
  ...secretColumns,
  accountId: id,
});
const alertColumns = {
  lowCreditsMail: z.boolean(),
  lowCredits: z.int(),
  dailySpend: z.int().nullable(),
};
const endpoint: z.ZodType<EndpointEntity> = z.strictObject({
  ...endpointColumns,
  ...alertColumns,
  accountId: id,
  spendDay: z.iso.date().nullable(),
  spendBase: z.int().nullable(),
  spendAlertedOn: z.iso.date().nullable(),
});
const watchedRow: z.ZodType<WatchedAccount> = z.strictObject({
  ...alertColumns,
  accountId: id,
  watchesBalance: z.boolean(),
  areLow: z.boolean(),
  spendDay: z.iso.date().nullable(),
  spendBase: z.int().nullable(),
  alertedOn: z.iso.date().nullable(),
});
const ownerRow: z.ZodType<DeliveryOwner> = z.strictObject({ id, accountId: id });
const deliveryRow: z.ZodType<DeliveryRow> = z.strictObject(deliveryColumns);
const healthRow: z.ZodType<EndpointHealth> = z.strictObject({
  accountId: id,
  changed: z.boolean(),
  failingSince: z.date().nullable(),
  isOver: z.boolean(),
});
const attemptRow: z.ZodType<AttemptRow> = z.strictObject({
  deliveryId: id,
  startedAt: z.date(),
  durationMs: z.int(),
  status: z.int().nullable(),
  answer: z.string(),
  error: z.string().nullable(),
});
const claimedRow: z.ZodType<ClaimedRow> = z.strictObject({
  ...secretColumns,
  id,
  accountId: id,
  type: z.enum(webhookEventTypes),
  sourceId: z.string(),
  body: z.string(),
  format: z.enum(['standard', ...callbackFormats]),
  isTest: z.boolean(),
  attempts: z.int(),
  failures: z.int(),
  url: z.string(),
});
const dueRow: z.ZodType<DueRow> = z.strictObject({
  id,
  accountId: id,
  status: z.enum(['pending', 'paused', 'failed']),
  again: z.boolean(),
});

const listenerRow: z.ZodType<ListenerRow> = z.strictObject({
  lastNumber: z.int(),
  firstNumber: z.int().nullable(),
  isNew: z.boolean(),
  isFresh: z.boolean(),
});
const eventRow: z.ZodType<EventRow> = z.strictObject({
  ...secretColumns,
  stream: z.int(),
  accountId: id,
  number: z.int(),
  id,
  type: z.enum(webhookEventTypes),
  body: z.string(),
});

describe('webhook statements return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql, transaction } = statementScene();
  let account: TestAccount;
  let sourceId: string;
  let deliveryId: string;

  beforeEach(async () => {
    account = await createAccount();
    const endpoints = get(WebhookEndpoints);
    await endpoints.setUrl(account.id, 'https://example.com/sms');
    await endpoints.setEvents(account.id, ['credits.low', 'message.sent'], 5);
    await endpoints.rotateSecret(account.id);
    await endpoints.rotateSecret(account.id);
    sourceId = randomUUID();
    const event = { accountId: account.id, type: 'message.sent' as const, sourceId, payload: {} };
    deliveryId = (await transaction((tx) => get(WebhookEvents).record(tx, event))) ?? '';
  });

  const makeDue = (column: 'due_at' | 'credits_seen_at', table: string) =>
    sql(`UPDATE ${table} SET ${column} = now() - interval '1 minute'`, []);

  it('of endpoints', async () => {
    await expectRows(endpointRow, findEndpoint.text, [account.id]);
    const encrypted = z.strictObject({ ciphertext: z.instanceof(Buffer), keyId: z.string().nullable() });
    await expectRows(encrypted, upsertFirstSecret.text, [account.id, Buffer.from('x'), 'key']);
    await expectRows(accountOnly, subscribedToMessages.text, [10]);
    await expectRows(accountOnly, receivingAccounts.text, [[account.id]]);
    await expectRows(secretsRow, takeSecretsToReencrypt.text, [
      'another key',
      '00000000-0000-0000-0000-000000000000',
      10,
    ]);
    await makeDue('credits_seen_at', 'webhook_endpoints');
    await expectRows(watchedRow, takeWatched.text, []);
    await transaction(async (tx) => {
      await get(EndpointsRepository).startSpendDay(tx, account.id, '2026-11-25', 7);
      await get(EndpointsRepository).markSpendAlerted(tx, account.id, '2026-11-25');
    });
    const changed = { spendDay: '2026-11-25', spendBase: 7, spendAlertedOn: '2026-11-25' };
    expect(endpoint.parse(await get(EndpointsRepository).findAlerts(account.id))).toMatchObject(changed);
    await expectRows(z.strictObject({ disabledAt: z.date() }), disableEndpoint.text, [account.id, null, 'operator']);
    await expectRows(endpointRow, findEndpoint.text, [account.id]);
  });

  it('of events that an account listens to', async () => {
    const { id: accountId } = account;
    await expectRows(listenerRow, listen.text, [accountId, 3, 3]);
    await expectRows(z.strictObject({ id }), insertDeliveries.text, [
      [randomUUID()],
      [accountId],
      ['message.sent'],
      ['streamed'],
      ['{}'],
      [false],
    ]);
    await expectRows(listenerRow, listen.text, [accountId, 3, 3]);
    await expectRows(eventRow, readEventsAfter.text, [[accountId], [0]]);
  });

  it('of deliveries', async () => {
    const values = [[randomUUID()], [account.id], ['message.sent'], ['other'], ['{}'], [false]];
    await expectRows(z.strictObject({ id }), insertDeliveries.text, values);
    await expectRows(ownerRow, ownersOf.text, [[deliveryId]]);
    const all = [account.id, null, null, null, null, null, 10];
    await expectRows(deliveryRow, pageOfAccount.text, [...all, 100]);
    await expectRows(deliveryRow, pageOfSource.text, [...all, webhookEventTypes, [sourceId]]);
    await expectRows(z.strictObject({ id }), lastSearched.text, [account.id, null, 0]);
    await expectRows(deliveryRow, findDelivery.text, [deliveryId, account.id]);
    await expectRows(deliveryRow, bodiesOfSource.text, [account.id, webhookEventTypes, [sourceId]]);
  });

  it('of claims and attempts', async () => {
    await makeDue('due_at', 'webhook_deliveries');
    await expectRows(dueRow, takeDueDeliveries.text, []);
    await expectRows(claimedRow, claimDeliveries.text, [[deliveryId]]);
    await sql(`UPDATE webhook_endpoints SET failing_since = now() - interval '6 days' WHERE account_id = $1`, [
      account.id,
    ]);
    const outcome = [
      'waiting',
      5,
      uuidV7Floor(new Date()),
      new Date(),
      12,
      null,
      '',
      'The connection was refused.',
      true,
    ];
    await expectRows(healthRow, recordAttempts.text, [
      [deliveryId],
      [1],
      [account.id],
      ...outcome.map((value) => [value]),
    ]);
    await expectRows(attemptRow, attemptsOf.text, [[deliveryId], 10, uuidV7Floor(new Date(0))]);
    expect(await sql(findDelivery.text, [deliveryId, null])).toMatchObject([{ status: 'waiting', attempts: 1 }]);
  });
});
