import { randomUUID } from 'node:crypto';
import { AuditLog } from '#core/audit/audit-log.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { signIn } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const ADDRESS = '2001:db8:1:2::7';

describe('the audit log', () => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true' }));
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const entriesOf = async (accountId: string) =>
    server.get(AuditLog).list({ accountId, beforeId: undefined, entriesMax: 50 });

  it('keeps the network address of what an account does', async () => {
    const account = await createTestAccount(server);
    const headers = { ...(await signIn(server, account)), 'content-type': 'application/json' };
    const { id: known } = (await entriesOf(account.id))[0] ?? { id: 0 };
    const calls = [
      ['PUT', '/api/dashboard/webhook-url', { webhookUrl: 'https://example.com/hook' }],
      ['PUT', '/api/dashboard/webhook/events', { events: ['message.sent'] }],
      ['POST', '/api/dashboard/webhook/secret/rotate', {}],
      ['POST', '/api/dashboard/webhook/test', { type: 'message.received' }],
      ['POST', '/api/dashboard/key/rotate', { keepOldForHours: 1 }],
      ['POST', '/api/dashboard/account/delete', { email: account.email }],
      ['POST', '/api/dashboard/account/keep', {}],
      ['PUT', '/api/dashboard/otp', { recipientRequired: true }],
      ['POST', '/auth/logout', {}],
    ] as const;
    for (const [method, url, body] of calls) {
      const answer = await server.inject({
        method,
        url,
        headers,
        // The address as a dual-stack socket names it, not in canonical form.
        remoteAddress: '2001:DB8:1:2:0:0:0:7',
        payload: JSON.stringify(body),
      });
      expect([url, answer.statusCode]).toEqual([url, expect.any(Number)]);
      expect(answer.statusCode).toBeLessThan(300);
    }
    const entries = (await entriesOf(account.id)).filter(({ id }) => id > known);
    expect(entries.map(({ action, address }) => [action, address])).toEqual([
      ['session.ended', ADDRESS],
      ['otp.settings_changed', ADDRESS],
      ['account.deletion_canceled', ADDRESS],
      ['account.deletion_requested', ADDRESS],
      ['key.rotated', ADDRESS],
      ['webhook.tested', ADDRESS],
      ['webhook.secret_rotated', ADDRESS],
      ['webhook.events_changed', ADDRESS],
      ['webhook.changed', ADDRESS],
    ]);
  });

  it('keeps the network address of a sign-up and a sign-in', async () => {
    const fields = { username: 'Ada', email: `${randomUUID()}@example.com`, password: 'Longenough!1' };
    const post = (url: string, payload: object) =>
      server.inject({
        method: 'POST',
        url,
        remoteAddress: '198.51.100.7',
        headers: { 'sec-fetch-site': 'same-origin' },
        payload,
      });
    const created = await post('/auth/signup', fields);
    expect(created.statusCode).toBe(201);
    const entries = await entriesOf(created.json<{ id: string }>().id);
    expect(entries.map(({ action, address }) => [action, address])).toEqual([
      ['session.started', '198.51.100.7'],
      ['account.created', '198.51.100.7'],
    ]);
  });
});
