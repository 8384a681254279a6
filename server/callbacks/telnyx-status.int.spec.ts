import { generateKeyPairSync } from 'node:crypto';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { telnyxHeaders, telnyxVariables } from '#core/testing/telnyx-account.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const CARRIER_ID = '40385f64-5717-4562-b3fc-2c963f66afa6';
const PATH = '/webhooks/telnyx/status';
/** Telnyx ignores a later answer. */
const ANSWER_MS_MAX = 2_000;

describe('POST /webhooks/telnyx/status', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let messageId: string;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config(telnyxVariables));
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 10 });
    const sent = await server.send({ to: '+447400123456', message: 'Hello', apikey: account.apiKey });
    messageId = sent.json<{ message_id: string }>().message_id;
    await bed.database.sql(
      `UPDATE messages SET status = 'sending', claimed_at = now(), carrier = 2, sender = $2 WHERE account_id = $1`,
      [account.id, telnyxVariables.TELNYX_SENDERS],
    );
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const urlOf = (id: string) => `https://pennytext.test${PATH}?message_id=${id}&account_id=${account.id}`;
  /** An event as Telnyx's documentation shows it. */
  const event = (status: string, changes: object = {}, eventType = status === 'sent' ? 'sent' : 'finalized') =>
    JSON.stringify({
      data: {
        event_type: `message.${eventType}`,
        id: '4ee8c3a6-4995-4309-a3c6-38e3db9ea4be',
        occurred_at: '2026-11-26T12:00:00.000Z',
        payload: {
          completed_at: '2026-11-26T12:00:00.000Z',
          cost: { amount: '0.0040', currency: 'USD' },
          direction: 'outbound',
          encoding: 'GSM-7',
          errors: [],
          from: { carrier: 'Telnyx', line_type: 'Wireless', phone_number: telnyxVariables.TELNYX_SENDERS },
          id: CARRIER_ID,
          media: [],
          messaging_profile_id: '83d2343b-553f-4c5b-b8c8-fd27004f94bf',
          parts: 1,
          record_type: 'message',
          tags: [],
          text: 'Hello',
          to: [{ carrier: 'EE', line_type: 'Wireless', phone_number: '+447400123456', status }],
          type: 'SMS',
          webhook_url: urlOf(messageId),
          ...changes,
        },
        record_type: 'event',
      },
      meta: { attempt: 1, delivered_to: urlOf(messageId) },
    });
  const post = (
    body: string | Buffer,
    { path = PATH, headers = telnyxHeaders(body) }: { path?: string; headers?: Record<string, string> } = {},
  ) => server.inject({ method: 'POST', url: path, headers, payload: body });
  const row = async () => (await bed.database.sql('SELECT * FROM messages WHERE account_id = $1', [account.id]))[0];
  const failed = (code: string) => ({ errors: [{ code, title: 'No', detail: 'no' }] });

  it.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['delivery_failed', 'undelivered'],
    ['expired', 'undelivered'],
    ['sending_failed', 'failed'],
    ['delivery_unconfirmed', 'sent'],
  ])('moves a message on "%s" to %s, within the time that Telnyx waits', async (told, status) => {
    const start = performance.now();
    const answer = await post(event(told));
    expect(performance.now() - start).toBeLessThan(ANSWER_MS_MAX);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    // A receipt of `sent` waits for the next receipt of its message.
    await eventually('the state is stored', async () => (await row())?.['carrier_id'] === CARRIER_ID);
    expect(await row()).toMatchObject({ status });
  });

  it('refunds once and stores the carrier’s code', async () => {
    for (const status of ['delivery_failed', 'delivery_failed', 'sending_failed', 'delivered'])
      await post(event(status, failed('40012')));
    expect(await row()).toMatchObject({
      status: 'undelivered',
      carrier_error: 40_012,
      error_code: 'not_delivered',
      refunded: 3,
    });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 10, used: 0, entries: 3 });
  });

  const costs = () =>
    bed.database.sql(
      `SELECT country, carrier, cost_microusd::int AS microusd FROM message_costs
       WHERE account_id = $1 AND message_id = (SELECT id FROM messages WHERE account_id = $1)`,
      [account.id],
    );
  const cost = { amount: '0.00405', currency: 'USD' };

  it.each(['delivered', 'delivery_failed', 'delivery_unconfirmed'])(
    'stores what Telnyx charges with the final state "%s", after a `sent` that waits',
    async (status) => {
      await post(event('sent'));
      await post(event(status, { cost }));
      expect(await costs()).toEqual([{ country: 'GB', carrier: 2, microusd: 4_050 }]);
      expect((await row())?.['carrier_id']).toBe(CARRIER_ID);
    },
  );

  it('stores what Telnyx charges for a final message, once, and nothing in another currency', async () => {
    await post(event('sent', { cost: { amount: '9.0000', currency: 'USD' } }));
    for (const none of [{ amount: '9.0000', currency: 'EUR' }, { amount: 'free', currency: 'USD' }, null, 'none'])
      expect((await post(event('delivered', { cost: none }))).statusCode).toBe(204);
    expect(await costs()).toEqual([]);
    for (let n = 0; n < 2; n++) await post(event('delivered', { cost }));
    expect(await costs()).toEqual([{ country: 'GB', carrier: 2, microusd: 4_050 }]);
  });

  it('never moves a message back', async () => {
    for (const status of ['delivered', 'sent', 'delivery_failed']) await post(event(status));
    expect(await row()).toMatchObject({ status: 'delivered', refunded: 0 });
  });

  it('stores an opt-out when the carrier refused the recipient for one', async () => {
    for (let n = 0; n < 2; n++) await post(event('sending_failed', failed('40300')));
    const stored = await bed.database.sql<{ sender: string }>(
      `DELETE FROM opt_outs WHERE recipient = '+447400123456' RETURNING sender`,
    );
    expect(stored).toEqual([{ sender: telnyxVariables.TELNYX_SENDERS }]);
    expect(await row()).toMatchObject({ status: 'failed', carrier_error: 40_300, refunded: 3 });
  });

  it('takes a receipt at the URL of the messaging profile too', async () => {
    expect((await post(event('delivered'), { path: '/webhooks/telnyx/inbound' })).statusCode).toBe(204);
    expect(await row()).toMatchObject({ status: 'delivered' });
  });

  it('believes the signed body alone: the URL is not signed', async () => {
    const other = await server.send({ to: '+447400123457', message: 'Hello', apikey: account.apiKey });
    const { message_id: otherId } = other.json<{ message_id: string }>();
    await post(event('delivery_failed'), { path: `${PATH}?message_id=${otherId}&account_id=${account.id}` });
    const rows = await bed.database.sql<{ status: string }>(
      'SELECT status FROM messages WHERE account_id = $1 ORDER BY created_at, id',
      [account.id],
    );
    expect(rows.map(({ status }) => status)).toEqual(['undelivered', 'queued']);
  });

  it.each([
    ['with a missing signature', () => ({ 'telnyx-signature-ed25519': undefined })],
    ['with an empty signature', () => ({ 'telnyx-signature-ed25519': '' })],
    [
      'signed with another key',
      (body: string) => telnyxHeaders(body, { key: generateKeyPairSync('ed25519').privateKey }),
    ],
    ['with the signature of another body', () => telnyxHeaders(event('sent'))],
    ['signed six minutes ago', (body: string) => telnyxHeaders(body, { secondsAgo: 360 })],
    ['signed for a time to come', (body: string) => telnyxHeaders(body, { secondsAgo: -360 })],
    ['without its timestamp', () => ({ 'telnyx-timestamp': undefined })],
    [
      'with another timestamp',
      () => ({ 'telnyx-timestamp': telnyxHeaders('', { secondsAgo: 1 })['telnyx-timestamp'] }),
    ],
  ])('answers 403 and changes nothing for a receipt %s', async (_title, forged) => {
    const body = event('delivery_failed');
    const headers = Object.fromEntries(
      Object.entries<string | undefined>({ ...telnyxHeaders(body), ...forged(body) }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    const answer = await post(body, { headers });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({
      success: 'false',
      error: 'Forbidden',
      code: 'invalid_signature',
      detail: 'The signature does not match, or is older than five minutes. Nothing was stored.',
    });
    expect(await row()).toMatchObject({ status: 'sending', carrier_id: null, refunded: 0 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 7 });
  });

  it('checks the bytes as they arrived', async () => {
    const body = Buffer.from(`\ufeff${event('delivered').replace('"Hello"', '"H\\u0065llo\\u0000"')}  \n`);
    expect((await post(body)).statusCode).toBe(204);
    const compact = JSON.stringify(JSON.parse(event('delivered')));
    expect((await post(`${compact} `, { headers: telnyxHeaders(compact) })).statusCode).toBe(403);
  });

  it.each(['', 'SM0', `SM0190${'0'.repeat(8)}7${'0'.repeat(3)}8${'0'.repeat(15)}`])(
    'accepts a receipt for the unknown message "%s"',
    async (id) => {
      expect((await post(event('delivered', { webhook_url: urlOf(id) }))).statusCode).toBe(204);
      expect(await row()).toMatchObject({ status: 'sending' });
    },
  );

  it.each([
    [
      'a message that was sent by another program',
      () => event('delivered', { webhook_url: 'https://example.com/hook' }),
    ],
    ['a message without a URL', () => event('delivered', { webhook_url: null })],
    ['an event of another kind', () => event('delivered', {}, 'read')],
    ['an event without a payload', () => '{"data":{"event_type":"10dlc.campaign.update"}}'],
  ])('accepts %s and changes nothing', async (_title, make) => {
    const answer = await post(make());
    expect(answer.statusCode).toBe(204);
    expect(await row()).toMatchObject({ status: 'sending', carrier_id: null });
  });

  it('changes nothing for a receipt of a message that another carrier has', async () => {
    await bed.database.sql('UPDATE messages SET carrier = NULL WHERE account_id = $1', [account.id]);
    expect((await post(event('delivery_failed'))).statusCode).toBe(204);
    expect(await row()).toMatchObject({ status: 'sending', carrier_id: null, refunded: 0 });
  });

  it.each([
    ['without a status', () => event('delivered', { to: [{}] })],
    ['without recipients', () => event('delivered', { to: [] })],
    ['without the carrier’s id', () => event('delivered', { id: undefined })],
    ['with an id that is none', () => event('delivered', { id: 'a b' })],
    ['that is no event', () => '{}'],
    ['that is no JSON', () => '{"data":'],
    ['that is a list', () => '[]'],
  ])('answers 400 to a signed body %s, and changes nothing', async (_title, make) => {
    const answer = await post(make());
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_request' });
    expect(await row()).toMatchObject({ status: 'sending' });
  });

  it('treats errors that cannot be read as none', async () => {
    for (const errors of [null, 'x', [{}], [{ code: 'abc' }], [{ code: '99999999999' }]])
      expect((await post(event('delivered', { errors }))).statusCode).toBe(204);
    expect(await row()).toMatchObject({ status: 'delivered', carrier_error: null });
  });

  it('is not found where Telnyx is no carrier', async () => {
    const without = await createTestServer(bed.config());
    try {
      const body = event('delivered');
      const answers = await Promise.all(
        [PATH, '/webhooks/telnyx/inbound', '/webhooks/other'].map((url) =>
          without.inject({ method: 'POST', url, headers: telnyxHeaders(body), payload: body }),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
      expect(answers[0]?.json()).toMatchObject({ code: 'not_found', detail: `There is nothing at POST ${PATH}.` });
      expect(await row()).toMatchObject({ status: 'sending' });
    } finally {
      await without.close();
    }
  });
});
