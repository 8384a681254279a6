import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { adjustCredits } from '#core/testing/operator-credits.js';

const TO = '+14155552671';

describe('Idempotency-Key', () => {
  let bed: TestBed;
  let server: TestServer;
  let other: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    [server, other] = await Promise.all([createTestServer(bed.config()), createTestServer(bed.config())]);
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterAll(async () => {
    await Promise.all([server?.close(), other?.close()]);
    await bed?.remove();
  });

  const send = (body: object = {}, key = 'first', through = server) =>
    through.send({ to: TO, message: 'Hello', apikey: account.apiKey, ...body }, { 'idempotency-key': key });
  const money = () => moneyOf(bed.database, account.id);
  const codeOf = (answer: { statusCode: number; body: string }) => [
    answer.statusCode,
    (JSON.parse(answer.body) as { code?: string }).code,
  ];

  it('repeats the first answer and charges once', async () => {
    const first = await send({ reference: 'order 7' });
    await send({}, 'between');
    const second = await send({ reference: 'order 7' });
    expect(first.json()).toMatchObject({ balance: 99 });
    expect(second.statusCode).toBe(200);
    expect(second.body).toBe(first.body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await money()).toMatchObject({ balance: 98, messages: 2 });
  });

  it('repeats in a replay that another account gets the replies', async () => {
    const to = '+14155552699';
    const owner = await createTestAccount(server);
    const owned = await server.send({ to, message: 'Hello', apikey: owner.apiKey });
    expect(owned.json()).not.toHaveProperty('replies');
    const answers = [await send({ to }), await send({ to }), await send({ to }, 'first', other)];
    for (const answer of answers) expect(answer.json()).toMatchObject({ success: 'true', replies: 'unavailable' });
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('repeats the answer even if the account could not send now', async () => {
    account = await createTestAccount(server, { credits: 1 });
    const first = await send();
    const second = await send();
    expect([second.statusCode, second.body]).toEqual([200, first.body]);
  });

  it('applies across JSON and form, and across servers', async () => {
    const first = await send();
    const second = await other.inject({
      method: 'POST',
      url: '/api/sendsms',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': 'first' },
      payload: new URLSearchParams({ to: TO, message: 'Hello', apikey: account.apiKey }).toString(),
    });
    expect(second.body).toBe(first.body);
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('repeats the text that was sent with smart encoding, and takes auto for no option', async () => {
    const first = await send({ message: '“Hi”', encoding: 'smart' });
    const second = await send({ message: '“Hi”', encoding: 'smart' });
    expect(second.body).toBe(first.body);
    expect(second.json()).toMatchObject({ message: '"Hi"', encoding: 'GSM-7' });
    expect(codeOf(await send({ message: '“Hi”' }))).toEqual([422, 'idempotency_conflict']);
    expect(codeOf(await send({ message: '"Hi"' }))).toEqual([422, 'idempotency_conflict']);
    const plain = await send({ message: 'Hi' }, 'second');
    expect((await send({ message: 'Hi', encoding: 'auto' }, 'second')).body).toBe(plain.body);
  });

  it.each([
    { message: 'Other' },
    { to: '+14155552672' },
    { reference: 'new' },
    { encoding: 'smart' },
    { max_credits: 5 },
  ])('conflicts with another body: %j', async (change) => {
    await send();
    const second = await send(change);
    expect(codeOf(second)).toEqual([422, 'idempotency_conflict']);
    expect(second.json()).toMatchObject({ success: 'false', error: 'Failed to send SMS' });
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('conflicts with an invalid body too', async () => {
    await send();
    expect(codeOf(await send({ to: '+1 555' }))).toEqual([422, 'idempotency_conflict']);
  });

  it('answers 409 while the first request is still running', async () => {
    const lock = await bed.database.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM credit_accounts WHERE account_id = $1 FOR UPDATE', [account.id]);
      const first = send();
      await new Promise(setImmediate);
      const second = await send();
      expect(codeOf(second)).toEqual([409, 'idempotency_in_progress']);
      expect(second.json()).toMatchObject({ success: 'false', error: 'Failed to send SMS' });
      await lock.query('COMMIT');
      expect((await first).statusCode).toBe(200);
    } finally {
      await lock.end();
    }
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('sends one message for many concurrent requests through two servers', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => send({}, 'race', n % 2 ? server : other)));
    const bodies = new Set(answers.filter(({ statusCode }) => statusCode === 200).map(({ body }) => body));
    expect(bodies.size).toBe(1);
    expect(answers.filter(({ statusCode }) => statusCode !== 200 && statusCode !== 409)).toEqual([]);
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('belongs to one account', async () => {
    const first = await send();
    account = await createTestAccount(server);
    const second = await send({ message: 'Other' });
    expect(second.statusCode).toBe(200);
    expect(second.body).not.toBe(first.body);
  });

  it('does not store a rejection', async () => {
    account = await createTestAccount(server, { credits: 0 });
    expect((await send()).statusCode).toBe(402);
    await adjustCredits(server, account.email, 5, 'test');
    expect((await send()).statusCode).toBe(200);
  });

  it.each([
    ['kept for 24 hours', '23 hours 59 minutes', 1],
    ['forgotten after 24 hours, for the same body and for another', '24 hours 1 minute', 2],
  ])('is %s', async (_title, age, messages) => {
    await send();
    await bed.database.sql(`UPDATE idempotency_keys SET created_at = now() - $1::interval`, [age]);
    const again = await send();
    expect(again.statusCode).toBe(200);
    expect(await money()).toMatchObject({ balance: 100 - messages, messages });
    expect(codeOf(await send({ message: 'Other' }))).toEqual([422, 'idempotency_conflict']);
  });

  it('accepts another body after 24 hours', async () => {
    await send();
    await bed.database.sql(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`);
    expect((await send({ message: 'Other' })).statusCode).toBe(200);
    expect(await money()).toMatchObject({ balance: 98, messages: 2 });
  });

  it('is ignored in test mode', async () => {
    const testKey = `${account.apiKey}_test`;
    const first = await send({ apikey: testKey });
    const second = await send({ apikey: testKey, message: 'Other' });
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(second.json<{ message_id: string }>().message_id).not.toBe(first.json<{ message_id: string }>().message_id);
    expect(await bed.database.sql('SELECT 1 FROM idempotency_keys WHERE account_id = $1', [account.id])).toEqual([]);
    const real = await send();
    expect(real.headers['idempotent-replayed']).toBeUndefined();
  });

  it('has 1 to 255 characters', async () => {
    expect((await send({}, 'k'.repeat(255))).statusCode).toBe(200);
    expect(codeOf(await send({}, 'k'.repeat(256)))).toEqual([400, 'invalid_request']);
    expect(codeOf(await send({}, ''))).toEqual([400, 'invalid_request']);
    expect(await money()).toMatchObject({ messages: 1 });
  });

  it('is UTF-8, as all text', async () => {
    // A header arrives as one character for each byte.
    const key = Buffer.from('clé-ÿ').toString('latin1');
    expect((await send({}, key)).statusCode).toBe(200);
    expect((await send({}, key)).headers['idempotent-replayed']).toBe('true');
    const refused = await send({}, 'clé-ÿ');
    expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
      400,
      'Idempotency-Key must have 1 to 255 characters, in UTF-8.',
    ]);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });
});
