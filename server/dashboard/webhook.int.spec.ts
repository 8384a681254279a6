import { randomUUID } from 'node:crypto';
import { limits } from '#contract/limits.js';
import type { WebhookDeliveriesAnswer, WebhookDeliveryAnswer, WebhookEventType } from '#contract/webhooks.js';
import {
  webhookAnswer,
  webhookDeliveriesAnswer,
  webhookDeliveryAnswer,
  webhookReplayAnswer,
} from '#contract/webhooks.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { newMessageId, publicMessageId } from '#core/rules/ids.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { WebhookEvents } from '#core/webhooks/webhook-events.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/webhook';
const NOBODYS = `${PATH}/deliveries/msg_0193aaaabbbb7ccc8ddd000000000000`;

describe('/api/dashboard/webhook', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
    await server.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const put = (body: object) => browser.call('PUT', `${PATH}/events`, body);
  const post = (path: string, body: object = {}) => browser.call('POST', `${PATH}/${path}`, body);
  const codeOf = async (answer: ReturnType<typeof post>) => {
    const { statusCode, body } = await answer;
    return [statusCode, (JSON.parse(body) as { code?: string }).code];
  };
  const deliver = (
    payload: object = { MessageId: 'SM' },
    about: { type?: WebhookEventType; sourceId?: string; accountId?: string } = {},
  ) => {
    const event = {
      accountId: account.id,
      type: 'message.received' as const,
      sourceId: randomUUID(),
      payload,
      ...about,
    };
    return server.get(Postgres).transaction((tx) => server.get(WebhookEvents).record(tx, event));
  };
  const list = async (query = '') =>
    webhookDeliveriesAnswer.parse((await browser.get(`${PATH}/deliveries${query}`)).json<WebhookDeliveriesAnswer>());
  const setStatus = (status: string) =>
    bed.database.sql(
      `UPDATE webhook_deliveries SET status = $2, finished_at = CASE WHEN $2 IN ('delivered', 'failed') THEN now() END
       WHERE account_id = $1`,
      [account.id, status],
    );
  const actions = async () => {
    const entries = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 20 });
    return entries.map(({ action }) => action);
  };

  it('returns the settings with a stable secret', async () => {
    const shown = webhookAnswer.parse((await browser.get(PATH)).json());
    expect(shown).toMatchObject({
      url: 'https://example.com/sms',
      receiving: true,
      events: [],
      lowCredits: 10,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      maskedSecret: expect.stringMatching(/^whsec_•{40}.{4}$/),
      previousSecretEndsAt: null,
      failingSince: null,
      disabled: null,
    });
    expect((await browser.get(PATH)).json()).toEqual(shown);
  });

  describe('the list of deliveries', () => {
    const uuid = newMessageId();
    const number = '+14155552671';
    const about = async () => {
      const message = { type: 'message.sent' as const, sourceId: uuid };
      await put({ events: ['message.sent', 'otp.verified'] });
      await bed.database.sql('DELETE FROM webhook_deliveries WHERE source_id = $1', [uuid]);
      await deliver({ message_id: publicMessageId(uuid), to: number }, message);
      await deliver({ MessageId: publicMessageId(newMessageId()), Sender: '+12025550142' });
    };
    const found = async (query: Record<string, string>) =>
      (await list(`?${new URLSearchParams(query).toString()}`)).deliveries.map(({ type }) => type);

    it('names what each is about', async () => {
      await about();
      expect((await list()).deliveries.map((one) => one.about)).toEqual([
        { number: '+12025550142', messageId: expect.stringMatching(/^SM/), otpId: null, received: true },
        { number, messageId: publicMessageId(uuid), otpId: null, received: false },
      ]);
    });

    it('shows how the last call failed, and finds those that are tried again', async () => {
      await about();
      expect(await found({ status: 'pending' })).toHaveLength(2);
      const [row] = await bed.database.sql<{ id: string }>(
        `UPDATE webhook_deliveries SET status = 'waiting', attempts = 1, failures = 1
         WHERE account_id = $1 AND source_id = $2 RETURNING id`,
        [account.id, uuid],
      );
      await bed.database.sql(
        `INSERT INTO webhook_attempts (id, delivery_id, account_id, started_at, duration_ms, status, answer)
         VALUES ($1, $2, $3, now(), 5, 500, '')`,
        [newMessageId(), row?.id, account.id],
      );
      const { deliveries } = await list('?status=retrying');
      expect(deliveries).toMatchObject([{ type: 'message.sent', failure: { status: 500, error: null } }]);
      expect(await found({ status: 'pending' })).toEqual(['message.received']);
      await setStatus('delivered');
      expect((await list()).deliveries.map(({ failure }) => failure)).toEqual([null, null]);
    });

    it('is filtered by type, number, message id and webhook id', async () => {
      await about();
      const [received, sent] = (await list()).deliveries;
      expect(await found({ type: 'message.sent' })).toEqual(['message.sent']);
      expect(await found({ search: '+1 (415) 555-2671' })).toEqual(['message.sent']);
      expect(await found({ search: '0142' })).toEqual(['message.received']);
      expect(await found({ search: publicMessageId(uuid).toUpperCase() })).toEqual(['message.sent']);
      expect(await found({ search: received?.id ?? '' })).toEqual(['message.received']);
      expect(await found({ search: sent?.id ?? '', type: '' })).toEqual(['message.sent']);
      for (const search of ['0193', 'Hello', '+1 999 999 9999', `OT${'0'.repeat(32)}`, '.*'])
        expect(await found({ search })).toEqual([]);
    });

    it('shows another account nothing, whatever it searches for', async () => {
      await about();
      const [sent] = (await list()).deliveries;
      const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
      for (const search of [number, publicMessageId(uuid), sent?.id ?? '']) {
        const query = new URLSearchParams({ search }).toString();
        const answer = await other.get(`${PATH}/deliveries?${query}`);
        expect(answer.json()).toEqual({ deliveries: [], nextCursor: null });
      }
    });
  });

  it('creates one secret for concurrent first reads', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.get(PATH)));
    expect(new Set(answers.map((answer) => answer.json<{ secret: string }>().secret)).size).toBe(1);
  });

  it('returns the default for an account without settings', async () => {
    const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    expect((await other.get(PATH)).json()).toMatchObject({ url: 'https://pennytext.test', receiving: false });
  });

  it('encrypts secrets at rest', async () => {
    const { secret } = (await browser.get(PATH)).json<{ secret: string }>();
    const [row] = await bed.database.sql<{ secret: Buffer }>(
      'SELECT secret FROM webhook_endpoints WHERE account_id = $1',
      [account.id],
    );
    expect(row?.secret.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
    expect(row?.secret.toString('latin1')).not.toContain(secret);
  });

  it('changes events and threshold, each event once', async () => {
    const answer = await put({ events: ['message.sent', 'credits.low', 'message.sent'], lowCredits: 50 });
    expect(answer.json()).toMatchObject({ events: ['credits.low', 'message.sent'], lowCredits: 50 });
    expect((await put({ events: [] })).json()).toMatchObject({ events: [], lowCredits: 50 });
    expect(await actions()).toContain('webhook.events_changed');
  });

  it.each([
    {},
    { events: ['message.received'] },
    { events: ['x'] },
    { events: 'message.sent' },
    { events: [], lowCredits: 0 },
    { events: [], lowCredits: 1.5 },
    { events: [], lowCredits: 1_000_001 },
  ])('rejects %j', async (body) => {
    expect(await codeOf(put(body))).toEqual([400, 'invalid_request']);
  });

  it('rotates the secret and keeps the previous one for a day', async () => {
    const before = (await browser.get(PATH)).json<{ secret: string }>();
    const after = webhookAnswer.parse((await post('secret/rotate')).json());
    expect(after.secret).not.toBe(before.secret);
    const hours = (Date.parse(after.previousSecretEndsAt ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    expect(await actions()).toContain('webhook.secret_rotated');
  });

  it('enables a disabled webhook unless the operator disabled it or none is set', async () => {
    const off = (reason: string) =>
      bed.database.sql('UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = $2 WHERE account_id = $1', [
        account.id,
        reason,
      ]);
    await off('gone');
    expect((await browser.get(PATH)).json()).toMatchObject({ disabled: { reason: 'gone' } });
    expect((await post('enable')).json()).toMatchObject({ disabled: null });
    expect((await post('enable')).statusCode).toBe(200);
    expect(await actions()).toContain('webhook.enabled');
    await off('operator');
    expect(await codeOf(post('enable'))).toEqual([409, 'webhook_off']);
    await server.get(WebhookEndpoints).setUrl(account.id, '');
    expect(await codeOf(post('enable'))).toEqual([409, 'webhook_off']);
  });

  it('lists deliveries newest first, by page and by status', async () => {
    const amount = limits.webhookDeliveriesPageSize + 2;
    for (let count = 0; count < amount; count += 1) await deliver();
    const first = await list();
    expect(first.deliveries).toHaveLength(limits.webhookDeliveriesPageSize);
    const second = await list(`?cursor=${first.nextCursor}`);
    expect([second.deliveries.length, second.nextCursor]).toEqual([2, null]);
    const ids = [...first.deliveries, ...second.deliveries].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(new Set(ids).size).toBe(amount);
    expect((await list('?status=pending')).deliveries).toHaveLength(limits.webhookDeliveriesPageSize);
    expect((await list('?status=failed')).deliveries).toEqual([]);
    expect(first.deliveries[0]).toMatchObject({
      type: 'message.received',
      test: false,
      status: 'pending',
      attempts: 0,
    });
  });

  it('lists the deliveries about one message of this account', async () => {
    await put({ events: ['message.sent', 'message.delivered'] });
    const [about, another] = [newMessageId(), newMessageId()];
    const types = ['message.sent', 'message.delivered'] as const;
    for (const type of types) await deliver({}, { type, sourceId: about });
    await deliver({}, { type: 'message.sent', sourceId: another });
    const query = `?message=${publicMessageId(about)}`;
    const found = await list(query);
    expect(found).toMatchObject({
      deliveries: [{ type: 'message.delivered' }, { type: 'message.sent' }],
      nextCursor: null,
    });
    expect((await list(`${query}&cursor=${found.deliveries[0]?.id}`)).deliveries).toMatchObject([
      { type: 'message.sent' },
    ]);
    expect((await list(`${query}&status=failed`)).deliveries).toEqual([]);
    expect((await list(`?message=${publicMessageId(newMessageId())}`)).deliveries).toEqual([]);
    const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    expect((await other.get(`${PATH}/deliveries${query}`)).json()).toMatchObject({ deliveries: [] });
  });

  it.each(['?cursor=nonsense', '?status=nonsense', `?cursor=SM${'0'.repeat(32)}`, '?message=', '?message=SM1'])(
    'refuses %s',
    async (query) => {
      expect((await browser.get(`${PATH}/deliveries${query}`)).statusCode).toBe(400);
    },
  );

  it('shows one delivery with its body and attempts', async () => {
    await deliver({ MessageId: 'SM1', Message: 'שלום' });
    const [{ id } = { id: '' }] = (await list()).deliveries;
    const shown = webhookDeliveryAnswer.parse(
      (await browser.get(`${PATH}/deliveries/${id}`)).json<WebhookDeliveryAnswer>(),
    );
    expect(shown).toMatchObject({ id, body: '{"MessageId":"SM1","Message":"שלום"}', attemptList: [] });
  });

  it('sends one again', async () => {
    await deliver();
    await setStatus('failed');
    const [{ id } = { id: '' }] = (await list()).deliveries;
    const answer = await post(`deliveries/${id}/resend`);
    expect([answer.statusCode, answer.json<{ status: string }>().status]).toEqual([202, 'pending']);
    expect(await actions()).toContain('webhook.resent');
  });

  it('replays a time range', async () => {
    await deliver();
    await setStatus('failed');
    const [from, to] = [new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 60_000).toISOString()];
    const answer = await post('replay', { from, to });
    expect([answer.statusCode, webhookReplayAnswer.parse(answer.json())]).toEqual([202, { replayed: 1, more: false }]);
    await setStatus('delivered');
    expect((await post('replay', { from, to })).json()).toEqual({ replayed: 0, more: false });
    expect((await post('replay', { from, to, which: 'all' })).json()).toEqual({ replayed: 1, more: false });
    expect(await actions()).toContain('webhook.replayed');
  });

  it.each([
    {},
    { from: 'yesterday', to: '2026-11-21T00:00:00Z' },
    { from: '2026-11-21T00:00:00Z', to: '2026-11-21T00:00:00Z' },
    { from: '2026-11-21T00:00:00.5Z', to: '2026-11-21T00:00:00Z' },
    { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', which: 'none' },
  ])('rejects the range %j', async (range) => {
    expect(await codeOf(post('replay', range))).toEqual([400, 'invalid_request']);
  });

  it('sends a test of an event, whether it is subscribed to or not', async () => {
    const answer = await post('test', { type: 'otp.verified' });
    expect(answer.statusCode).toBe(202);
    expect(webhookDeliveryAnswer.parse(answer.json())).toMatchObject({ test: true, type: 'otp.verified' });
    expect((await post('test')).json()).toMatchObject({ type: 'message.received' });
    expect(await codeOf(post('test', { type: 'x' }))).toEqual([400, 'invalid_request']);
    expect(await actions()).toContain('webhook.tested');
  });

  it('sends nothing without a URL', async () => {
    await deliver();
    const [{ id } = { id: '' }] = (await list()).deliveries;
    await server.get(WebhookEndpoints).setUrl(account.id, '');
    const range = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
    for (const call of [post('test'), post('replay', range), post(`deliveries/${id}/resend`)])
      expect(await codeOf(call)).toEqual([409, 'webhook_off']);
  });

  it('neither shows nor sends another account’s deliveries', async () => {
    await deliver();
    const [{ id } = { id: '' }] = (await list()).deliveries;
    const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    expect((await other.get(`${PATH}/deliveries`)).json()).toMatchObject({ deliveries: [] });
    expect((await other.get(`${PATH}/deliveries/${id}`)).statusCode).toBe(404);
    expect((await other.call('POST', `${PATH}/deliveries/${id}/resend`, {})).statusCode).toBe(404);
  });

  it.each([NOBODYS, `${PATH}/deliveries/x`])('answers 404 to %s', async (path) => {
    const answer = await browser.get(path);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'delivery_not_found']);
  });

  it('limits webhooks sent by hand', async () => {
    const answers = [];
    for (let count = 0; count <= limits.webhookActionsPerMinuteMax; count += 1) answers.push(await post('test'));
    const last = answers.at(-1);
    expect(answers.slice(0, -1).every(({ statusCode }) => statusCode === 202)).toBe(true);
    expect([last?.statusCode, last?.json<{ code: string }>().code]).toEqual([429, 'webhook_actions']);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('requires a session and, for changes, our own page', async () => {
    const stranger = new TestBrowser(server);
    expect((await stranger.get(PATH)).statusCode).toBe(401);
    expect((await stranger.get(`${PATH}/deliveries`)).statusCode).toBe(401);
    for (const path of ['secret/rotate', 'enable', 'replay', 'test', 'deliveries/x/resend']) {
      const answer = await browser.call('POST', `${PATH}/${path}`, {}, { origin: 'https://evil.example' });
      expect(answer.statusCode).toBe(403);
    }
  });
});
