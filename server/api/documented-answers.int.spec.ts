import { Readable } from 'node:stream';
import type { InjectOptions } from 'fastify';
import type { CreateKeyBody } from '#contract/account.js';
import { Accounts } from '#core/accounts/accounts.js';
import { limits } from '#contract/limits.js';
import { BlockedAddresses } from '#core/accounts/blocked-addresses.js';
import { MediaStore } from '#core/media/media-store.js';
import { inPieces, photoWithPlace } from '#core/media/testing/pictures.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { ReceivingPlaces } from '#core/messages/files/receiving-places.js';
import { mediaIdFromPublic, publicMediaId } from '#core/rules/ids.js';
import { eventually } from '#core/testing/eventually.js';
import { sentOtp } from '#core/testing/sent-otp.js';
import type { TcpProxy } from '#core/testing/tcp-proxy.js';
import { type FakeNumberCarrier, useFakeNumbers } from '#core/testing/fake-number-carrier.js';
import { hasPaid } from '#core/testing/paid.js';
import { countDay, createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { DocumentedAnswers, startDocumented } from '../testing/documented-answers.js';
import {
  accepting,
  changed,
  UNKNOWN_KEY,
  NO_FILE,
  operations,
  posted,
  posting,
  reading,
  refusedBodies,
  requests,
  sending,
  STOPPED,
  tables,
  TO,
  uploading,
} from '../testing/documented-requests.js';
import type { TestServer } from '../testing/test-server.js';
import { PricePromises } from '#core/messages/send/price-promises.js';

const capabilities = { sms: true, mms: true };

describe('the OpenAPI document and the answers of the server', () => {
  const answers = new DocumentedAnswers();
  let bed: TestBed;
  let proxy: TcpProxy;
  let server: TestServer;
  let strict: TestServer;
  let account: TestAccount;
  let numbers: FakeNumberCarrier;

  beforeAll(async () => {
    bed = await createTestBed();
    ({ proxy, server, strict } = await startDocumented(bed));
    numbers = useFakeNumbers(server);
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
  const requestOf = (name: keyof typeof requests, apikey = account.apiKey): InjectOptions =>
    requests[name]?.(apikey) ?? { url: `there is no request for ${name}` };
  const withBody = (name: string, change: object, headers = {}) => changed(requestOf(name), change, headers);
  const expectNo = async (request: InjectOptions, status: number, code: string, from = server) => {
    const { statusCode, body } = await ask(request, from);
    expect([statusCode, (JSON.parse(body) as { code: string }).code]).toEqual([status, code]);
  };

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

  it('agree on the options of sendSms', async () => {
    const smart = await ask(withBody('sendSms', { message: '“Hi”', encoding: 'smart' }));
    expect(smart.json()).toMatchObject({ message: '"Hi"', encoding: 'GSM-7' });
    await ask(withBody('sendSms', { dedupe: 1 }));
    expect((await ask(withBody('sendSms', { dedupe: '86400' }))).json()).toMatchObject({ deduplicated: true });
    const { quote } = (await ask(requestOf('quote'))).json<{ quote: string }>();
    expect((await ask(withBody('sendSms', { quote, max_credits: 1 }))).json()).toMatchObject({ credits: 1 });
    await expectNo(withBody('sendSms', { quote, message: 'Other' }), 400, 'quote_invalid');
    await expectNo(withBody('sendSms', { message: 'x'.repeat(200), max_credits: 1 }), 409, 'price_above_max');
    const { id: accountId } = account;
    const old = { accountId, content: ['sms', TO, 'Hello'] };
    const expired = server.get(PricePromises).issue(old, 1, new Date(Date.now() - 600_000));
    await expectNo(withBody('sendSms', { quote: expired.quote }), 409, 'quote_expired');
    const oldBulk = { accountId, content: ['bulk', [TO, 'Hello']] };
    const expiredBulk = server.get(PricePromises).issue(oldBulk, 1, new Date(Date.now() - 600_000));
    await expectNo(withBody('sendBulk', { quote: expiredBulk.quote }), 409, 'quote_expired');
  });

  it('agree on files of messages', async () => {
    const photo = await photoWithPlace();
    const uploaded = await ask(uploading(photo, account.apiKey));
    const { media_id } = uploaded.json<{ media_id: string }>();
    expect((await ask(uploading(photo, `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    const keyed = (key: string, bytes: Buffer): InjectOptions => {
      const request = uploading(bytes, account.apiKey);
      return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
    };
    expect((await ask(keyed('upload', photo))).statusCode).toBe(200);
    expect((await ask(keyed('upload', photo))).headers['idempotent-replayed']).toBe('true');
    await expectNo(keyed('upload', Buffer.from('other')), 422, 'idempotency_conflict');
    const files = server.get(MediaStore);
    const storeReceived = files.storeReceived.bind(files);
    jest.spyOn(files, 'storeReceived').mockImplementationOnce(async (...given) => {
      await ask(keyed('upload at once', photo));
      return storeReceived(...given);
    });
    await expectNo(keyed('upload at once', photo), 409, 'idempotency_in_progress');
    await expectNo(uploading(Buffer.from('text'), account.apiKey), 400, 'media_type');
    await expectNo(uploading(Buffer.alloc(5_000_001), account.apiKey), 413, 'media_too_large');
    const trickling = new Readable({ read: () => undefined });
    await expectNo({ ...uploading(photo, account.apiKey), payload: trickling }, 408, 'invalid_request');
    await bed.database.sql('ALTER TABLE media RENAME TO hidden');
    await expectNo(uploading(photo, account.apiKey), 500, 'internal');
    await bed.database.sql('ALTER TABLE hidden RENAME TO media');

    const accepted = await ask(withBody('sendSms', { media: [{ media_id }] }));
    expect(accepted.json()).toMatchObject({ kind: 'mms', media: [{ media_id }] });
    const { message_id } = accepted.json<{ message_id: string }>();
    for (const path of [message_id, `${message_id}/record`])
      expect((await ask(reading(`/api/messages/${path}`, account.apiKey))).json()).toMatchObject({ kind: 'mms' });
    expect((await ask(withBody('quote', { media: [{ media_id }] }))).json()).toMatchObject({ kind: 'mms' });
    expect((await ask(withBody('sendBulk', { media: [{ media_id }] }))).json()).toMatchObject({ credits: 3 });

    const store = async (bytes: Buffer) => {
      const target = { direction: 'outbound', accountId: account.id } as const;
      const outcome = await server.get(MediaStore).store(target, inPieces(bytes), bytes.length);
      if (outcome.kind !== 'stored') throw new Error(outcome.kind);
      return { media_id: publicMediaId(outcome.media.id) };
    };
    const text = await store(Buffer.from('text'));
    const large = await store(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_600_000)]));
    const gone = await store(Buffer.from('gone'));
    await bed.database.sql(`UPDATE media SET state = 'expired', sha256 = NULL WHERE id = $1`, [
      mediaIdFromPublic(gone.media_id),
    ]);
    for (const name of ['sendSms', 'quote', 'sendBulk']) {
      await expectNo(withBody(name, { media: [NO_FILE] }), 404, 'media_unknown');
      await expectNo(withBody(name, { media: [gone] }), 410, 'media_expired');
      await expectNo(withBody(name, { media: [text] }), 400, 'media_type');
      await expectNo(withBody(name, { media: [large, large] }), 413, 'media_too_large');
      const elsewhere = { media: [{ url: 'http://127.0.0.1/a.png' }] };
      if (name !== 'quote') await expectNo(withBody(name, elsewhere), 400, 'media_unreachable');
    }
    const places = server.get(ReceivingPlaces);
    const waiting = Array.from({ length: 41 }, () => places.enter(account.id));
    for (const name of ['sendSms', 'sendBulk', 'uploadMedia'])
      await expectNo(withBody(name, { media: [{ url: 'https://example.com/a.png' }] }), 429, 'media_limit');
    for (const place of waiting) (await place)();
  });

  it('agree on what is not quoted', async () => {
    await expectNo(requestOf('quote', await named({ countries: ['GB'] })), 403, 'key_country');
    await bed.database.sql('UPDATE accounts SET own_numbers_only = true WHERE id = $1', [account.id]);
    await expectNo(requestOf('quote'), 403, 'number_not_verified');
  });

  it('agree on message records, opt-outs, the deliverability and the balance', async () => {
    const { message_id } = (await ask(requestOf('sendSms'))).json<{ message_id: string }>();
    for (const path of [message_id, `${message_id}/record`])
      expect((await ask(reading(`/api/messages/${path}`, account.apiKey))).json()).toMatchObject({ message_id });
    expect((await ask(reading('/api/messages', account.apiKey))).statusCode).toBe(200);
    expect((await ask({ method: 'GET', url: `/api/balance?apikey=${account.apiKey}` })).statusCode).toBe(200);
    expect((await ask(requestOf('notifications'))).json()).toEqual({ success: 'true', notifications: [] });
    expect((await ask(requestOf('notifications', `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    expect((await ask(requestOf('deliverability'))).json()).toMatchObject({ messages: 0 });
    expect((await ask(requestOf('deliverability', `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    expect((await ask(requestOf('listOptOuts'))).json()).toMatchObject({ optouts: [], next_cursor: null });
    expect((await ask(requestOf('listOptOuts', `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    expect((await ask(requestOf('spend'))).json()).toMatchObject({ spent: 1 });
    expect((await ask(requestOf('exposure'))).json()).toMatchObject({ within_hours: 24 });
    for (const name of ['spend', 'exposure'])
      expect((await ask(requestOf(name, `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    await expectNo(reading('/api/messages?batch_id=BA1', account.apiKey), 404, 'batch_not_found');
    for (const name of ['findMessage', 'messageRecord']) await expectNo(requestOf(name), 404, 'message_not_found');
    await expectNo(requestOf('cancelMessage'), 404, 'message_not_found');
    const cancel = (payload: object) => ask(posted(`/api/messages/${message_id}/cancel`, payload));
    expect((await cancel({ apikey: account.apiKey })).json()).toMatchObject({ message_id, status: 'canceled' });
    const later = { send_at: new Date(Date.now() + 60_000).toISOString() };
    const scheduled = (await ask(withBody('sendSms', later))).json<{ message_id: string; status: string }>();
    expect(scheduled.status).toBe('scheduled');
    await bed.database.sql(`UPDATE messages SET status = 'sending' WHERE status = 'scheduled'`);
    const late = posted(`/api/messages/${scheduled.message_id}/cancel`, { apikey: account.apiKey });
    await expectNo(late, 409, 'not_cancelable');
    await expectNo(reading('/api/messages?cursor=x', account.apiKey), 400, 'invalid_request');
    const lists = ['/api/optouts', '/api/notifications'];
    const figures = ['/api/deliverability', '/api/spend', '/api/exposure', '/api/balance'];
    for (const url of ['/api/messages/SM1', '/api/messages/SM1/record', ...lists, ...figures])
      await expectNo({ url: `${url}?apikey=a&apikey=b` }, 400, 'invalid_request');
  });

  it('agree on files', async () => {
    const example = await ask(requestOf('findMedia', `${account.apiKey}_test`));
    expect([example.statusCode, example.headers['content-type']]).toEqual([200, 'image/png']);
    const bytes = Buffer.from('of a type that is not known');
    const stored = await server
      .get(MediaStore)
      .store({ direction: 'outbound', accountId: account.id }, inPieces(bytes), bytes.length);
    if (stored.kind !== 'stored') throw new Error(stored.kind);
    const request = reading(`/api/media/${publicMediaId(stored.media.id)}`, account.apiKey);
    const answer = await ask(request);
    expect([answer.statusCode, answer.headers['content-type'], answer.rawPayload.equals(bytes)]).toEqual([
      200,
      'application/octet-stream',
      true,
    ]);
    await expectNo(requestOf('findMedia'), 404, 'media_not_found');
    for (const [change, status, code] of [
      [`state = 'pending'`, 409, 'media_pending'],
      [`state = 'failed', reason = 'too_large', sha256 = NULL`, 410, 'media_failed'],
      [`state = 'expired', reason = NULL`, 410, 'media_expired'],
    ] as const) {
      await bed.database.sql(`UPDATE media SET ${change} WHERE account_id = $1`, [account.id]);
      await expectNo(request, status, code);
    }
    await expectNo({ url: '/api/media/ME1?apikey=a&apikey=b' }, 400, 'invalid_request');
  });

  it('agree on bulks and batches', async () => {
    const headers = { 'idempotency-key': 'bulk' };
    const { batch_id: id } = (await ask(withBody('sendBulk', {}, headers))).json<{ batch_id: string }>();
    expect((await ask(withBody('sendBulk', {}, headers))).headers['idempotent-replayed']).toBe('true');
    await expectNo(withBody('sendBulk', { partial: true }, headers), 422, 'idempotency_conflict');
    expect((await ask(requestOf('sendBulk', `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    const { messages } = requestOf('sendBulk').payload as { messages: object[] };
    const { quote } = (await ask(withBody('quote', { messages, message: undefined }))).json<{ quote: string }>();
    expect((await ask(withBody('sendBulk', { quote }))).statusCode).toBe(200);
    for (const url of ['/api/batches', `/api/batches/${id}`, `/api/batches/${id}/messages`]) {
      expect((await ask(reading(url, account.apiKey))).statusCode).toBe(200);
      await expectNo({ url: `${url}?apikey=a&apikey=b` }, 400, 'invalid_request');
    }
    for (const url of ['/api/batches', `/api/batches/${id}/messages`])
      await expectNo(reading(`${url}?cursor=x`, account.apiKey), 400, 'invalid_request');
    const cancel = posted(`/api/batches/${id}/cancel`, { apikey: account.apiKey });
    expect((await ask(cancel)).json()).toMatchObject({ canceled: 1 });
    await bed.database.sql(`UPDATE messages SET status = 'sending' WHERE status IN ('queued', 'canceled')`);
    await expectNo(cancel, 409, 'not_cancelable');
    for (const name of ['findBatch', 'cancelBatch', 'listBatchMessages'])
      await expectNo(requestOf(name), 404, 'batch_not_found');
  });

  it('agree on numbers and pools', async () => {
    account = await createTestAccount(server, { credits: 1_000 });
    await hasPaid(bed.database, account.id);
    const { apiKey } = account;
    const call = (method: 'GET' | 'DELETE', url: string) => ({ ...reading(url, apiKey), method });
    const next = () => `+1212234${1_000 + (made += 1)}`;
    let made = 0;
    const buy = (body: object = {}, headers = {}) => withBody('buyNumber', { number: next(), ...body }, headers);
    numbers.available = [{ number: next(), country: 'US', locality: 'New York, NY', capabilities }];
    expect((await ask(requestOf('availableNumbers'))).json()).toMatchObject({ numbers: [{ credits_per_month: 50 }] });
    await expectNo(reading('/api/numbers/available?country=GB', apiKey), 400, 'number_unsupported');
    const key = { 'idempotency-key': 'number' };
    const once = buy({}, key);
    const bought = (await ask(once)).json<{ number_id: string; number: string }>();
    expect((await ask(once)).headers['idempotent-replayed']).toBe('true');
    await expectNo(changed(once, { label: 'x' }, key), 422, 'idempotency_conflict');
    await expectNo(withBody('buyNumber', { number: bought.number }), 409, 'number_taken');
    numbers.faults = ['lost'];
    numbers.isDown = true;
    const open = buy({}, { 'idempotency-key': 'open' });
    expect((await ask(open)).statusCode).toBe(202);
    await expectNo(open, 409, 'idempotency_in_progress');
    const [reserved] = await bed.database.sql<{ id: string }>(`SELECT id FROM numbers WHERE status = 'reserving'`);
    const reservedUrl = `/api/numbers/num_${reserved?.id.replaceAll('-', '')}`;
    await expectNo(
      { ...posted(reservedUrl, { apikey: apiKey, label: 'x' }), method: 'PATCH' },
      409,
      'number_not_changeable',
    );
    await expectNo(call('DELETE', reservedUrl), 409, 'number_not_changeable');
    numbers.isDown = false;
    const url = `/api/numbers/${bought.number_id}`;
    for (const path of [url, '/api/numbers', '/api/numbers?status=released'])
      expect((await ask(call('GET', path))).statusCode).toBe(200);
    const patched = await ask({ ...posted(url, { apikey: apiKey, auto_renew: false }), method: 'PATCH' });
    expect(patched.json()).toMatchObject({ auto_renew: false });
    const pool = await ask(withBody('putPool', { numbers: [bought.number] }));
    expect(pool.statusCode).toBe(201);
    const empty = (await ask(withBody('putPool', { name: 'Empty', default: false }))).json<{ pool_id: string }>();
    for (const name of ['sendSms', 'sendOtp', 'sendBulk', 'quote'])
      await expectNo(withBody(name, { from: empty.pool_id }), 409, 'from_inactive');
    const poolUrl = `/api/pools/${pool.json<{ pool_id: string }>().pool_id}`;
    for (const path of [poolUrl, '/api/pools']) expect((await ask(call('GET', path))).statusCode).toBe(200);
    expect((await ask(call('DELETE', poolUrl))).json()).toMatchObject({ deleted: true });
    for (let n = 1; n < limits.poolsMax; n += 1) await ask(withBody('putPool', { name: `Pool ${n}` }));
    await expectNo(withBody('putPool', { name: 'One more' }), 409, 'pool_limit');
    await bed.database.sql('UPDATE payments SET credits_disputed = 1, credits_frozen = 1 WHERE account_id = $1', [
      account.id,
    ]);
    await expectNo(call('DELETE', url), 409, 'number_release_blocked');
    await bed.database.sql('UPDATE payments SET credits_frozen = 0 WHERE account_id = $1', [account.id]);
    expect((await ask(call('DELETE', url))).json()).toMatchObject({ status: 'releasing' });
    for (const name of ['findNumber', 'releaseNumber']) await expectNo(requestOf(name), 404, 'number_not_found');
    for (const name of ['findPool', 'deletePool']) await expectNo(requestOf(name), 404, 'pool_not_found');
    for (const path of [
      '/api/numbers',
      '/api/numbers/available',
      '/api/numbers/num_1',
      '/api/pools',
      '/api/pools/pool_1',
    ])
      await expectNo({ url: `${path}?apikey=a&apikey=b` }, 400, 'invalid_request');
    for (const path of ['/api/numbers/num_1', '/api/pools/pool_1'])
      await expectNo({ method: 'DELETE', url: `${path}?apikey=a&apikey=b` }, 400, 'invalid_request');
  });

  it('agree on authenticators', async () => {
    const { apiKey } = account;
    const created = (await ask(requestOf('createTotp'))).json<{ totp_id: string; secret: string }>();
    const url = `/api/totp/${created.totp_id}`;
    const verify = (code: string) => ask(posted(`${url}/verify`, { code, apikey: apiKey }));
    const codes = (await ask(posted(`${url}/recovery-codes`, { apikey: apiKey }))).json<{ recovery_codes: string[] }>();
    const [code = ''] = codes.recovery_codes;
    expect((await verify(code)).json()).toMatchObject({ status: 'verified', method: 'recovery_code' });
    expect((await verify(code)).json()).toMatchObject({ status: 'used', recovery_codes_left: 9 });
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await verify('AAAAA-AAAAA')).json<{ status: string }>().status);
    expect(statuses).toEqual([...Array(10).fill('wrong'), 'locked']);
    for (const path of [url, '/api/totp']) expect((await ask(reading(path, apiKey))).statusCode).toBe(200);
    await bed.database.sql('UPDATE totp_counts SET totps = $2 WHERE account_id = $1', [account.id, limits.totpsMax]);
    await expectNo(requestOf('createTotp'), 409, 'totp_limit');
    expect((await ask({ ...reading(url, apiKey), method: 'DELETE' })).json()).toMatchObject({ deleted: true });
    for (const name of ['findTotp', 'deleteTotp']) await expectNo(requestOf(name), 404, 'totp_not_found');
    for (const path of ['/api/totp', url]) await expectNo({ url: `${path}?apikey=a&apikey=b` }, 400, 'invalid_request');
    await expectNo({ method: 'DELETE', url: `${url}?apikey=a&apikey=b` }, 400, 'invalid_request');
  });

  it('agree on limits of what buyNumber costs', async () => {
    await hasPaid(bed.database, account.id);
    const buy = (n: number, apikey?: string) =>
      changed(requestOf('buyNumber', apikey), { number: `+1303234${1_000 + n}` });
    const key = await named({ scopes: ['numbers'], creditsPerDay: 1 });
    await expectNo(buy(0, key), 429, 'key_budget');
    await ask(buy(1));
    await ask(buy(2));
    await expectNo(buy(3), 402, 'insufficient_credits');
    account = await createTestAccount(server, { credits: 1_000 });
    await hasPaid(bed.database, account.id);
    for (let n = 0; n < limits.numberPurchasesPerDayMax; n += 1) await ask(buy(10 + n));
    await expectNo(buy(20), 429, 'number_day_limit');
    await bed.database.sql('UPDATE accounts SET numbers_max = 1 WHERE id = $1', [account.id]);
    await expectNo(buy(21), 409, 'number_limit');
  });

  it('agree on streams of events and on test events', async () => {
    await expectNo(requestOf('triggerEvent'), 409, 'webhook_off');
    expect((await ask(requestOf('triggerEvent', `${account.apiKey}_test`))).json()).toMatchObject({ test: true });
    await expectNo(withBody('triggerEvent', { type: 'other' }), 400, 'invalid_request');
    await expectNo(withBody('triggerEvent', { other: 'x'.repeat(70_000) }), 413, 'invalid_request');
    const resumed = { authorization: `Bearer ${account.apiKey}`, 'last-event-id': 'x' };
    await expectNo({ ...requestOf('streamEvents'), headers: resumed }, 400, 'invalid_request');
    const streams = Array.from({ length: limits.eventStreamsPerAccountMax }, () => ask(requestOf('streamEvents')));
    await eventually('an account listens', async () => {
      const listening = 'SELECT 1 FROM event_listeners WHERE account_id = $1';
      return (await bed.database.sql(listening, [account.id])).length > 0;
    });
    await expectNo(requestOf('streamEvents'), 429, 'too_many_streams');
    expect((await ask(requestOf('triggerEvent'))).json()).toMatchObject({ success: 'true' });
    await eventually('too many test events', async () => (await ask(requestOf('triggerEvent'))).statusCode === 429);
    await bed.database.sql('UPDATE accounts SET blocked_at = now() WHERE id = $1', [account.id]);
    for (const { body } of await Promise.all(streams)) expect(body).toContain('event: closed');
  });

  it('agree on codes, as text and as JSON', async () => {
    const sent = await ask(requestOf('sendOtp'));
    const otp = await sentOtp(server, sent.json<{ message_id: string }>().message_id);
    const json = { accept: 'application/json' };
    expect((await ask(withBody('verifyOtp', { otp: '0' }, json))).json()).toMatchObject({ status: 'not_found' });
    expect((await ask(withBody('verifyOtp', { otp }))).body).toBe('OTP verified');
    expect((await ask(withBody('verifyOtp', { otp }, json))).json()).toMatchObject({ status: 'already_used' });
    const expired = withBody('verifyOtp', { otp: '000002', apikey: `${account.apiKey}_test` });
    expect((await ask(expired)).body).toBe('OTP expired');
  });

  it('agree on resends and on codes as records', async () => {
    const { otp_id: id } = (await ask(requestOf('sendOtp'))).json<{ otp_id: string }>();
    const resend = (headers = {}) => withBody('resendOtp', { otp_id: id }, headers);
    await expectNo(resend(), 429, 'otp_resend_too_early');
    await bed.database.sql(`UPDATE otp_codes SET created_at = created_at - interval '31 seconds'`);
    expect((await ask(reading(`/api/otps/${id}`, account.apiKey))).json()).toMatchObject({ status: 'pending' });
    expect((await ask(resend({ 'idempotency-key': 'again' }))).json()).toMatchObject({ otp_id: id });
    for (const key of [account.apiKey, `${account.apiKey}_test`]) {
      expect((await ask(requestOf('listOtps', key))).json()).toMatchObject({ next_cursor: null });
      expect((await ask(requestOf('otpConversion', key))).statusCode).toBe(200);
    }
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
    for (const url of ['/api/otp/guard', '/api/otps', '/api/otp/conversion'])
      await expectNo({ method: 'GET', url: `${url}?apikey=a&apikey=b` }, 400, 'invalid_request');
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
    for (const [type, payload] of Object.entries({ 'application/json': '{', 'text/plain': 'x' }))
      await expectNo({ ...requestOf(name), payload, headers: { 'content-type': type } }, 400, 'invalid_request');
    await expectNo(withBody(name, { apikey: 1 }), 400, 'invalid_request');
    await expectNo(withBody(name, { apikey: '' }), 400, 'missing_fields');
    await expectNo(withBody(name, { other: 'x'.repeat(70_000) }), 413, 'invalid_request');
    if (name !== 'resendOtp') await expectNo(withBody(name, { to: '+1' }), 400, 'invalid_number');
  });

  it.each(operations.filter(([, request]) => request('').method !== 'GET'))(
    'agree on compressed bodies and other charsets for %s',
    async (name) => {
      const request = requestOf(name);
      const other = { 'content-type': 'application/json; charset=utf-16' };
      for (const headers of [{ 'content-encoding': 'gzip', 'content-type': 'application/json' }, other])
        await expectNo({ payload: {}, ...request, headers }, 415, 'invalid_request');
    },
  );

  it.each(refusedBodies)('agree that %s with %j is %s %s', async (name, change, status, code) => {
    await expectNo(withBody(name, change), status, code);
  });

  it('agree on a number that an account with free credits has not verified', async () => {
    await bed.database.sql('UPDATE accounts SET own_numbers_only = true WHERE id = $1', [account.id]);
    await expectNo(requestOf('sendSms'), 403, 'number_not_verified');
  });

  it.each(accepting)('agree on %s from a suspended account', async (name) => {
    await bed.database.sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', [account.id]);
    await expectNo(requestOf(name), 403, 'delivery_suspended');
  });

  it.each(accepting)('agree on %s without credits and over the daily limit', async (name) => {
    account = await createTestAccount(server, { credits: 0 });
    await expectNo(requestOf(name), 402, 'no_credits');
    account = await createTestAccount(server, { credits: 1 });
    if (name === 'sendSms') await expectNo(withBody(name, { to: '+447400123456' }), 402, 'insufficient_credits');
    account = await createTestAccount(server, { dailyLimit: 1 });
    await countDay(bed.database, account.id, 1);
    await expectNo(requestOf(name), 429, 'daily_limit');
  });

  const isWaiting = async () => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await bed.database.sql(waiting)).length > 0;
  };

  it('agree on resendOtp while the first with its Idempotency-Key runs', async () => {
    const resend = { ...(await resendable()), headers: { 'idempotency-key': 'once' } };
    const lock = await bed.database.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM otp_guards WHERE account_id = $1 FOR UPDATE', [account.id]);
      const first = ask(resend);
      await eventually('the first waits', isWaiting);
      await expectNo(resend, 409, 'idempotency_in_progress');
      await lock.query('COMMIT');
      expect((await first).statusCode).toBe(200);
    } finally {
      await lock.end();
    }
  });

  it.each(accepting)('agree on %s while the first with its Idempotency-Key runs', async (name) => {
    const lock = await bed.database.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM credit_accounts WHERE account_id = $1 FOR UPDATE', [account.id]);
      const first = ask(withBody(name, {}, { 'idempotency-key': 'once' }));
      await eventually('the first waits', isWaiting);
      await expectNo(withBody(name, {}, { 'idempotency-key': 'once' }), 409, 'idempotency_in_progress');
      await lock.query('COMMIT');
      expect((await first).statusCode).toBe(200);
    } finally {
      await lock.end();
    }
  });

  it.each(operations)('agree on callers that may not call %s', async (_name, request) => {
    await expectNo(request(UNKNOWN_KEY), 401, 'unknown_api_key');
    const { apiKey: blocked } = await createTestAccount(server, { blockedAt: new Date() });
    await expectNo(request(blocked), 403, 'account_blocked');
    await server.get(BlockedAddresses).block('127.0.0.1');
    try {
      await expectNo(request(account.apiKey), 403, 'address_blocked');
    } finally {
      await server.get(BlockedAddresses).unblock('127.0.0.1');
    }
  });

  /** The secret of a named key with only these limits. */
  const named = async (limited: Partial<CreateKeyBody>) => {
    const lists = { scopes: ['send' as const, 'otp' as const, 'read' as const], addresses: [], countries: [] };
    const limitless = { creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
    const body = { name: 'Key', mode: 'live' as const, ...lists, ...limitless, ...limited };
    return (await server.get(NamedKeys).create({ actor: 'account', accountId: account.id }, body)).secret;
  };

  it.each(operations)('agree on named keys that may not call %s', async (name, request) => {
    const expired = await named({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await bed.database.sql('UPDATE api_keys SET expires_at = now() WHERE account_id = $1 AND NOT is_default', [
      account.id,
    ]);
    await expectNo(request(expired), 401, 'key_expired');
    await expectNo(request(await named({ addresses: ['203.0.113.7'] })), 403, 'key_address');
    await expectNo(request(await named({ scopes: [name === 'triggerEvent' ? 'read' : 'webhooks'] })), 403, 'key_scope');
  });

  it.each([...sending, 'quote', 'resendOtp'] as const)(
    'agree on a country that is switched off for %s',
    async (name) => {
      const request = name === 'resendOtp' ? await resendable() : requestOf(name);
      await server.get(Accounts).disableCountries(account.id, ['US'], '127.0.0.1');
      await expectNo(request, 403, 'country_disabled');
    },
  );

  it.each(sending)('agree on named keys with limits on what %s sends', async (name) => {
    await expectNo(requestOf(name, await named({ countries: ['GB'] })), 403, 'key_country');
    const apikey = await named({ creditsPerDay: 1 });
    expect((await ask(requestOf(name, apikey))).statusCode).toBe(200);
    await expectNo(requestOf(name, apikey), 429, 'key_budget');
  });

  it('agree on named keys with limits on what resendOtp sends', async () => {
    const resend = await resendable();
    await expectNo(changed(resend, { apikey: await named({ countries: ['GB'] }) }), 403, 'key_country');
    const apikey = await named({ creditsPerDay: 1 });
    expect((await ask(requestOf('sendSms', apikey))).statusCode).toBe(200);
    await expectNo(changed(resend, { apikey }), 429, 'key_budget');
  });

  it('agree on examples for a test key', async () => {
    const others = /^(send|quote|upload|resend|verify|otp|findOtp|findMedia|streamEvents|triggerEvent)/;
    for (const [, request] of operations.filter(([name]) => !others.test(name)))
      expect((await ask(request(`${account.apiKey}_test`))).json()).toMatchObject({ test: true });
  });

  it.each(operations)('agree on the rate limit of %s', async (name, request) => {
    // A stream that is open does not answer; unknown keys are counted too.
    const apikey = name === 'streamEvents' ? UNKNOWN_KEY : account.apiKey;
    await eventually('a call too many', async () => {
      const [one, two] = await Promise.all([0, 1].map(() => ask(request(apikey), strict)));
      return [one, two].some((answer) => answer?.statusCode === 429);
    });
  });

  const depending = Object.entries(requests).filter(([name]) => name !== 'regions');
  it.each(depending)('agree on %s while Postgres is unavailable', async (_name, request) => {
    proxy.set('gone');
    try {
      await expectNo(request(account.apiKey), 503, 'unavailable');
    } finally {
      proxy.set('through');
      await eventually('the server is ready', async () => (await server.inject({ url: '/readyz' })).statusCode === 200);
    }
  });

  it.each(tables)('agree on %s after an internal error', async (name, table) => {
    await bed.database.sql(`ALTER TABLE ${table} RENAME TO hidden`);
    try {
      await expectNo(requestOf(name), 500, 'internal');
    } finally {
      await bed.database.sql(`ALTER TABLE hidden RENAME TO ${table}`);
    }
  });

  it('cover every documented answer', async () => {
    for (const name of ['deliveryQuality', 'regions', 'serviceStatus']) {
      expect((await ask(requestOf(name))).statusCode).toBe(200);
      await expectNo({ ...requestOf(name), query: { day: '\0' } }, 400, 'invalid_request');
    }
    expect(answers.unseen).toEqual([]);
  });
});
