import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ZodType } from 'zod';
import { checkoutBody } from '#contract/billing.js';
import {
  changePasswordBody,
  forgotPasswordBody,
  logInBody,
  resetPasswordBody,
  rotateKeyBody,
  signUpBody,
  verifyEmailBody,
  webhookUrlBody,
  welcomeEmailBody,
} from '#contract/account.js';
import { jsonSchemaOf } from '#contract/openapi/schemas.js';
import { redeemCodeBody } from '#contract/credits.js';
import { webhookEventsBody, webhookReplayBody, webhookTestBody } from '#contract/webhooks.js';
import type { Config } from '#core/platform/config/config.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { fuzzSettings } from '#core/testing/test-environment.js';
import { TestBrowser } from '../testing/browser.js';
import { bodyOf, fieldsOf, wellFormed, hostileHeader, hostileText, leaksIn } from '../testing/fuzz.js';
import { RawConnection } from '../testing/raw-connection.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const { seconds, seed } = fuzzSettings();
const run = { seed, numRuns: 1_000_000, interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false };

/** Calls of our pages with a body. */
const pageCalls: readonly [method: 'POST' | 'PUT', url: string, body: ZodType][] = [
  ['POST', '/api/checkout', checkoutBody],
  ['POST', '/api/redeemcode', redeemCodeBody],
  ['POST', '/api/welcomeemail', welcomeEmailBody],
  ['POST', '/api/dashboard/key/rotate', rotateKeyBody],
  ['PUT', '/api/dashboard/webhook-url', webhookUrlBody],
  ['PUT', '/api/dashboard/webhook/events', webhookEventsBody],
  ['POST', '/api/dashboard/webhook/replay', webhookReplayBody],
  ['POST', '/api/dashboard/webhook/test', webhookTestBody],
  ['POST', '/auth/signup', signUpBody],
  ['POST', '/auth/login', logInBody],
  ['POST', '/auth/forgot-password', forgotPasswordBody],
  ['POST', '/auth/reset-password', resetPasswordBody],
  ['POST', '/auth/password', changePasswordBody],
  ['POST', '/auth/verify-email', verifyEmailBody],
];

const readingCalls = [
  'billing',
  'ledger',
  'ledger.csv',
  'messages/sent',
  'messages/sent.csv',
  'messages/received',
  'webhook/deliveries',
];

/** Documented answers without Stripe, and with a full mail queue. */
const documented5xx = ['checkout_failed', 'unavailable'];

