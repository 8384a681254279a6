import { AuditLog } from '#core/audit/audit-log.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/webhook-url';
const HOOK = 'https://example.com/sms?key=secret';

describe('/api/dashboard/webhook-url', () => {
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
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const set = (webhookUrl: unknown) => browser.call('PUT', PATH, { webhookUrl });
  const off = { webhookUrl: 'https://pennytext.test', receiving: false };

  it('returns the default, which turns receiving off, until one is set', async () => {
    expect((await browser.get(PATH)).json()).toEqual(off);
  });

  it('stores a URL unchanged', async () => {
    expect((await set(` ${HOOK} `)).json()).toEqual({ webhookUrl: HOOK, receiving: true });
    expect((await browser.get(PATH)).json()).toEqual({ webhookUrl: HOOK, receiving: true });
  });

  it.each(['', '  ', 'https://pennytext.test', 'https://pennytext.test/'])(
    'turns receiving off with %j',
    async (text) => {
      await set(HOOK);
      expect((await set(text)).json()).toEqual(off);
    },
  );

  it.each([
    ['a text that is not a URL', 'nonsense', /not a URL/],
    ['another scheme', 'ftp://example.com', /begins with https/],
    ['a private address', 'http://192.168.0.1/', /address is private/],
    ['over 2,048 characters', `https://example.com/${'a'.repeat(2_048)}`, /at most 2048 characters/],
  ])('rejects %s with a message for the field and keeps the old value', async (_title, text, detail) => {
    await set(HOOK);
    const answer = await set(text);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'webhook_url_invalid',
      error: 'Please enter a valid webhook URL.',
      detail: expect.stringMatching(detail),
    });
    expect((await browser.get(PATH)).json()).toMatchObject({ webhookUrl: HOOK });
  });

  it.each([undefined, null, 5, ['x']])('rejects %j, which is not a string', async (value) => {
    const answer = await set(value);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it('accepts a private address if the operator allows it', async () => {
    const open = await createTestServer(bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' }));
    try {
      const there = await TestBrowser.signedIn(open, account.id);
      const answer = await there.call('PUT', PATH, { webhookUrl: 'http://localhost:4000/hooks/in' });
      expect(answer.json()).toEqual({ webhookUrl: 'http://localhost:4000/hooks/in', receiving: true });
    } finally {
      await open.close();
    }
  });

  it('requires a session and our own page', async () => {
    expect((await new TestBrowser(server).get(PATH)).statusCode).toBe(401);
    const answer = await browser.call('PUT', PATH, { webhookUrl: HOOK }, { origin: 'https://evil.example' });
    expect(answer.statusCode).toBe(403);
    expect((await browser.get(PATH)).json()).toEqual(off);
  });

  it('records changes in the audit log, without secrets in the URL', async () => {
    await set(HOOK);
    const [entry] = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 1 });
    expect(entry).toMatchObject({ action: 'webhook.changed', details: { host: 'example.com' } });
    expect(JSON.stringify(entry)).not.toContain('secret');
  });
});
