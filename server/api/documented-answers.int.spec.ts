import type { InjectOptions } from 'fastify';
import { BlockedAddresses } from '#core/accounts/blocked-addresses.js';
import { eventually } from '#core/testing/eventually.js';
import { sentOtp } from '#core/testing/sent-otp.js';
import { startTcpProxy, type TcpProxy } from '#core/testing/tcp-proxy.js';
import { countDay, createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { DocumentedAnswers } from '../testing/documented-answers.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const STOPPED = '+14155552699';

/** A valid request for every operation. */
const requests: Readonly<Record<string, (apikey: string) => InjectOptions>> = {
  sendSms: (apikey) => posted('/api/sendsms', { to: TO, message: 'Hello', apikey }),
  sendOtp: (apikey) => posted('/api/sendotp', { to: TO, apikey }),
  resendOtp: (apikey) => posted('/api/resendotp', { otp_id: 'OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', apikey }),
  otpGuard: (apikey) => reading('/api/otp/guard', apikey),
  findOtp: (apikey) => reading('/api/otps/OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', apikey),
  verifyOtp: (apikey) => posted('/api/verifyotp', { otp: '042117', to: TO, apikey }),
  listMessages: (apikey) => reading('/api/messages', apikey),
  findMessage: (apikey) => reading('/api/messages/SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', apikey),
  balance: (apikey) => reading('/api/balance', apikey),
};
const operations = Object.entries(requests);
const posting = ['sendSms', 'sendOtp', 'resendOtp', 'verifyOtp'] as const;
const sending = ['sendSms', 'sendOtp'] as const;

function posted(url: string, payload: object, headers: Record<string, string> = {}): InjectOptions {
  return { method: 'POST', url, headers, payload };
}

function reading(url: string, apikey: string): InjectOptions {
  return { method: 'GET', url, headers: { authorization: `Bearer ${apikey}` } };
}

describe('the OpenAPI document and the answers of the server', () => {
  const answers = new DocumentedAnswers();
  let bed: TestBed;
  let proxy: TcpProxy;
  let server: TestServer;
  let strict: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    const url = new URL(bed.database.url);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${proxy.port}`;
    server = await createTestServer(
      bed.config({
        DATABASE_URL: url.href,
        RATE_LIMIT_KEY_PER_SECOND: '100000',
        RATE_LIMIT_ADDRESS_PER_SECOND: '0',
        FREE_CREDITS_OWN_NUMBER: 'true',
      }),
    );
    strict = await createTestServer(bed.config({ RATE_LIMIT_KEY_PER_SECOND: '1' }));
    await bed.database.sql(`INSERT INTO opt_outs (recipient, sender) VALUES ($1, '+15005550006')`, [STOPPED]);
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    await bed.database.sql('DELETE FROM otp_sends');
  });

  afterAll(async () => {
    proxy?.set('through');
    await Promise.all([server?.close(), strict?.close()]);
    await proxy?.close();
    await bed?.remove();
  });

  const ask = (request: InjectOptions, from = server) => answers.ask(from, request);
  const requestOf = (name: string, apikey = account.apiKey): InjectOptions => {
    const request = requests[name];
    if (!request) throw new Error(`There is no request for ${name}`);
    return request(apikey);
  };
  /** The request with other fields in its body. */
  const withBody = (name: string, change: object, headers: Record<string, string> = {}): InjectOptions => {
    const request = requestOf(name);
    return { ...request, headers, payload: { ...(request.payload as object), ...change } };
  };
  const statusAndCode = (answer: { statusCode: number; body: string }) => [
    answer.statusCode,
    (JSON.parse(answer.body) as { code: string }).code,
  ];
  const expectNo = async (request: InjectOptions, status: number, code: string, from = server) =>
    expect(statusAndCode(await ask(request, from))).toEqual([status, code]);

  it('agree on accepted messages, as JSON, as a form and repeated', async () => {
    for (const name of sending) {
      const headers = { 'idempotency-key': name };
      expect((await ask(withBody(name, { reference: 'r' }, headers))).statusCode).toBe(200);
      const again = await ask(withBody(name, { reference: 'r' }, headers));
      expect(again.headers['idempotent-replayed']).toBe('true');
      await expectNo(withBody(name, { reference: 'other' }, headers), 422, 'idempotency_conflict');
      const form = new URLSearchParams(requestOf(name).payload as Record<string, string>).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await ask({ ...requestOf(name), headers: type, payload: form })).statusCode).toBe(200);
      expect((await ask(requestOf(name, `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    }
  });

  it('agree on message records and the balance', async () => {
    const { message_id } = (await ask(requestOf('sendSms'))).json<{ message_id: string }>();
    expect((await ask(reading(`/api/messages/${message_id}`, account.apiKey))).json()).toMatchObject({ message_id });
    expect((await ask(reading('/api/messages', account.apiKey))).statusCode).toBe(200);
    expect((await ask({ method: 'GET', url: `/api/balance?apikey=${account.apiKey}` })).statusCode).toBe(200);
    await expectNo(requestOf('findMessage'), 404, 'message_not_found');
    await expectNo(reading('/api/messages?cursor=x', account.apiKey), 400, 'invalid_request');
    await expectNo({ method: 'GET', url: `/api/messages/SM1?apikey=a&apikey=b` }, 400, 'invalid_request');
    await expectNo({ method: 'GET', url: `/api/balance?apikey=a&apikey=b` }, 400, 'invalid_request');
  });

  it('agree on codes, as text and as JSON', async () => {
    const sent = await ask(requestOf('sendOtp'));
    const otp = await sentOtp(server, sent.json<{ message_id: string }>().message_id);
    const json = { accept: 'application/json' };
    expect((await ask(withBody('verifyOtp', { otp: '0' }, json))).json()).toMatchObject({ status: 'not_found' });
    expect((await ask(withBody('verifyOtp', { otp }))).body).toBe('OTP verified');
    expect((await ask(withBody('verifyOtp', { otp }, json))).json()).toMatchObject({ status: 'already_used' });
    expect((await ask(withBody('verifyOtp', { otp: '000002', apikey: `${account.apiKey}_test` }))).body).toBe(
      'OTP expired',
    );
  });

  it('agree on resends and on codes as records', async () => {
    const { otp_id: id } = (await ask(requestOf('sendOtp'))).json<{ otp_id: string }>();
    const resend = (headers = {}) => withBody('resendOtp', { otp_id: id }, headers);
    await expectNo(resend(), 429, 'otp_resend_too_early');
    await bed.database.sql(`UPDATE otp_codes SET created_at = created_at - interval '31 seconds'`);
    expect((await ask(reading(`/api/otps/${id}`, account.apiKey))).json()).toMatchObject({ status: 'pending' });
    expect((await ask(resend({ 'idempotency-key': 'again' }))).json()).toMatchObject({ otp_id: id });
    expect((await ask(resend({ 'idempotency-key': 'again' }))).headers['idempotent-replayed']).toBe('true');
    await expectNo(
      withBody('resendOtp', { otp_id: 'OT1' }, { 'idempotency-key': 'again' }),
      422,
      'idempotency_conflict',
    );
    await bed.database.sql(`UPDATE otp_codes SET expires_at = now()`);
    await expectNo(resend(), 409, 'otp_not_resendable');
    await expectNo(requestOf('resendOtp'), 404, 'otp_not_found');
    await expectNo(requestOf('findOtp'), 404, 'otp_not_found');
    await expectNo({ method: 'GET', url: '/api/otps/OT1?apikey=a&apikey=b' }, 400, 'invalid_request');
  });

  /** A code that can be sent again. */
  const resendable = async () => {
    const { otp_id } = (await ask(requestOf('sendOtp'))).json<{ otp_id: string }>();
    await bed.database.sql(`UPDATE otp_codes SET created_at = created_at - interval '31 seconds'`);
    return withBody('resendOtp', { otp_id });
  };

  it('agree on what the fraud guard refuses', async () => {
    const resend = await resendable();
    await bed.database.sql(`UPDATE otp_rules SET sends_max = 1 WHERE rule = 'conversion_hour'`);
    try {
      await expectNo(requestOf('sendOtp'), 429, 'otp_suspicious');
      await expectNo(resend, 429, 'otp_suspicious');
      expect((await ask(requestOf('otpGuard'))).json()).toMatchObject({ suspicious: true });
      expect((await ask(requestOf('otpGuard', `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    } finally {
      await bed.database.sql(`UPDATE otp_rules SET sends_max = 30 WHERE rule = 'conversion_hour'`);
    }
    await expectNo({ method: 'GET', url: '/api/otp/guard?apikey=a&apikey=b' }, 400, 'invalid_request');
  });

  it('agree on a resend that the account may not send', async () => {
    const resend = await resendable();
    await bed.database.sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', [account.id]);
    await expectNo(resend, 403, 'delivery_suspended');
    await bed.database.sql('UPDATE accounts SET delivery_suspended_at = NULL WHERE id = $1', [account.id]);
    await bed.database.sql(`UPDATE accounts SET daily_limit = 1 WHERE id = $1`, [account.id]);
    await countDay(bed.database, account.id, 1);
    await expectNo(resend, 429, 'daily_limit');
    await bed.database.sql(
      `INSERT INTO opt_outs (recipient, sender) SELECT recipient, sender FROM messages WHERE account_id = $1`,
      [account.id],
    );
    await expectNo(resend, 403, 'recipient_opted_out');
    await bed.database.sql(`DELETE FROM opt_outs WHERE recipient = $1`, [TO]);
    account = await createTestAccount(server, { credits: 1 });
    await expectNo(await resendable(), 402, 'no_credits');
    account = await createTestAccount(server, { urlsActivated: true });
    const { otp_id } = (await ask(withBody('sendOtp', { org: 'example.com' }))).json<{ otp_id: string }>();
    await bed.database.sql(`UPDATE otp_codes SET created_at = created_at - interval '31 seconds'`);
    await bed.database.sql(`UPDATE accounts SET urls_activated = false WHERE id = $1`, [account.id]);
    await expectNo(withBody('resendOtp', { otp_id }), 403, 'url_not_activated');
  });

  it.each(posting)('agree on invalid and missing fields of %s', async (name) => {
    await expectNo(
      { ...requestOf(name), payload: '{', headers: { 'content-type': 'application/json' } },
      400,
      'invalid_request',
    );
    await expectNo(
      { ...requestOf(name), payload: 'x', headers: { 'content-type': 'text/plain' } },
      400,
      'invalid_request',
    );
    await expectNo(withBody(name, { apikey: 1 }), 400, 'invalid_request');
    await expectNo(withBody(name, { apikey: '' }), 400, 'missing_fields');
    await expectNo(withBody(name, { other: 'x'.repeat(70_000) }), 413, 'invalid_request');
    if (name !== 'resendOtp') await expectNo(withBody(name, { to: '+1' }), 400, 'invalid_number');
  });

  it.each([
    ['sendSms', { to: '+19005550100' }, 400, 'number_type_unsupported'],
    ['sendSms', { to: '+254712123456' }, 400, 'region_unsupported'],
    ['sendSms', { to: '+33612345678' }, 400, 'region_inactive'],
    ['sendSms', { message: 'x'.repeat(1_531) }, 400, 'message_too_long'],
    ['sendSms', { message: 'see bit.ly/x' }, 403, 'url_shortener'],
    ['sendSms', { message: 'see example.com' }, 403, 'url_not_activated'],
    ['sendSms', { to: STOPPED }, 403, 'recipient_opted_out'],
    ['sendOtp', { to: '+18005550100' }, 400, 'number_type_unsupported'],
    ['sendOtp', { to: '+447400123456' }, 400, 'region_unsupported'],
    ['sendOtp', { limit: 11 }, 400, 'invalid_limit'],
    ['sendOtp', { org: '中'.repeat(40) }, 400, 'message_too_long'],
    ['sendOtp', { org: 'bit.ly/x' }, 403, 'url_shortener'],
    ['sendOtp', { org: 'example.com' }, 403, 'url_not_activated'],
    ['sendOtp', { to: STOPPED }, 403, 'recipient_opted_out'],
  ])('agree that %s with %j is %s %s', async (name, change, status, code) => {
    await expectNo(withBody(name, change), status, code);
  });

  it('agree on a number that an account with free credits has not verified', async () => {
    await bed.database.sql('UPDATE accounts SET own_numbers_only = true WHERE id = $1', [account.id]);
    await expectNo(requestOf('sendSms'), 403, 'number_not_verified');
  });

  it.each(sending)('agree on %s from a suspended account', async (name) => {
    await bed.database.sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', [account.id]);
    await expectNo(requestOf(name), 403, 'delivery_suspended');
  });

  it.each(sending)('agree on %s without credits and over the daily limit', async (name) => {
    account = await createTestAccount(server, { credits: 0 });
    await expectNo(requestOf(name), 402, 'no_credits');
    account = await createTestAccount(server, { credits: 1 });
    if (name === 'sendSms') await expectNo(withBody(name, { to: '+447400123456' }), 402, 'insufficient_credits');
    account = await createTestAccount(server, { dailyLimit: 1 });
    await countDay(bed.database, account.id, 1);
    await expectNo(requestOf(name), 429, 'daily_limit');
  });

  it('agree on resendOtp while the first with its Idempotency-Key runs', async () => {
    const resend = { ...(await resendable()), headers: { 'idempotency-key': 'once' } };
    const lock = await bed.database.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM otp_guards WHERE account_id = $1 FOR UPDATE', [account.id]);
      const first = ask(resend);
      await eventually('the first waits', async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await bed.database.sql(waiting)).length > 0;
      });
      await expectNo(resend, 409, 'idempotency_in_progress');
      await lock.query('COMMIT');
      expect((await first).statusCode).toBe(200);
    } finally {
      await lock.end();
    }
  });

  it.each(sending)('agree on %s while the first with its Idempotency-Key runs', async (name) => {
    const lock = await bed.database.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM credit_accounts WHERE account_id = $1 FOR UPDATE', [account.id]);
      const first = ask(withBody(name, {}, { 'idempotency-key': 'once' }));
      await new Promise(setImmediate);
      await expectNo(withBody(name, {}, { 'idempotency-key': 'once' }), 409, 'idempotency_in_progress');
      await lock.query('COMMIT');
      expect((await first).statusCode).toBe(200);
    } finally {
      await lock.end();
    }
  });

  it.each(operations)('agree on callers that may not call %s', async (_name, request) => {
    await expectNo(request(NOBODY), 401, 'unknown_api_key');
    const blocked = await createTestAccount(server, { blockedAt: new Date() });
    await expectNo(request(blocked.apiKey), 403, 'account_blocked');
    await server.get(BlockedAddresses).block('127.0.0.1');
    try {
      await expectNo(request(account.apiKey), 403, 'address_blocked');
    } finally {
      await server.get(BlockedAddresses).unblock('127.0.0.1');
    }
  });

  it.each(operations)('agree on the rate limit of %s', async (_name, request) => {
    await eventually('a call too many', async () => {
      const [one, two] = await Promise.all([0, 1].map(() => ask(request(account.apiKey), strict)));
      return [one, two].some((answer) => answer?.statusCode === 429);
    });
  });

  it.each(operations)('agree on %s while Postgres is unavailable', async (_name, request) => {
    proxy.set('gone');
    try {
      await expectNo(request(account.apiKey), 503, 'unavailable');
    } finally {
      proxy.set('through');
      await eventually('the server is ready', async () => (await server.inject({ url: '/readyz' })).statusCode === 200);
    }
  });

  it.each([
    ['sendSms', 'messages'],
    ['sendOtp', 'otp_guards'],
    ['resendOtp', 'otp_codes'],
    ['verifyOtp', 'otp_guards'],
    ['findOtp', 'otp_codes'],
    ['otpGuard', 'otp_rules'],
    ['listMessages', 'messages'],
    ['findMessage', 'messages'],
    ['balance', 'credit_accounts'],
  ])('agree on %s after an internal error', async (name, table) => {
    await bed.database.sql(`ALTER TABLE ${table} RENAME TO hidden`);
    try {
      await expectNo(requestOf(name), 500, 'internal');
    } finally {
      await bed.database.sql(`ALTER TABLE hidden RENAME TO ${table}`);
    }
  });

  it('cover every documented answer', () => {
    expect(answers.unseen).toEqual([]);
  });
});
