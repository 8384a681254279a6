import { Readable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HTTPMethods, InjectOptions, RouteOptions } from 'fastify';
import { limits } from '#contract/limits.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createServer } from '../create-server.js';
import { UnreadBody } from './unread-body.js';

const LIMIT = 3;
const STRANGER = 'a-made-up-key';

/**
 * Steps of a request, on every route:
 *
 * 1. its connection and its address are counted, its head is bounded;
 * 2. path, query, media type and the declared length of the body are checked;
 * 3. the caller is identified: key, scope and blocks, the session, or the signature;
 * 4. the key's limits and, for bulks, the account's place;
 * 5. the body is decoded and parsed, and its fields are checked.
 *
 * These routes read a body of at most 64 KiB to identify the caller: the body contains the key or
 * the password, or its fields are signed.
 */
const readFirst: readonly string[] = [
  'POST /api/sendsms',
  'POST /api/sendotp',
  'POST /api/resendotp',
  'POST /api/verifyotp',
  'POST /api/totp',
  'POST /api/totp/:totpId/verify',
  'POST /api/totp/:totpId/recovery-codes',
  'POST /api/messages/:messageId/cancel',
  'POST /api/batches/:batchId/cancel',
  'POST /api/events',
  'POST /api/sendbulk',
  'POST /api/quote',
  'POST /api/media',
  'POST /api/numbers',
  'PATCH /api/numbers/:numberId',
  'POST /api/pools',
  'POST /text',
  'POST /otp/generate',
  'POST /auth/signup',
  'POST /auth/login',
  'POST /auth/forgot-password',
  'POST /auth/reset-password',
  'POST /webhooks/twilio/status',
  'POST /webhooks/twilio/inbound',
];
/** Routes that the server adds before this test can listen. */
const ofCarriers = ['twilio', 'telnyx'].flatMap((carrier) =>
  ['status', 'inbound'].map((name) => ({ method: 'POST', url: `/webhooks/${carrier}/${name}` }) as const),
);
/** With a key in the head these routes read nothing for a stranger, and never a long body. */
const uploads: readonly string[] = ['POST /api/sendbulk', 'POST /api/quote', 'POST /api/media'];

