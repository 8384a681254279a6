import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import StripeSdk from 'stripe';
import twilio from 'twilio';
import { accountSidOf } from '#contract/account.js';
import type { Config } from '#core/platform/config/config.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { moneyFaults } from '#core/testing/money.js';
import { telnyxHeaders, telnyxVariables } from '#core/testing/telnyx-account.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { testVariables } from '#core/testing/test-config.js';
import { fuzzSettings } from '#core/testing/test-environment.js';
import { startSandbox, type RunningSandbox } from '../../sandbox/sandbox.js';
import { signIn } from '../testing/browser.js';
import { DocumentedAnswers } from '../testing/documented-answers.js';
import { hostileText, leaksIn, requestTo, routesIn, type HostileRequest, type Route } from '../testing/fuzz.js';
import { RawConnection } from '../testing/raw-connection.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const { requests, seed } = fuzzSettings();
/** Requests of one account: the next batch gets a session and keys that no request has ended. */
const BATCH = 500;
const CONCURRENT = 20;
const CREDITS = 1_000_000;
const LOOP_DELAY_MS_MAX = 200;
const REPORTED_FAULTS_MAX = 10;
/** Generous: a loaded machine answers more than 50 requests a second. */
const TIMEOUT_MS = 120_000 + requests * 20;
const BOARD_PASSWORD = 'password-of-the-board';
const METRICS_TOKEN = 'token-of-the-metrics';
const google = { googleClientId: 'client', googleClientSecret: 'secret' };

/**
 * Random requests to every route of the running server, many at a time, from strangers and from
 * known callers: none gets a 5xx or internals, or holds up the event loop, and money stays
 * consistent. Documented calls are answered as documented. FUZZ_REQUESTS sets their number; `npm
 * run fuzz` sends 200,000.
 */
