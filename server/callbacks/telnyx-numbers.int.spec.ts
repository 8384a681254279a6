import type { AddressInfo } from 'node:net';
import type { NumberBoughtAnswer } from '#contract/numbers.js';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { NumberDirectory } from '#core/numbers/number-directory.js';
import { NumberHealth } from '#core/numbers/number-health.js';
import { TelnyxCarrier } from '#core/providers/telnyx/telnyx-carrier.js';
import { TelnyxNumbers } from '#core/providers/telnyx/telnyx-numbers.js';
import { messageIdFromPublic } from '#core/rules/ids.js';
import { eventually } from '#core/testing/eventually.js';
import { useNumbers } from '#core/testing/fake-number-carrier.js';
import { moneyFaults } from '#core/testing/money.js';
import { hasPaid } from '#core/testing/paid.js';
import { telnyxNumberVariables } from '#core/testing/telnyx-account.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { readEnv } from '../../sandbox/env.js';
import { startSandbox, type RunningSandbox } from '../../sandbox/sandbox.js';
import { privateKeyOf, publicKeyOf } from '../../sandbox/telnyx/events.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const { telnyxApiKey: apiKey, telnyxSeed } = readEnv({});
const publicKey = publicKeyOf(privateKeyOf(telnyxSeed));
const variables = {
  ...telnyxNumberVariables,
  TELNYX_API_KEY: apiKey,
  TELNYX_PUBLIC_KEY: publicKey,
  NUMBER_PER_SECOND_LOCAL: '100',
};
const TIMEOUT_MS = 5_000;

/** Server, worker and sandbox, over the network. */
describe('A number that was bought at Telnyx', () => {
  let bed: TestBed;
  let server: TestServer;
  let worker: TestCore;
  let sandbox: RunningSandbox;
  let numbers: TelnyxNumbers;
  let carrier: TelnyxCarrier;
  let account: TestAccount;
  let people = 0;

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
    const profile = telnyxNumberVariables.TELNYX_MESSAGING_PROFILE_ID;
    const settings = { apiKey, publicKey, apiUrl: sandbox.url, messagingProfileId: profile };
    numbers = new TelnyxNumbers(settings, TIMEOUT_MS);
    useNumbers(server, numbers);
    carrier = new TelnyxCarrier(settings, 'https://pennytext.test', TIMEOUT_MS);
    worker = await createTestCore(bed.config(variables), [carrier]);
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 200 });
    await hasPaid(bed.database, account.id);
    await server.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
  });

  afterEach(async () => {
    await control('faults', { service: 'telnyx', mode: 'none' });
    expect(worker.carrier.calls).toEqual([]);
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await worker?.close();
    await numbers?.close();
    await sandbox?.close();
    await server?.close();
    await bed?.remove();
  });

  const control = async (path: string, body: object) => {
    const answer = await fetch(`${sandbox.url}/_control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as object;
  };
  const call = (method: 'GET' | 'POST', url: string, body?: object) =>
    server.inject({
      method,
      url,
      headers: { authorization: `Bearer ${account.apiKey}` },
      ...(body !== undefined && { payload: body }),
    });
  const buy = async () => {
    const found = await call('GET', '/api/numbers/available?country=US&area_code=212&limit=1');
    const [free] = found.json<{ numbers: { number: string }[] }>().numbers;
    const answer = await call('POST', '/api/numbers', { number: free?.number });
    return answer.json<NumberBoughtAnswer>();
  };
  const newPerson = () => `+1415558${1_000 + (people += 1)}`;
  const send = async (from: string, to = newPerson()) => {
    const sent = await server.send({ to, message: 'Hello', from, apikey: account.apiKey });
    expect(sent.statusCode).toBe(200);
    const id = messageIdFromPublic(sent.json<{ message_id: string }>().message_id) ?? '';
    await worker.get(DispatchMessage).dispatchInTurn({ accountId: account.id, messageId: id });
    return id;
  };
  const rowOf = async (id: string) =>
    (await bed.database.sql<{ status: string }>('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const ends = (id: string, status: string) =>
    eventually(`the message is ${status}`, async () => (await rowOf(id))?.status === status);

  it('sends by Telnyx, and gets the replies', async () => {
    const { number, status } = await buy();
    expect(status).toBe('active');
    const person = newPerson();
    const id = await send(number, person);
    await ends(id, 'delivered');
    expect(await rowOf(id)).toMatchObject({ carrier: 2, sender: number });
    for (const from of [person, newPerson()])
      expect(await control('inbound', { from, to: number, body: 'Hello back' })).toMatchObject({ status: 204 });
    const replies = 'SELECT recipient, body FROM inbound_messages WHERE account_id = $1';
    const reply = { recipient: number, body: 'Hello back' };
    expect(await bed.database.sql(replies, [account.id])).toEqual([reply, reply]);
  });

  it('leaves its pool when Telnyx filters what it sends, and other numbers do not', async () => {
    const [filtered, sound] = [await buy(), await buy()];
    // The worker would otherwise know the numbers within ten seconds.
    await worker.get(NumberDirectory).renewed();
    const pool = { name: 'Shop', numbers: [filtered.number, sound.number] };
    expect((await call('POST', '/api/pools', pool)).statusCode).toBe(201);
    await control('faults', { service: 'telnyx', mode: 'filtered', from: filtered.number });
    for (let n = 0; n < 3; n += 1) {
      await ends(await send(sound.number), 'delivered');
      const id = await send(filtered.number);
      await ends(id, 'undelivered');
      expect(await rowOf(id)).toMatchObject({ carrier_error: 40_002, refunded: 1 });
    }
    expect(await worker.get(NumberHealth).run()).toBe(1);
    const left = 'SELECT number FROM numbers WHERE account_id = $1 AND filtered_at IS NOT NULL';
    expect(await bed.database.sql(left, [account.id])).toEqual([{ number: filtered.number }]);
  });
});
