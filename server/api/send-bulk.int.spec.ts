import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '#contract/limits.js';
import { messageStatuses } from '#contract/messages.js';
import { Senders } from '#core/messages/senders/senders.js';
import { DispatchQueue } from '#core/platform/queue/queues.js';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { countDay, createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const to = (n: number) => `+1415${5_560_000 + n}`;
const OPTED_OUT = to(9_999);
const noStatuses = Object.fromEntries(messageStatuses.map((status) => [status, 0]));

interface Sent {
  readonly batch_id: string;
  readonly accepted: number;
  readonly rejected: readonly { index: number; to: string; code: string; detail: string }[];
  readonly credits: number;
  readonly balance: number;
}

describe('POST /api/sendbulk', () => {
  let bed: TestBed;
  let servers: [TestServer, TestServer];
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    servers = [await createTestServer(bed.config()), await createTestServer(bed.config())];
    await bed.database.sql(`INSERT INTO opt_outs (recipient, sender) VALUES ($1, '+15005550006')`, [OPTED_OUT]);
  });

  beforeEach(async () => {
    account = await createTestAccount(servers[0]);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await bed?.remove();
  });

  const send = (body: object, headers: Record<string, string> = {}, server = servers[0], apiKey = account.apiKey) =>
    server.inject({
      method: 'POST',
      url: '/api/sendbulk',
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      payload: body,
    });
  const accepted = async (...given: Parameters<typeof send>) => {
    const answer = await send(...given);
    expect(answer.body).toContain('"success":"true"');
    return answer.json<Sent>();
  };
  const get = (path: string, apiKey = account.apiKey) =>
    servers[0].inject({ method: 'GET', url: `/api/${path}`, headers: { authorization: `Bearer ${apiKey}` } });
  const rows = () =>
    bed.database.sql<{ recipient: string; body: string; number: string; reference: string | null }>(
      'SELECT recipient, body, number, reference FROM messages WHERE account_id = $1 ORDER BY number',
      [account.id],
    );
  const codes = ({ rejected }: Pick<Sent, 'rejected'>) => rejected.map(({ index, code }) => [index, code]);
  const nothing = { balance: 100, entries: 1, messages: 0 };

  it('accepts messages in their order, charges each and enqueues them', async () => {
    const messages = [
      { to: to(2), message: 'Two', reference: 'second' },
      { to: to(1), message: 'One' },
      { to: '+447400123456', message: 'Britain' },
    ];
    const answer = await accepted({ messages });
    expect(answer).toEqual({
      success: 'true',
      batch_id: expect.stringMatching(/^BA[0-9a-f]{32}$/),
      accepted: 3,
      rejected: [],
      credits: 5,
      balance: 95,
    });
    expect(await rows()).toEqual([
      { recipient: to(2), body: 'Two', number: '1', reference: 'second' },
      { recipient: to(1), body: 'One', number: '2', reference: null },
      { recipient: '+447400123456', body: 'Britain', number: '3', reference: null },
    ]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 95, entries: 4, messages: 3 });
    await eventually('jobs', async () => (await servers[0].get(DispatchQueue).size()) > 0);
  });

  it('fills in a template', async () => {
    await accepted({
      message: 'Hi {{name}}, {{ places }} places on {{to}} {{name}}',
      recipients: [
        { to: to(1), name: 'Ada', places: 2, reference: 'a' },
        { to: to(2), name: '', places: '$& {{name}}' },
      ],
    });
    expect((await rows()).map(({ body, reference }) => [body, reference])).toEqual([
      [`Hi Ada, 2 places on ${to(1)} Ada`, 'a'],
      [`Hi , $& {{name}} places on ${to(2)} `, null],
    ]);
  });

  it('sends the same number and text once, and lists the other as a duplicate', async () => {
    const messages = [
      { to: to(1), message: 'Hello' },
      { to: `001${to(1).slice(2)}`, message: 'Hello' },
      { to: to(1), message: 'Other' },
      { to: to(1).replace('+1415', '(415) '), message: 'Hello' },
    ];
    const answer = await accepted({ messages: messages.filter((_one, n) => n !== 1) });
    expect(codes(answer)).toEqual([[2, 'duplicate']]);
    expect(answer).toMatchObject({ accepted: 2, credits: 2 });
  });

  const rejections: [string, object, string][] = [
    ['an invalid number', { to: '+1415', message: 'Hello' }, 'invalid_number'],
    ['no number', { message: 'Hello' }, 'missing_fields'],
    ['no text', { to: to(5), message: '' }, 'missing_fields'],
    ['a text that is too long', { to: to(5), message: 'x'.repeat(1_531) }, 'message_too_long'],
    ['a reference that is too long', { to: to(5), message: 'Hello', reference: 'r'.repeat(65) }, 'invalid_request'],
    ['a country without a region', { to: '+254712123456', message: 'Hello' }, 'region_unsupported'],
    ['a recipient who has opted out', { to: OPTED_OUT, message: 'Hello' }, 'recipient_opted_out'],
    ['a URL', { to: to(5), message: 'See https://example.com/x' }, 'url_not_activated'],
  ];

  it.each(rejections)('rejects all for %s, and with "partial" only that item', async (_title, bad, code) => {
    const messages = [{ to: to(1), message: 'Hello' }, bad, { to: to(2), message: 'Hello' }];
    const refused = await send({ messages });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ success: 'false', code: 'bulk_rejected', rejected: [{ index: 1, code }] });
    expect(await moneyOf(bed.database, account.id)).toMatchObject(nothing);

    const answer = await accepted({ messages, partial: true });
    expect(codes(answer)).toEqual([[1, code]]);
    expect(answer).toMatchObject({ accepted: 2, balance: 98 });
  });

  it('refuses a body with a NUL character in one item, and names its field', async () => {
    const messages = [
      { to: to(1), message: 'Hello' },
      { to: to(5), message: 'Hello \0' },
    ];
    const answer = await send({ messages, partial: true });
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
    expect(answer.json<{ detail: string }>().detail).toMatch(/^messages\.1\.message: contains a NUL/);
    expect(await moneyOf(bed.database, account.id)).toMatchObject(nothing);
  });

  it('rejects a recipient without a variable of the template, and names it', async () => {
    const answer = await send({ message: 'Hi {{name}} {{city}}', recipients: [{ to: to(1), name: null }] });
    expect(answer.json<Sent>().rejected).toEqual([
      {
        index: 0,
        to: to(1),
        code: 'variable_missing',
        detail: 'The recipient has no text or number for {{name}}, {{city}}.',
      },
    ]);
  });

  it('rejects all when the balance does not cover the price, and with "partial" what it does not cover', async () => {
    account = await createTestAccount(servers[0], { credits: 4 });
    const messages = [
      { to: to(1), message: 'Hello' },
      { to: '+447400123456', message: 'Three credits' },
      { to: '+447400123457', message: 'Three credits' },
    ];
    const refused = await send({ messages });
    expect(refused.json()).toMatchObject({
      code: 'bulk_rejected',
      rejected: [{ index: 2, code: 'insufficient_credits' }],
    });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 4, messages: 0 });
    expect(codes(await accepted({ messages, partial: true }))).toEqual([[2, 'insufficient_credits']]);
    expect((await send({ messages })).json()).toMatchObject({ code: 'no_credits' });
  });

  it('spends what is left on cheaper messages', async () => {
    account = await createTestAccount(servers[0], { credits: 5 });
    const messages = [
      { to: '+447400123456', message: 'Three credits' },
      { to: '+447400123457', message: 'Three credits' },
      { to: to(1), message: 'One' },
      { to: to(2), message: 'One' },
      { to: to(3), message: 'One' },
    ];
    const answer = await accepted({ messages, partial: true });
    expect(codes(answer)).toEqual([
      [1, 'insufficient_credits'],
      [4, 'insufficient_credits'],
    ]);
    expect(answer).toMatchObject({ accepted: 3, credits: 5, balance: 0 });
  });

  it('spends the last credit on messages that alternate with ones too expensive for what is left', async () => {
    account = await createTestAccount(servers[0], { credits: 8 });
    const ofCredits = (credits: number, n: number) => ({ to: to(n), message: 'x'.repeat(153 * credits) });
    const prices = [8, 7, 6, 5, 4, 3, 2].flatMap((tooMuch) => [1, tooMuch]).concat(1);
    const answer = await accepted({ messages: prices.map(ofCredits), partial: true });
    expect(answer).toMatchObject({ accepted: 8, credits: 8, balance: 0 });
    expect(codes(answer)).toEqual([1, 3, 5, 7, 9, 11, 13].map((index) => [index, 'insufficient_credits']));
  });

  describe('whose price is asked first', () => {
    const quote = (body: object, apiKey = account.apiKey) =>
      servers[0].inject({
        method: 'POST',
        url: '/api/quote',
        headers: { authorization: `Bearer ${apiKey}` },
        payload: body,
      });
    const ofCredits = (credits: number, n: number) => ({ to: to(n), message: 'x'.repeat(153 * credits) });

    it.each([
      [5, 0, [3, 3, 1, 1, 1]],
      [8, 0, [1, 8, 1, 7, 1, 6, 1, 5, 1, 4, 1, 3, 1, 2, 1]],
      [2, 0, [1, 1, 1]],
      [9, 7, [1, 1, 1, 4]],
    ])(
      'rejects what a balance of %i with %i frozen does not cover, as sending does',
      async (credits, frozen, prices) => {
        account = await createTestAccount(servers[0], { credits });
        await bed.database.sql('UPDATE credit_accounts SET frozen = $2 WHERE account_id = $1', [account.id, frozen]);
        const body = { messages: prices.map(ofCredits), partial: true };
        const quoted = (await quote(body)).json<Sent & { messages: number; segments: number }>();
        expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: credits, messages: 0 });
        const sent = await accepted(body);
        expect(codes(quoted)).toEqual(codes(sent));
        const { accepted: messages, credits: price } = sent;
        expect(quoted).toMatchObject({ messages, credits: price, segments: price, balance: credits });
        await bed.database.sql('UPDATE credit_accounts SET frozen = 0 WHERE account_id = $1', [account.id]);
      },
    );

    it('names all items when the balance covers none', async () => {
      account = await createTestAccount(servers[0], { credits: 0 });
      const answer = await quote({ messages: [ofCredits(1, 1), ofCredits(1, 2)], partial: true });
      expect([answer.statusCode, codes(answer.json<Sent>())]).toEqual([
        400,
        [
          [0, 'insufficient_credits'],
          [1, 'insufficient_credits'],
        ],
      ]);
    });

    it('has the price of all without "partial", and with a test key', async () => {
      account = await createTestAccount(servers[0], { credits: 1 });
      const messages = [ofCredits(1, 1), ofCredits(1, 2)];
      const priced = { messages: 2, rejected: [], credits: 2 };
      expect((await quote({ messages })).json()).toMatchObject({ ...priced, balance: 1, balance_after: null });
      const tested = await quote({ messages, partial: true }, `${account.apiKey}_test`);
      expect(tested.json()).toMatchObject({ ...priced, test: true });
    });

    it('charges for items that were refused then and are accepted now', async () => {
      const optedOut = to(9_998);
      await bed.database.sql(`INSERT INTO opt_outs (recipient, sender) VALUES ($1, '+15005550006')`, [optedOut]);
      const body = { messages: [ofCredits(1, 1), { ...ofCredits(5, 2), to: optedOut }], partial: true };
      const quoted = (await quote(body)).json<Sent & { quote: string }>();
      expect([quoted.credits, codes(quoted)]).toEqual([1, [[1, 'recipient_opted_out']]]);
      await bed.database.sql('DELETE FROM opt_outs WHERE recipient = $1', [optedOut]);
      expect(await accepted({ ...body, quote: quoted.quote })).toMatchObject({ accepted: 2, credits: 6, balance: 94 });
    });
  });

  it('refuses the account before it looks at the items', async () => {
    const bad = { messages: [{ to: 'x', message: '' }] };
    const unknown = await send(bad, {}, servers[0], randomUUID());
    expect(unknown.statusCode).toBe(401);
    account = await createTestAccount(servers[0], { credits: 0 });
    expect((await send(bad)).json()).toMatchObject({ code: 'no_credits' });
    account = await createTestAccount(servers[0], { credits: 5, dailyLimit: 3 });
    await countDay(bed.database, account.id, 3);
    expect((await send({ messages: [{ to: to(1), message: 'Hello' }] })).json()).toMatchObject({ code: 'daily_limit' });
  });

  const invalid: [string, object | string, number][] = [
    ['neither messages nor recipients', {}, 400],
    ['both', { messages: [{ to: to(1), message: 'a' }], message: 'b', recipients: [{ to: to(1) }] }, 400],
    ['no items', { messages: [] }, 400],
    ['10,001 items', { messages: Array.from({ length: limits.bulkMessagesMax + 1 }, () => ({})) }, 400],
    ['numbers for texts', { messages: Array.from({ length: 500 }, () => ({ to: 1, message: 2 })) }, 400],
    ['6 MiB', { message: 'x'.repeat(6 * 1_048_576), recipients: [{ to: to(1) }] }, 413],
  ];

  it.each(invalid)('refuses a body with %s', async (_title, body, status) => {
    const answer = await send(body as object);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ code: 'invalid_request' });
    expect(answer.body.length).toBeLessThan(2_000);
  });

  it('repeats the answer of an Idempotency-Key, with the rejected items, and refuses another body', async () => {
    const messages = [
      { to: to(1), message: 'Hello' },
      { to: 'x', message: 'Hello' },
    ];
    const headers = { 'idempotency-key': 'newsletter-1' };
    const first = await accepted({ messages, partial: true }, headers);
    const again = await send({ messages, partial: true }, headers, servers[1]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json()).toEqual(first);
    expect((await send({ messages: messages.slice(1) }, headers)).json()).toMatchObject({
      code: 'idempotency_conflict',
    });
    expect(await rows()).toHaveLength(1);
  });

  it('accepts one of many concurrent requests with one Idempotency-Key, on two servers', async () => {
    const messages = Array.from({ length: 20 }, (_one, n) => ({ to: to(n), message: 'Hello' }));
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_one, n) => send({ messages }, { 'idempotency-key': 'once' }, servers[n % 2])),
    );
    const batches = answers
      .filter(({ statusCode }) => statusCode === 200)
      .map((answer) => answer.json<Sent>().batch_id);
    expect(batches.length).toBeGreaterThan(0);
    expect(new Set(batches).size).toBe(1);
    for (const answer of answers) if (answer.statusCode !== 200) expect([409, 503]).toContain(answer.statusCode);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 80, messages: 20 });
  });

  it('accepts whole bulks only while single messages drain the balance, on two servers', async () => {
    account = await createTestAccount(servers[0], { credits: 100 });
    const bulk = (round: number) => ({
      messages: Array.from({ length: 30 }, (_one, n) => ({ to: to(n), message: `Round ${round}` })),
    });
    const single = async (n: number) => servers[n % 2]?.send({ to: to(n), message: 'Single', apikey: account.apiKey });
    const [bulks, singles] = await Promise.all([
      Promise.all([1, 2, 3, 4].map((round) => send(bulk(round), {}, servers[round % 2]))),
      Promise.all(Array.from({ length: 40 }, (_one, n) => single(n))),
    ]);
    const taken = bulks.filter(({ statusCode }) => statusCode === 200).length;
    const sent = singles.filter((answer) => answer?.statusCode === 200).length;
    expect(taken).toBeGreaterThan(0);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({
      balance: 100 - 30 * taken - sent,
      messages: 30 * taken + sent,
    });
  });

  it('leaves nothing behind when the database ends the transaction, and reports that nothing was charged', async () => {
    await bed.database.sql(`CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`);
    await bed.database.sql(
      'CREATE TRIGGER end_session BEFORE INSERT ON batches FOR EACH ROW EXECUTE FUNCTION end_session()',
    );
    try {
      const answer = await send({ messages: [{ to: to(1), message: 'Hello' }] });
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('not charged') });
    } finally {
      await bed.database.sql('DROP TRIGGER end_session ON batches');
    }
    expect(await moneyOf(bed.database, account.id)).toMatchObject(nothing);
  });

  it('tests with a test key: nothing is charged or stored', async () => {
    const messages = [
      { to: to(1), message: 'Hello' },
      { to: OPTED_OUT, message: 'Hello' },
    ];
    const answer = await accepted({ messages, partial: true }, {}, servers[0], `${account.apiKey}_test`);
    expect(answer).toMatchObject({ accepted: 1, credits: 1, balance: 212, test: true, rejected: [{ index: 1 }] });
    expect(await moneyOf(bed.database, account.id)).toMatchObject(nothing);
    expect((await get(`batches/${answer.batch_id}`, `${account.apiKey}_test`)).json()).toMatchObject({ test: true });
  });

  it('shows a batch and its messages to its own account', async () => {
    await accepted({ messages: [{ to: to(9), message: 'Before' }] });
    const messages = Array.from({ length: 60 }, (_one, n) => ({ to: to(n), message: 'Hello' }));
    const { batch_id: id } = await accepted({ messages });
    expect((await get(`batches/${id}`)).json()).toEqual({
      success: 'true',
      batch_id: id,
      created_at: expect.any(String),
      messages: 60,
      statuses: { ...noStatuses, queued: 60 },
      credits: 60,
      refunded: 0,
    });
    interface Page {
      readonly messages: readonly { to: string }[];
      readonly next_cursor: string | null;
    }
    const first = (await get(`batches/${id}/messages`)).json<Page>();
    const second = (await get(`batches/${id}/messages?cursor=${first.next_cursor}`)).json<Page>();
    expect([...first.messages, ...second.messages].map((message) => message.to)).toEqual(
      messages.map((one) => one.to).reverse(),
    );
    expect(second.next_cursor).toBeNull();

    const other = await createTestAccount(servers[0]);
    for (const path of [`batches/${id}`, `batches/${id}/messages`, `batches/BA${'0'.repeat(32)}`, 'batches/x'])
      expect((await get(path, other.apiKey)).json()).toMatchObject({ code: 'batch_not_found' });
  });

  it('lists the messages of a batch in their order, also when the sender of the first is found last', async () => {
    const senders = servers[0].get(Senders);
    const found = senders.senderFor.bind(senders);
    const spy = jest.spyOn(senders, 'senderFor').mockImplementation(async (...given) => {
      if (given[1] === to(1)) await pause(20);
      return found(...given);
    });
    const { batch_id: id } = await accepted({ messages: [1, 2, 3].map((n) => ({ to: to(n), message: `${n}` })) });
    spy.mockRestore();
    const { messages } = (await get(`batches/${id}/messages`)).json<{ messages: { message: string }[] }>();
    expect(messages.map(({ message }) => message)).toEqual(['3', '2', '1']);
  });

  it('lists the batches of its own account, newest first, in pages', async () => {
    interface Page {
      readonly batches: readonly { batch_id: string }[];
      readonly next_cursor: string | null;
    }
    const ids: string[] = [];
    for (let n = 0; n <= limits.batchesPageSize; n += 1) {
      const messages = [1, 2].map((one) => ({ to: to(one), message: `Hello ${n}` }));
      ids.unshift((await accepted({ messages })).batch_id);
      await servers[0].send({ to: to(3), message: 'Not in a batch', apikey: account.apiKey });
    }
    const list = async (cursor = '', apiKey = account.apiKey) => (await get(`batches${cursor}`, apiKey)).json<Page>();
    const first = await list();
    const second = await list(`?cursor=${first.next_cursor}`);
    expect(first.batches).toHaveLength(limits.batchesPageSize);
    expect([...first.batches, ...second.batches].map((batch) => batch.batch_id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    expect(first.batches[0]).toEqual({
      batch_id: ids[0],
      created_at: expect.any(String),
      messages: 2,
      statuses: { ...noStatuses, queued: 2 },
      credits: 2,
      refunded: 0,
    });
    const other = await createTestAccount(servers[0]);
    expect(await list('', other.apiKey)).toMatchObject({ batches: [], next_cursor: null });
    expect(await list(`?cursor=${ids[3]}`, other.apiKey)).toMatchObject({ code: 'invalid_request' });
    expect(await list('', `${account.apiKey}_test`)).toMatchObject({ test: true });
  });

  it('accepts 10,000 messages at once', async () => {
    account = await createTestAccount(servers[0], { credits: 10_000 });
    const messages = Array.from({ length: limits.bulkMessagesMax }, (_one, n) => ({
      to: to(n),
      message: `Hello ${n}`,
    }));
    const answer = await accepted({ messages: messages.slice(0, -1) });
    expect(answer).toMatchObject({ accepted: 9_999, credits: 9_999, balance: 1 });
    await eventually('100 jobs', async () => (await servers[0].get(DispatchQueue).size()) >= 100);
  });
});