describe(`${requests} random requests to all routes (FUZZ_SEED=${seed})`, () => {
  const answers = new DocumentedAnswers();
  const counts = new Map<string, number>();
  const faults = new Set<string>();
  let bed: TestBed;
  let sandbox: RunningSandbox;
  let config: Config;
  let server: TestServer;
  let folder: string;
  let port: number;
  let hidden: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-fuzz-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><p>Home</p>');
    writeFileSync(join(folder, 'assets', 'a.js'), 'plain');
    sandbox = await startSandbox({
      accountSid: testVariables['TWILIO_ACCOUNT_SID'] ?? '',
      authToken: testVariables['TWILIO_AUTH_TOKEN'] ?? '',
      stripeSecretKey: testVariables['STRIPE_SECRET_KEY'] ?? '',
      stripePrices: [{ id: 'price_basic', cents: 1_000 }],
      ...google,
    });
    bed = await createTestBed();
    config = bed.config({
      ...telnyxVariables,
      TWILIO_API_URL: sandbox.url,
      CUSTOM_SIGN_IN_ENABLED: 'true',
      STRIPE_API_URL: sandbox.url,
      GOOGLE_CLIENT_ID: google.googleClientId,
      GOOGLE_CLIENT_SECRET: google.googleClientSecret,
      GOOGLE_BASE_URL: sandbox.url,
      QUEUE_BOARD_PASSWORD: BOARD_PASSWORD,
      METRICS_TOKEN,
    });
    server = await createTestServer(config, folder);
    await server.app.listen(0, '127.0.0.1');
    port = (server.app.getHttpServer().address() as AddressInfo).port;
    const other = await createTestAccount(server);
    hidden = [other.id, other.email, other.apiKey, 'a secret of another account'];
    await server.send({ to: '+14155550199', message: 'a secret of another account', apikey: other.apiKey });
  });

  afterAll(async () => {
    await server?.close();
    await sandbox?.close();
    await bed?.remove();
    if (folder) rmSync(folder, { recursive: true });
  });

  it(
    'makes no 5xx, no undocumented answer and no long delay',
    async () => {
      const routes = routesIn(server.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false }));
      let longestMs = 0;
      for (let done = 0; done < requests && faults.size < REPORTED_FAULTS_MAX; done += BATCH) {
        const batch = await batchFor(routes, done);
        for (let at = 0; at < batch.length; at += CONCURRENT)
          longestMs = Math.max(longestMs, await sendTogether(batch.slice(at, at + CONCURRENT)));
      }
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const delay = `event loop delayed by up to ${Math.round(longestMs)} ms`;
      const found = `${JSON.stringify(Object.fromEntries(counts))}, ${delay}`;
      process.stdout.write(`${total} requests to ${routes.length} routes: ${found}\n`);
      expect([...faults]).toEqual([]);
      expect(total).toBe(requests);
      expect(await moneyFaults(bed.database)).toEqual([]);
      expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
    },
    TIMEOUT_MS,
  );

  /** The next requests, to one route after the other, with a new account. */
  async function batchFor(routes: readonly Route[], done: number): Promise<HostileRequest[]> {
    const account = await createTestAccount(server, { credits: CREDITS, dailyLimit: 1_000_000, urlsActivated: true });
    const session = await signIn(server, account);
    const sent = await server.send({ to: '+14155552671', message: 'Hello', apikey: account.apiKey });
    const right = rightValues(account, sent.json<{ message_id: string }>().message_id);
    return Array.from({ length: Math.min(BATCH, requests - done) }, (_, n) => {
      const route = routes[(done + n) % routes.length];
      if (!route) throw new Error('The server has routes');
      const credentials = { ...session, authorization: authorizationFor(route, account) };
      const [request] = fc.sample(requestTo(route, right, credentials), { numRuns: 1, seed: seed + done + n });
      if (!request) throw new Error('A sample has one request');
      return request.isKnown ? signed(request) : request;
    });
  }

  /**
   * Sends requests at the same time, and checks their answers afterwards. Returns how long they
   * held up the event loop, in ms. A busy machine holds up the process too, so a request is at
   * fault only if it does so twice more, alone.
   */
  async function sendTogether(group: readonly HostileRequest[]): Promise<number> {
    const got: { request: HostileRequest; answer: Answer }[] = [];
    const send = async (request: HostileRequest) => got.push({ request, answer: await ask(request) });
    const delayMs = await delayOf(() => Promise.all(group.map(send)));
    for (const { request, answer } of got) check(request, answer);
    if (delayMs <= LOOP_DELAY_MS_MAX) return delayMs;
    for (const request of group) {
      const againMs = Math.min(await delayOf(() => ask(request)), await delayOf(() => ask(request)));
      if (againMs > LOOP_DELAY_MS_MAX) faults.add(`${Math.round(againMs)} ms: ${shown(request)}`);
    }
    return delayMs;
  }

  /** Returns how long `work` held up the event loop, in ms, by the product's own gauge. */
  async function delayOf(work: () => Promise<unknown>): Promise<number> {
    await longestDelayMs();
    await work();
    return longestDelayMs();
  }

  /** Longest delay since the last read. */
  async function longestDelayMs(): Promise<number> {
    // The delay is measured by a timer, which has to run once more.
    await turn();
    await turn();
    const { registry } = server.get(Metrics);
    await registry.getSingleMetric('nodejs_eventloop_lag_seconds')?.get();
    const longest = await registry.getSingleMetric('nodejs_eventloop_lag_max_seconds')?.get();
    return (longest?.values[0]?.value ?? NaN) * 1_000;
  }

  async function ask(request: HostileRequest): Promise<Answer> {
    const { method, url, headers, payload } = request;
    return isStream(request)
      ? askForStream(request)
      : server.inject({ method, url, headers, ...(payload && { payload }) });
  }

  /** A stream does not end by itself. */
  async function askForStream({ method, url, headers }: HostileRequest): Promise<Answer> {
    const connection = await RawConnection.open(port);
    const lines = Object.entries({ host: 'pennytext.test', ...headers }).map(([name, value]) => `${name}: ${value}`);
    connection.write(Buffer.from(`${[`${method} ${url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'));
    const statusCode = await connection.status();
    connection.close();
    return { statusCode, body: connection.received };
  }

  function check(request: HostileRequest, answer: Answer): void {
    const { statusCode, body } = answer;
    counts.set(String(statusCode), (counts.get(String(statusCode)) ?? 0) + 1);
    const found = [
      ...leaksIn(body, config, hidden),
      ...(statusCode >= 500 ? [`${statusCode} ${body.slice(0, 300)}`] : []),
      ...('headers' in answer ? answers.faultsOf(request.method, request.url, answer) : []),
    ].filter((fault) => fault !== 'there is no such operation');
    if (found.length > 0) faults.add(`${found.join('; ')}: ${shown(request)}`);
  }
});

type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'body'> | LightMyRequestResponse;

const isStream = ({ method, path }: Route) => method === 'GET' && /^\/api\/(dashboard\/)?events$/.test(path);

/** The request as a fault names it. */
function shown({ method, url, headers, payload }: HostileRequest): string {
  return (
    `${method} ${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 400)} ` +
    (payload?.toString().slice(0, 200) ?? '')
  );
}

/** Good values by the name of their field, in bodies, queries and paths. */
function rightValues({ apiKey, email, id }: TestAccount, messageId: string): Record<string, fc.Arbitrary<unknown>> {
  const to = fc.constantFrom('+14155552671', '+1 (415) 555-2672', '+447400123456', '4155552671');
  const text = fc.constantFrom('Hello', 'é 👍', 'see example.com', 'x'.repeat(400));
  const key = fc.constantFrom(apiKey, apiKey, `${apiKey}_test`, '00000000-0000-4000-8000-000000000000');
  const message = fc.constantFrom(messageId, 'SM', '%');
  const url = fc.constantFrom('https://example.com/sms', 'http://127.0.0.1/', 'https://user:password@example.com');
  const item = fc.record({ to, message: text, name: hostileText }, { requiredKeys: ['to'] });
  const items = fc.array(item, { maxLength: 50 });
  const object = fc.record({
    id: hostileText,
    mode: fc.constantFrom('payment', 'setup'),
    payment_intent: hostileText,
    client_reference_id: fc.constant(id),
    metadata: fc.dictionary(fc.constantFrom('top_up', 'account'), hostileText),
    amount: fc.integer(),
    amount_refunded: fc.integer(),
    amount_total: fc.integer(),
    status: fc.constantFrom('lost', 'won', 'open'),
    reason: hostileText,
  });
  return {
    to,
    number: to,
    phone: to,
    To: to,
    From: to,
    message: text,
    Body: text,
    apikey: key,
    key,
    message_id: message,
    messageId: message,
    textId: message,
    MessageSid: message,
    webhookUrl: url,
    StatusCallback: url,
    replyWebhookUrl: url,
    messages: items,
    recipients: items,
    otp: fc.constantFrom('123456', '000001', '042117'),
    limit: fc.constantFrom(2, '5', 10, 11),
    length: fc.constantFrom(4, '8', 9),
    page: fc.constantFrom('1', '-1', '9'.repeat(30)),
    email: fc.constantFrom(email, `${email}x`, 'é@example.com'),
    pack: fc.constantFrom('basic', 'starter'),
    accountSid: fc.constant(accountSidOf(id)),
    file: fc.constant(`${messageId}.json`),
    queueName: fc.constantFrom('dispatch', 'mail'),
    data: fc.record({ object, payload: object }),
    type: fc.constantFrom(
      'checkout.session.completed',
      'payment_intent.succeeded',
      'charge.refunded',
      'charge.dispute.created',
      'charge.dispute.closed',
      'message.received',
    ),
  };
}

function authorizationFor({ path }: Route, { id, apiKey }: TestAccount): string {
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  if (path.startsWith('/operator')) return basic('operator', BOARD_PASSWORD);
  if (path.startsWith('/2010')) return basic(accountSidOf(id), apiKey);
  return `Bearer ${path === '/metrics' ? METRICS_TOKEN : apiKey}`;
}

/** Signs a callback as its sender does; Stripe and Telnyx sign only events. */
function signed(request: HostileRequest): HostileRequest {
  const { path, url, payload = Buffer.alloc(0) } = request;
  const headers = { ...request.headers };
  if (path.startsWith('/webhooks/twilio')) {
    const fields = Object.fromEntries(new URLSearchParams(payload.toString()));
    const token = testVariables['TWILIO_AUTH_TOKEN'] ?? '';
    headers['x-twilio-signature'] = twilio.getExpectedTwilioSignature(token, `https://pennytext.test${url}`, fields);
  }
  if (path.startsWith('/webhooks/telnyx'))
    Object.assign(headers, { ...telnyxHeaders(payload), 'content-type': headers['content-type'] });
  if (path === '/webhooks/stripe')
    headers['stripe-signature'] = StripeSdk.webhooks.generateTestHeaderString({
      payload: payload.toString(),
      secret: testVariables['STRIPE_WEBHOOK_SECRET'] ?? '',
    });
  return { ...request, headers };
}
