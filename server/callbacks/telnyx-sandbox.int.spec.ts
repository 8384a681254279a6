import type { AddressInfo } from 'node:net';
import { TelnyxCarrier } from '#core/providers/telnyx/telnyx-carrier.js';
import { messageIdFromPublic } from '#core/rules/ids.js';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { readEnv } from '../../sandbox/env.js';
import { startSandbox, type RunningSandbox } from '../../sandbox/sandbox.js';
import { privateKeyOf, publicKeyOf } from '../../sandbox/telnyx/events.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const SENDER = '+15005550100';
const { telnyxApiKey, telnyxSeed } = readEnv({});
const publicKey = publicKeyOf(privateKeyOf(telnyxSeed));
const variables = { TELNYX_API_KEY: telnyxApiKey, TELNYX_PUBLIC_KEY: publicKey, TELNYX_SENDERS: SENDER };
const TIMEOUT_MS = 2_000;

/** The carrier, the sandbox and the callbacks, over the network. */
describe('Telnyx in the sandbox', () => {
  let bed: TestBed;
  let server: TestServer;
  let sandbox: RunningSandbox;
  let carrier: TelnyxCarrier;
  let account: TestAccount;
  let persons = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config(variables));
    await server.app.listen(0, '127.0.0.1');
    const { port } = server.app.getHttpServer().address() as AddressInfo;
    sandbox = await startSandbox({
      productUrl: `http://127.0.0.1:${port}`,
      publicProductUrl: 'https://pennytext.test',
      receiptDelayMs: 40,
    });
    carrier = new TelnyxCarrier(
      { apiKey: telnyxApiKey, publicKey, apiUrl: sandbox.url },
      'https://pennytext.test',
      TIMEOUT_MS,
    );
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 10 });
    await server.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
  });

  afterEach(async () => {
    await fault('none');
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await carrier?.close();
    await sandbox?.close();
    await server?.close();
    await bed?.remove();
  });

  const control = (path: string, body: object) =>
    fetch(`${sandbox.url}/_control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const fault = (mode: string, more: object = {}) => control('faults', { service: 'telnyx', mode, ...more });
  /** A message that a worker has claimed for Telnyx. */
  const claimed = async () => {
    persons += 1;
    const recipient = `+1415557${1_000 + persons}`;
    const sent = await server.send({ to: recipient, message: 'Grüße 😀', apikey: account.apiKey });
    const id = messageIdFromPublic(sent.json<{ message_id: string }>().message_id) ?? '';
    await bed.database.sql(
      `UPDATE messages SET status = 'sending', claimed_at = now(), carrier = 2, sender = $2 WHERE id = $1`,
      [id, SENDER],
    );
    return { id, accountId: account.id, recipient, sender: SENDER, body: 'Grüße 😀' };
  };
  const rowOf = async (id: string) =>
    (await bed.database.sql<{ status: string }>('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const ends = (id: string, status: string) =>
    eventually(`the message is ${status}`, async () => (await rowOf(id))?.status === status);

  it('takes the account, and no other', async () => {
    await carrier.check();
    const stranger = new TelnyxCarrier(
      { apiKey: 'KEYx', publicKey, apiUrl: sandbox.url },
      'https://pennytext.test',
      TIMEOUT_MS,
    );
    await expect(stranger.check()).rejects.toMatchObject({ status: 401 });
    expect(await stranger.send(await claimed())).toEqual({ kind: 'suspended', httpStatus: 401, carrierError: 10_009 });
    await stranger.close();
  });

  it.each(['none', 'duplicate-callback', 'fake-callback', 'late-callback'])(
    'delivers a message under the fault %s, and refunds nothing',
    async (mode) => {
      await fault(mode, { delayMs: 200 });
      const message = await claimed();
      const outcome = await carrier.send(message);
      expect(outcome.kind).toBe('accepted');
      await ends(message.id, 'delivered');
      const carrierId = outcome.kind === 'accepted' ? outcome.carrierId : '';
      expect(await rowOf(message.id)).toMatchObject({ carrier_id: carrierId, refunded: 0, carrier_error: null });
      expect(await carrier.find(carrierId)).toMatchObject({
        messageId: message.id,
        body: message.body,
        status: 'delivered',
      });
    },
  );

  it('refunds a message that is not delivered', async () => {
    await fault('undelivered');
    const message = await claimed();
    await carrier.send(message);
    await ends(message.id, 'undelivered');
    expect(await rowOf(message.id)).toMatchObject({ carrier_error: 40_008, refunded: 1 });
  });

  it.each(['lost-answer', 'accepted-then-5xx'])(
    'is in doubt about a message after %s, and finds it among the records by its id',
    async (mode) => {
      const since = new Date(Date.now() - 60_000);
      await fault(mode);
      const message = await claimed();
      expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
      expect(await carrier.listTo(message.recipient, since)).toMatchObject([
        { messageId: message.id, sender: SENDER, body: null },
      ]);
      await ends(message.id, 'delivered');
    },
  );

  it('is in doubt about a message that Telnyx did not take either, and finds none', async () => {
    await fault('timeout');
    const message = await claimed();
    expect(await carrier.send(message)).toMatchObject({ kind: 'unknown' });
    expect(await carrier.listTo(message.recipient, new Date(0))).toEqual([]);
  });

  it.each([
    ['429', { kind: 'unavailable', retryAfterMs: 1_000 }],
    ['500', { kind: 'unknown' }],
    ['refuse', { kind: 'refused', carrierError: 40_309 }],
    ['suspended', { kind: 'suspended', httpStatus: 401, carrierError: 10_009 }],
  ])('has for the fault %s the outcome %j', async (mode, outcome) => {
    await fault(mode);
    expect(await carrier.send(await claimed())).toMatchObject(outcome);
  });

  it('takes replies, and is refused as Telnyx refuses after a STOP', async () => {
    const message = await claimed();
    await carrier.send(message);
    for (const body of ['Hello back', 'STOP']) {
      const answer = await control('inbound', { from: message.recipient, to: SENDER, body });
      expect(await answer.json()).toMatchObject({ status: 204 });
    }
    const stored = await bed.database.sql('SELECT body FROM inbound_messages WHERE account_id = $1 ORDER BY number', [
      account.id,
    ]);
    expect(stored.map(({ body }) => body)).toEqual(['Hello back', 'STOP']);
    expect(await bed.database.sql('SELECT sender FROM opt_outs WHERE recipient = $1', [message.recipient])).toEqual([
      { sender: SENDER },
    ]);
    expect(await carrier.send(message)).toEqual({ kind: 'refused', carrierError: 40_300 });
  });
});
