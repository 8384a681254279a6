import { randomUUID } from 'node:crypto';
import { Postgres } from '../../platform/database/postgres.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { DeliverWebhook } from '../delivery/deliver-webhook.js';
import { WebhookEndpoints } from '../endpoints/webhook-endpoints.js';
import { WebhookEvents } from '../webhook-events.js';
import { Receiver } from './receiver.js';

/** The payload of a received message. */
export const payload = {
  MessageId: `SM${'0'.repeat(32)}`,
  Sender: '+12025550142',
  Message: 'Ja 👍 שלום',
  Status: 'Received',
  DateTime: '11/21/2026, 5:00:00 AM',
};

/** The fixture of webhook tests; account and receiver are new for each test. */
interface WebhookScene {
  readonly bed: TestBed;
  readonly core: TestCore;
  readonly account: TestAccount;
  readonly receiver: Receiver;
  /** Records an event for the account and returns its id. */
  readonly record: (sourceId?: string) => Promise<string>;
  /** Runs the delivery's job. */
  readonly run: (id: string) => Promise<void>;
  readonly row: (id: string) => Promise<Record<string, unknown> | undefined>;
}

/** Sets the fixture up and tears it down; call it inside `describe`. */
export function webhookScene(): WebhookScene {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' }));
  });

  beforeEach(async () => {
    account = await createTestAccount(core);
    receiver = await Receiver.start();
    await core.get(WebhookEndpoints).setUrl(account.id, `${receiver.url}/sms?x=1`);
  });

  afterEach(async () => {
    await receiver.close();
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  async function record(sourceId: string = randomUUID()): Promise<string> {
    const event = { accountId: account.id, type: 'message.received' as const, sourceId, payload };
    const id = await core.get(Postgres).transaction((tx) => core.get(WebhookEvents).record(tx, event));
    if (!id) throw new Error('The event was not recorded');
    return id;
  }
  const run = (id: string) => core.get(DeliverWebhook).deliver(id, account.id);
  const row = async (id: string) =>
    (
      await bed.database.sql<Record<string, unknown>>(
        'SELECT *, due_at - now() AS wait FROM webhook_deliveries WHERE id = $1',
        [id],
      )
    )[0];
  return {
    get bed() {
      return bed;
    },
    get core() {
      return core;
    },
    get account() {
      return account;
    },
    get receiver() {
      return receiver;
    },
    record,
    run,
    row,
  };
}
