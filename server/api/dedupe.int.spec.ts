import { NamedKeys } from '#core/keys/named-keys.js';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';

describe('dedupe of POST /api/sendsms', () => {
  let bed: TestBed;
  let servers: [TestServer, TestServer];
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    servers = await Promise.all([createTestServer(bed.config()), createTestServer(bed.config())]);
  });

  beforeEach(async () => {
    account = await createTestAccount(servers[0]);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.close()));
    await bed?.remove();
  });

  const send = (body: object = {}, headers: Record<string, string> = {}, server: 0 | 1 = 0) =>
    servers[server].send({ to: TO, message: 'Hello', apikey: account.apiKey, dedupe: 60, ...body }, headers);
  const money = () => moneyOf(bed.database, account.id);
  const idOf = (answer: { body: string }) => (JSON.parse(answer.body) as { message_id?: string }).message_id;
  const codeOf = (answer: { statusCode: number; body: string }) => [
    answer.statusCode,
    (JSON.parse(answer.body) as { code?: string }).code,
  ];
  const age = (interval: string) =>
    bed.database.sql('UPDATE messages SET created_at = created_at - $2::interval WHERE account_id = $1', [
      account.id,
      interval,
    ]);

  it('answers the earlier message to the same recipient with the same text, uncharged', async () => {
    const first = await send({ message: 'a'.repeat(200), reference: 'first' });
    expect(first.json()).not.toHaveProperty('deduplicated');
    await send({ message: 'Other' });
    const second = await send({ to: '(415) 555-2671', message: 'a'.repeat(200), reference: 'second' }, {}, 1);
    expect([second.statusCode, second.json()]).toEqual([
      200,
      {
        success: 'true',
        message_id: idOf(first),
        segments: 2,
        credits: 2,
        encoding: 'GSM-7',
        balance: 97,
        reference: 'first',
        deduplicated: true,
      },
    ]);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(await money()).toMatchObject({ balance: 97, messages: 2 });
  });

  it('accepts one of many simultaneous requests through two servers', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => send({}, {}, n % 2 ? 1 : 0)));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    const deduplicated = answers.filter((answer) => answer.json<{ deduplicated?: true }>().deduplicated);
    expect(deduplicated).toHaveLength(59);
    for (const answer of answers) expect(answer.json()).toMatchObject({ success: 'true', balance: 99 });
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('accepts one of each text and recipient, and what does not ask for it, all at the same time', async () => {
    account = await createTestAccount(servers[0], { credits: 1_000 });
    const requests = Array.from({ length: 120 }, (_, n) => ({
      to: n % 2 ? TO : '+14155552672',
      message: `Text ${n % 3}`,
      ...(n % 4 === 0 && { dedupe: undefined }),
    }));
    const answers = await Promise.all(requests.map((body, n) => send(body, {}, n % 5 ? 1 : 0)));
    const fresh = answers.filter((answer) => !answer.json<{ deduplicated?: true }>().deduplicated);
    const plain = requests.filter((request) => 'dedupe' in request).length;
    const { messages } = await money();
    expect(messages).toBe(fresh.length);
    expect(new Set(fresh.map(idOf)).size).toBe(fresh.length);
    // Six pairs of text and recipient; for three of them a plain request may come first.
    expect(fresh.length).toBeGreaterThanOrEqual(plain + 3);
    expect(fresh.length).toBeLessThanOrEqual(plain + 6);
  });

  it('accepts one of two requests whose statements have begun before either commits', async () => {
    const lock = await bed.database.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM credit_accounts WHERE account_id = $1 FOR UPDATE', [account.id]);
      const answers = Promise.all([send({}, {}, 0), send({}, {}, 1)]);
      await eventually('both wait for the account', async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock'`;
        return (await bed.database.sql(waiting)).length === 2;
      });
      await lock.query('COMMIT');
      const [one, other] = await answers;
      expect(idOf(one)).toBe(idOf(other));
    } finally {
      await lock.end();
    }
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('sees messages that were sent without it, and the latest of several', async () => {
    const first = await send({ dedupe: undefined });
    const second = await send({ dedupe: undefined });
    expect(idOf(second)).not.toBe(idOf(first));
    expect((await send()).json()).toMatchObject({ deduplicated: true, message_id: idOf(second) });
  });

  it.each([
    ['another text', { message: 'Hello!' }],
    ['another recipient', { to: '+14155552672' }],
  ])('sends %s', async (_title, change) => {
    await send();
    expect((await send(change)).json()).not.toHaveProperty('deduplicated');
    expect(await money()).toMatchObject({ messages: 2 });
  });

  it('belongs to one account', async () => {
    await send();
    account = await createTestAccount(servers[0]);
    expect((await send()).json()).not.toHaveProperty('deduplicated');
  });

  it.each([
    [60, '59 seconds', true],
    [60, '61 seconds', false],
    [86_400, '23 hours 59 minutes', true],
    [86_400, '24 hours 1 minute', false],
  ])('with %i s and a message of %s ago is %j', async (dedupe, interval, expected) => {
    await send();
    await age(interval);
    expect((await send({ dedupe })).json<{ deduplicated?: true }>().deduplicated === true).toBe(expected);
  });

  it.each([
    ['scheduled', true],
    ['queued', true],
    ['sending', true],
    ['sent', true],
    ['delivered', true],
    ['undelivered', false],
    ['failed', false],
    ['canceled', false],
  ])('after a message that is %s is %j', async (status, expected) => {
    await send();
    await bed.database.sql('UPDATE messages SET status = $2 WHERE account_id = $1', [account.id, status]);
    const second = await send();
    await bed.database.sql(`UPDATE messages SET status = 'delivered' WHERE account_id = $1`, [account.id]);
    expect(second.json<{ deduplicated?: true }>().deduplicated === true).toBe(expected);
  });

  it('compares the text that smart encoding sends', async () => {
    const first = await send({ message: '"Hi"' });
    const second = await send({ message: '“Hi”', encoding: 'smart' });
    expect(second.json()).toMatchObject({ deduplicated: true, message_id: idOf(first), message: '"Hi"' });
  });

  it('answers also without credits, on a full day, and while the account is suspended from sending', async () => {
    account = await createTestAccount(servers[0], { credits: 1, dailyLimit: 1 });
    const first = await send();
    await bed.database.sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', [account.id]);
    expect((await send()).json()).toMatchObject({ deduplicated: true, message_id: idOf(first), balance: 0 });
    expect(codeOf(await send({ message: 'Other' }))).toEqual([403, 'delivery_suspended']);
  });

  it('spends a budget once', async () => {
    const lists = { scopes: ['send' as const], addresses: [], countries: [] };
    const limits = { creditsPerDay: 1, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
    const { secret: apikey } = await servers[0]
      .get(NamedKeys)
      .create({ actor: 'account', accountId: account.id }, { name: 'Key', mode: 'live', ...lists, ...limits });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => send({ apikey }, {}, n % 2 ? 1 : 0)));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(codeOf(await send({ apikey, message: 'Other' }))).toEqual([429, 'key_budget']);
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('is ignored in test mode', async () => {
    await send();
    const tested = await send({ apikey: `${account.apiKey}_test` });
    expect(tested.json()).toMatchObject({ test: true });
    expect(tested.json()).not.toHaveProperty('deduplicated');
  });

  it('leaves the first answer to a repeated Idempotency-Key', async () => {
    const first = await send({}, { 'idempotency-key': 'one' });
    const again = await send({}, { 'idempotency-key': 'one' });
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect(codeOf(await send({ dedupe: 61 }, { 'idempotency-key': 'one' }))).toEqual([422, 'idempotency_conflict']);
  });

  it('answers a repeated Idempotency-Key with the same earlier message, also when its time is over', async () => {
    const first = await send();
    const headers = { 'idempotency-key': 'two' };
    const second = await send({}, headers);
    expect(second.json()).toMatchObject({ deduplicated: true, message_id: idOf(first) });
    await age('1 hour');
    const third = await send({}, headers, 1);
    expect(third.body).toBe(second.body);
    expect(codeOf(await send({ message: 'Other' }, headers))).toEqual([422, 'idempotency_conflict']);
    expect((await send({}, { 'idempotency-key': 'three' })).json()).not.toHaveProperty('deduplicated');
    expect(await money()).toMatchObject({ balance: 98, messages: 2 });
  });

  it('accepts one of many simultaneous requests with keys of their own, two of each', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send({}, { 'idempotency-key': `key ${n >> 1}` }, n % 2 ? 1 : 0)),
    );
    const accepted = answers.filter(({ statusCode }) => statusCode === 200);
    expect(answers.filter(({ statusCode }) => statusCode !== 200 && statusCode !== 409)).toEqual([]);
    expect(new Set(accepted.map(idOf)).size).toBe(1);
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });
});