describe('the order of work', () => {
  let bed: TestBed;
  let app: NestFastifyApplication;
  let strict: NestFastifyApplication;
  const routes: { method: HTTPMethods; url: string }[] = [...ofCarriers];
  const read = jest.spyOn(UnreadBody.prototype, 'read');

  const started = async (perSecond: number, isListed: boolean) => {
    const config = bed.config({ RATE_LIMIT_ADDRESS_PER_SECOND: String(perSecond), CUSTOM_SIGN_IN_ENABLED: 'true' });
    const server = await createServer(config, Logger.silent(), undefined);
    const list = ({ method, url }: RouteOptions) =>
      [method].flat().forEach((one) => {
        if (isListed && one !== 'HEAD' && !url.includes('*')) routes.push({ method: one, url });
      });
    server.getHttpAdapter().getInstance().addHook('onRoute', list);
    await server.init();
    await server.getHttpAdapter().getInstance().ready();
    return server;
  };

  beforeAll(async () => {
    bed = await createTestBed();
    app = await started(0, true);
    strict = await started(LIMIT, false);
  });

  beforeEach(() => read.mockClear());

  afterAll(async () => {
    read.mockRestore();
    await app?.close();
    await strict?.close();
    await bed?.remove();
  });

  const nameOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`;
  const withBody = () => routes.filter(({ method }) => method !== 'GET');
  const requestOf = (
    { method, url }: { method: HTTPMethods; url: string },
    more: InjectOptions = {},
  ): InjectOptions => ({
    method,
    url: url.replaceAll(/:\w+/g, 'x'),
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-twilio-signature': 'forged',
      'telnyx-signature-ed25519': 'forged',
      'stripe-signature': 'forged',
    },
    payload: { apikey: STRANGER, key: STRANGER, to: '+14155552671', phone: '+14155552671', message: 'Hello' },
    ...more,
  });

  it('reads the bodies of strangers on the listed routes alone', async () => {
    const found: string[] = [];
    for (const route of withBody()) {
      read.mockClear();
      const { statusCode } = await app.inject(requestOf(route));
      expect([nameOf(route), statusCode]).toEqual([nameOf(route), expect.any(Number)]);
      if (read.mock.calls.length > 0) found.push(nameOf(route));
    }
    expect(found.toSorted()).toEqual(readFirst.toSorted());
  });

  it('reads no body of a bulk or a file whose key no account has', async () => {
    for (const route of routes.filter((one) => uploads.includes(nameOf(one)))) {
      const bearer = { 'content-type': 'application/json', authorization: `Bearer ${STRANGER}` };
      expect((await app.inject(requestOf(route, { headers: bearer }))).statusCode).toBe(401);
      const filler = 'x'.repeat(limits.apiBodyBytesMax);
      const payload = { filler, recipients: [{ to: '+14155552671' }], message: '{{a}}', apikey: STRANGER };
      expect((await app.inject(requestOf(route, { payload }))).statusCode).toBe(401);
      expect((await app.inject(requestOf(route, { payload: { filler } }))).statusCode).toBe(400);
    }
    expect(read).not.toHaveBeenCalled();
  });

  it('receives no byte of a file without a good key in the head', async () => {
    const type = 'multipart/form-data; boundary=b';
    for (const [headers, status] of [
      [{}, 400],
      [{ authorization: `Bearer ${STRANGER}` }, 401],
    ] as const) {
      const payload = Readable.from([Buffer.alloc(1_000)]);
      const pulled = jest.spyOn(payload, '_read');
      const chunked = { 'content-type': type, 'transfer-encoding': 'chunked', ...headers };
      const answer = await app.inject({ method: 'POST', url: '/api/media', headers: chunked, payload });
      expect([answer.statusCode, pulled.mock.calls.length]).toEqual([status, 0]);
    }
    expect(read).not.toHaveBeenCalled();
  });

  it('receives a body of unknown length up to 64 KiB without a key in the head', async () => {
    const chunked = (bytes: number) =>
      Readable.from([Buffer.from('{"filler":"'), Buffer.alloc(bytes, 'x'), Buffer.from('"}')]);
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    for (const route of routes.filter((one) => uploads.includes(nameOf(one)))) {
      const short = await app.inject(requestOf(route, { headers, payload: chunked(1_000) }));
      expect([short.statusCode, short.json<{ code: string }>().code]).toEqual([400, 'missing_fields']);
      const long = await app.inject(requestOf(route, { headers, payload: chunked(limits.apiBodyBytesMax) }));
      expect([long.statusCode, long.json<{ detail: string }>().detail]).toEqual([
        413,
        'The body is too large. Send the API key of a long body as "Authorization: Bearer".',
      ]);
    }
  });

  it('accepts at most 64 KiB on every route but those of bulks, files and Stripe', async () => {
    for (const route of withBody()) {
      const answer = await app.inject(requestOf(route, { payload: { filler: 'x'.repeat(limits.apiBodyBytesMax) } }));
      const isLong = [...uploads, 'POST /webhooks/stripe'].includes(nameOf(route));
      // Errors of Textbelt's API have status 200.
      const isTooLarge = answer.statusCode === 413 || answer.body.includes('The body is too large.');
      expect([nameOf(route), isTooLarge]).toEqual([nameOf(route), !isLong]);
    }
  });

  it('counts the address on every route, before the body arrives', async () => {
    let address = 0;
    for (const route of routes) {
      address += 1;
      const remoteAddress = `198.51.${Math.floor(address / 250)}.${address % 250}`;
      // A body of this length is refused by its length, unless the address is refused before.
      const headers = { 'content-type': 'application/json', 'content-length': '999999999' };
      const request = requestOf(route, { headers: route.method === 'GET' ? {} : headers, payload: '' });
      const burst = Array.from({ length: 4 * LIMIT }, () => strict.inject({ ...request, remoteAddress }));
      const refused = (await Promise.all(burst)).filter(({ statusCode }) => statusCode === 429);
      expect([nameOf(route), refused.length >= LIMIT]).toEqual([nameOf(route), true]);
    }
  });
});
