import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { openApiDocument } from '#contract/openapi/openapi.js';
import { schemas } from '#contract/openapi/schemas.js';
import type { Config } from '#core/platform/config/config.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { fuzzSettings } from '#core/testing/test-environment.js';
import { DocumentedAnswers } from '../testing/documented-answers.js';
import { bodyOf, fieldsOf, wellFormed, hostileHeader, hostileText, leaksIn } from '../testing/fuzz.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const CREDITS = 1_000_000;
const { seconds, seed } = fuzzSettings();
const run = { seed, numRuns: 1_000_000, interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false };

const posting = Object.entries(openApiDocument('https://pennytext.test').paths).flatMap(([url, { post }]) => {
  const name = post?.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
  return post ? [[url, schemas[name] ?? {}] as const] : [];
});

// Any input gets a documented answer without internals, and money stays consistent.
describe(`random input to the public API (FUZZ_SEED=${seed})`, () => {
  const answers = new DocumentedAnswers();
  let bed: TestBed;
  let config: Config;
  let server: TestServer;
  let account: TestAccount;
  let hidden: string[];
  let charged: number;

  beforeAll(async () => {
    bed = await createTestBed();
    config = bed.config();
    server = await createTestServer(config);
    account = await createTestAccount(server, { credits: CREDITS, dailyLimit: 1_000_000 });
    const other = await createTestAccount(server);
    hidden = [other.id, other.email, other.apiKey, 'a secret of another account'];
    await server.send({ to: '+14155550199', message: 'a secret of another account', apikey: other.apiKey });
    charged = 0;
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const right = () => ({
    to: fc.constantFrom(TO, '+1 (415) 555-2672', '+447400123456', '4155552671'),
    message: fc.constantFrom('Hello', 'é 👍', 'see example.com', 'x'.repeat(400)),
    apikey: fc.constantFrom(
      account.apiKey,
      account.apiKey,
      `${account.apiKey}_test`,
      '00000000-0000-4000-8000-000000000000',
    ),
    otp: fc.constantFrom('123456', '000001', '042117'),
    limit: fc.constantFrom(2, '5', 10, 11),
    length: fc.constantFrom(4, '8', 9),
    org: fc.constantFrom('Example', '中'.repeat(40)),
    domain: fc.constantFrom('example.com', 'localhost'),
    reference: fc.constantFrom('r', 'x'.repeat(64), 'x'.repeat(65)),
  });

  const headers = fc.record(
    {
      authorization: hostileHeader,
      'idempotency-key': hostileHeader,
      accept: hostileHeader,
      'x-forwarded-for': hostileHeader,
    },
    { requiredKeys: [] },
  );

  it.each(posting)('%s answers as documented', async (url, schema) => {
    await fc.assert(
      fc.asyncProperty(bodyOf(fieldsOf(schema, right())), headers, async ({ payload, contentType }, others) => {
        const answer = await server.inject({
          method: 'POST',
          url,
          headers: { ...others, 'content-type': contentType },
          payload,
        });
        expect(answers.faultsOf('POST', url, answer)).toEqual([]);
        expectHonest(answer);
      }),
      run,
    );
  });

  it.each(['/api/balance', '/api/messages', '/api/messages/{message_id}'])(
    'GET %s answers as documented',
    async (path) => {
      const key = fc.oneof(fc.constant(account.apiKey), hostileText);
      const query = fc.array(fc.tuple(fc.constantFrom('apikey', 'cursor', '__proto__', 'a[b]'), key), { maxLength: 4 });
      const id = fc.oneof(
        fc.constantFrom('SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', 'SM', '%'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }),
      );
      await fc.assert(
        fc.asyncProperty(query, id, headers, async (pairs, messageId, others) => {
          const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`).join('&');
          const url = `${path.replace('{message_id}', encodeURIComponent(wellFormed(messageId)))}?${search.slice(0, 8_000)}`;
          const answer = await server.inject({ method: 'GET', url, headers: others });
          // Dots lead to parent paths, which are other calls.
          if (!/^\.{1,2}$/.test(messageId)) expect(answers.faultsOf('GET', url, answer)).toEqual([]);
          expectHonest(answer);
        }),
        run,
      );
    },
  );

  /** Checks an answer for internals and server errors, and counts its credits. */
  function expectHonest(answer: LightMyRequestResponse): void {
    expect(leaksIn(answer.body, config, hidden)).toEqual([]);
    expect(answer.statusCode === 500).toBe(false);
    if (answer.statusCode !== 200 || !answer.body.includes('"message_id"') || answer.body.includes('"messages"'))
      return;
    const { test, credits, status } = answer.json<{ test?: boolean; credits: number; status?: string }>();
    if (!test && !status && answer.headers['idempotent-replayed'] === undefined) charged += credits;
  }

  afterEach(async () => {
    expect((await moneyOf(bed.database, account.id)).balance).toBe(CREDITS - charged);
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  });
});