describe(`random input to everything else (FUZZ_SEED=${seed})`, () => {
  let bed: TestBed;
  let config: Config;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;
  let hidden: string[];
  let folder: string;
  let port: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-fuzz-'));
    mkdirSync(join(folder, 'client', 'assets'), { recursive: true });
    writeFileSync(join(folder, 'outside.txt'), 'a file outside');
    writeFileSync(join(folder, 'client', 'index.html'), '<!doctype html><p>Home</p>');
    writeFileSync(join(folder, 'client', 'assets', 'a.js'), 'plain');
    bed = await createTestBed();
    config = bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true' });
    server = await createTestServer(config, join(folder, 'client'));
    await server.app.listen(0, '127.0.0.1');
    port = (server.app.getHttpServer().address() as AddressInfo).port;
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
    const other = await createTestAccount(server);
    hidden = [other.id, other.email, other.apiKey, 'a secret of another account', 'a file outside'];
    await server.send({ to: '+14155550199', message: 'a secret of another account', apikey: other.apiKey });
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
    if (folder) rmSync(folder, { recursive: true });
  });

  const cookie = () => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  it.each(pageCalls)('%s %s, signed in', async (method, url, shape) => {
    const body = bodyOf(fieldsOf(jsonSchemaOf(shape, 'input'), { pack: hostileText }));
    await fc.assert(
      fc.asyncProperty(body, async ({ payload, contentType }) => {
        const headers = { 'content-type': contentType, cookie: cookie(), 'sec-fetch-site': 'same-origin' };
        expectHarmless(await server.inject({ method, url, headers, payload }));
      }),
      run,
    );
  });

  it.each(readingCalls)('GET /api/dashboard/%s, signed in', async (call) => {
    const name = fc.constantFrom(
      'page',
      'from',
      'to',
      'continue',
      'status',
      'kind',
      'number',
      'text',
      'cursor',
      '__proto__',
    );
    const value = fc.oneof(fc.constantFrom('1', '-1', '2026-01-01', 'failed', '9'.repeat(30)), hostileText);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), async (pairs) => {
        const query = pairs.map(([key, text]) => `${key}=${encodeURIComponent(wellFormed(text))}`).join('&');
        const url = `/api/dashboard/${call}?${query.slice(0, 8_000)}`;
        expectHarmless(await server.inject({ method: 'GET', url, headers: { cookie: cookie() } }));
      }),
      run,
    );
  });

  it.each(['/webhooks/twilio/inbound', '/webhooks/twilio/status', '/webhooks/stripe'])(
    '%s, forged: refused',
    async (url) => {
      const fields = fc.dictionary(
        fc.constantFrom('MessageSid', 'From', 'To', 'Body', 'MessageStatus', 'type', 'data'),
        hostileText,
      );
      await fc.assert(
        fc.asyncProperty(bodyOf(fields), hostileHeader, async ({ payload, contentType }, signature) => {
          const headers = {
            'content-type': contentType,
            'x-twilio-signature': signature,
            'stripe-signature': signature,
          };
          const answer = await server.inject({ method: 'POST', url, headers, payload });
          expectHarmless(answer);
          expect([400, 403, 413]).toContain(answer.statusCode);
        }),
        run,
      );
    },
  );

  it('answers paths outside the pages folder and unknown paths', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%252e%252e',
      '%c0%ae%c0%ae',
      '..%5c',
      '..\\',
      '%00',
      '%2f',
      '%252f',
      '//',
      'assets',
      'outside.txt',
      'etc/passwd',
      'client',
      ';',
      '%',
      '%zz',
      '\u00e9',
    );
    const path = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`);
    await fc.assert(
      fc.asyncProperty(path, async (target) => {
        const caller = await RawConnection.open(port);
        caller.write(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'));
        await caller.closed();
        const answer = caller.received;
        expect(leaksIn(answer, config, hidden)).toEqual([]);
        expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
      }),
      run,
    );
  });

  it('answers malformed HTTP', async () => {
    const line = fc.constantFrom(
      'POST /api/sendsms HTTP/1.1',
      'GET / HTTP/1.1',
      'GET / HTTP/9.9',
      'BREW /api/balance HTTP/1.1',
      'OPTIONS * HTTP/1.1',
      'GET http://other/ HTTP/1.1',
      'POST /api/sendsms',
      'PRI * HTTP/2.0',
    );
    const header = fc.oneof(
      fc.constantFrom(
        'Host: x',
        'Host: y',
        'Content-Type: application/json',
        'Content-Length: 5',
        'Content-Length: -1',
        'Content-Length: 99999999999999999999',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: gzip, chunked',
        'Connection: close',
        'Connection: upgrade',
        'Upgrade: websocket',
        'Expect: 100-continue',
        'Cookie: __Host-pennytext_session=%00',
        'X',
        ': x',
        ' folded',
      ),
      hostileHeader.map((value) => `X-Any: ${value}`),
    );
    const body = fc.constantFrom(
      '',
      '{"a":',
      '5\r\nhello\r\n0\r\n\r\n',
      'ffffffffffffffff\r\n',
      '5;a=b\r\nhello\r\n',
      '0\r\nTrailer: x\r\n\r\n',
      '-1\r\n',
    );
    await fc.assert(
      fc.asyncProperty(line, fc.array(header, { maxLength: 8 }), body, async (first, headers, rest) => {
        const answer = await spoken(`${[first, ...headers].join('\r\n')}\r\n\r\n${rest}`);
        expect(leaksIn(answer, config, hidden)).toEqual([]);
        expect(answer).not.toMatch(/^HTTP\/1\.1 5/m);
      }),
      run,
    );
  });

  /** Returns everything received after the caller has sent its bytes and closed. */
  async function spoken(text: string): Promise<string> {
    const caller = await RawConnection.open(port);
    caller.write(Buffer.from(text, 'latin1'));
    caller.end();
    await caller.closed();
    return caller.received;
  }

  function expectHarmless({ statusCode, body }: { statusCode: number; body: string }): void {
    expect(leaksIn(body, config, hidden)).toEqual([]);
    if (statusCode < 500) return;
    expect(documented5xx).toContain((JSON.parse(body) as { code: string }).code);
  }

  afterEach(async () => {
    expect((await moneyOf(bed.database, account.id)).balance).toBe(100);
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  });
});
