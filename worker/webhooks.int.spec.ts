import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { Postgres } from '#core/platform/database/postgres.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { eventually } from '#core/testing/eventually.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { Receiver, status } from '#core/webhooks/testing/receiver.js';
import { WebhookEvents } from '#core/webhooks/webhook-events.js';
import { WorkerModule } from './worker.module.js';

describe('Worker, webhooks', () => {
  let bed: TestBed;
  let core: TestCore;
  let worker: INestApplicationContext | undefined;
  let receiver: Receiver;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' }));
  });

  beforeEach(async () => {
    receiver = await Receiver.start();
  });

  afterEach(async () => {
    await receiver.close();
    await worker?.close();
    worker = undefined;
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  async function startWorker(changes: Record<string, string> = {}): Promise<void> {
    const config = bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true', RECOVERY_INTERVAL_MS: '100', ...changes });
    const logger = Logger.silent();
    worker = await NestFactory.createApplicationContext(WorkerModule.of(config, logger), { logger: false });
  }

  async function accountWith(path: string): Promise<string> {
    const { id } = await createTestAccount(core);
    await core.get(WebhookEndpoints).setUrl(id, `${receiver.url}${path}`);
    return id;
  }

  async function record(accountId: string, amount: number): Promise<void> {
    const events = Array.from({ length: amount }, () => ({
      accountId,
      type: 'message.received' as const,
      sourceId: randomUUID(),
      payload: { MessageId: randomUUID() },
    }));
    const ids = await core.get(Postgres).transaction((tx) => core.get(WebhookEvents).recordAll(tx, events));
    core.get(WebhookEvents).enqueue(ids);
  }
  const receivedAt = (path: string) => receiver.received.filter((webhook) => webhook.path === path);
  const statuses = async (accountId: string) => {
    const rows = await bed.database.sql<{ status: string }>(
      'SELECT DISTINCT status FROM webhook_deliveries WHERE account_id = $1',
      [accountId],
    );
    return rows.map((row) => row.status);
  };

  it('delivers recorded events right after the commit', async () => {
    await startWorker();
    const account = await accountWith('/sms');
    await record(account, 20);
    await eventually('all are received', async () => receivedAt('/sms').length === 20);
    await eventually('all are recorded', async () => (await statuses(account)).join() === 'delivered');
  });

  it('delivers to other receivers while one hangs', async () => {
    await startWorker({ WEBHOOK_CONCURRENCY: '40' });
    receiver.always((response, { path }) => path === '/hangs' || response.end());
    const [hanging, healthy] = [await accountWith('/hangs'), await accountWith('/healthy')];
    await record(hanging, 200);
    await eventually('the hanging receiver has its 16 calls', async () => receivedAt('/hangs').length === 16);
    await record(healthy, 20);
    await eventually('the others are received', async () => receivedAt('/healthy').length === 20, 8_000);
    expect(receivedAt('/hangs').length).toBeLessThanOrEqual(16);
  });

  it('makes the remaining attempts when the queue loses its jobs', async () => {
    await startWorker({ WEBHOOK_RETRY_SECONDS: '1,1,1' });
    receiver.answers(status(500), status(500));
    const account = await accountWith('/sms');
    await record(account, 1);
    await eventually('the first attempt fails', async () => (await statuses(account)).join() === 'waiting');
    await bed.forgetQueue();
    await eventually('it is delivered', async () => (await statuses(account)).join() === 'delivered');
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });
});
