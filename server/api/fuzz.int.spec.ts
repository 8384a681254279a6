import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import type { Config } from '#core/platform/config/config.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { fuzzSettings } from '#core/testing/test-environment.js';
import { DocumentedAnswers } from '../testing/documented-answers.js';
import { documentedOperations, leaksIn, requestTo, type HostileRequest } from '../testing/fuzz.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const { requests, seed } = fuzzSettings();
const BATCH = 500;
const CONCURRENT = 20;
const CREDITS = 100_000_000;
/** Generous: a loaded machine answers more than 50 requests a second. */
const TIMEOUT_MS = 60_000 + requests * 20;
const REPORTED_FAULTS_MAX = 5;

/**
 * Random requests to every operation of the OpenAPI document, many at a time: each is answered as documented, without a 5xx or
 * internals, and money stays consistent. FUZZ_REQUESTS sets their number; `npm run fuzz` sends 200,000.
 */
describe(`${requests} random requests to the documented API (FUZZ_SEED=${seed})`, () => {
  const answers = new DocumentedAnswers();
  const counts = new Map<string, number>();
  const faults: string[] = [];
  let bed: TestBed;
  let config: Config;
  let server: TestServer;
  let account: TestAccount;
  let hidden: string[];

  beforeAll(async () => {
    bed = await createTestBed();
    config = bed.config();
    server = await createTestServer(config);
    account = await createTestAccount(server, { credits: CREDITS, dailyLimit: 1_000_000, urlsActivated: true });
    const other = await createTestAccount(server);
    hidden = [other.id, other.email, other.apiKey, 'a secret of another account'];
    await server.send({ to: '+14155550199', message: 'a secret of another account', apikey: other.apiKey });
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  it(
    'makes no 5xx and no undocumented answer',
    async () => {
      const { apiKey } = account;
      const sent = await server.send({ to: '+14155552671', message: 'Hello', apikey: apiKey });
      const right = {
        to: fc.constantFrom('+14155552671', '+1 (415) 555-2672', '+447400123456', '4155552671'),
        message: fc.constantFrom('Hello', 'é 👍', 'see example.com', 'x'.repeat(400)),
        apikey: fc.constantFrom(apiKey, apiKey, `${apiKey}_test`, '00000000-0000-4000-8000-000000000000'),
        otp: fc.constantFrom('123456', '000001', '042117'),
        limit: fc.constantFrom(2, '5', 10, 11),
        length: fc.constantFrom(4, '8', 9),
        message_id: fc.constantFrom(sent.json<{ message_id: string }>().message_id, 'SM', '%'),
      };
      const request = fc.oneof(...documentedOperations.map((operation) => requestTo(operation, right)));
      for (let done = 0; done < requests; done += BATCH) {
        const batch = fc.sample(request, { numRuns: Math.min(BATCH, requests - done), seed: seed + done });
        for (let at = 0; at < batch.length; at += CONCURRENT)
          await Promise.all(batch.slice(at, at + CONCURRENT).map(check));
        if (faults.length >= REPORTED_FAULTS_MAX) break;
      }
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      process.stdout.write(`${total} requests: ${JSON.stringify(Object.fromEntries(counts))}\n`);
      expect(faults.slice(0, REPORTED_FAULTS_MAX)).toEqual([]);
      expect(total).toBe(requests);
      expect(answers.operationsSeen().toSorted()).toEqual(documentedOperations.map(({ id }) => id).toSorted());
      expect(await moneyFaults(bed.database)).toEqual([]);
      expect((await moneyOf(bed.database, account.id)).balance).toBeLessThan(CREDITS);
      expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
    },
    TIMEOUT_MS,
  );

  async function check(request: HostileRequest): Promise<void> {
    const answer = await server.inject(request);
    counts.set(String(answer.statusCode), (counts.get(String(answer.statusCode)) ?? 0) + 1);
    const found = [...answers.faultsOf(request.method, request.url, answer), ...serverFaults(answer)];
    if (found.length > 0) faults.push(`${found.join('; ')}: ${JSON.stringify(request).slice(0, 500)}`);
  }

  function serverFaults({ statusCode, body }: LightMyRequestResponse): string[] {
    return [...leaksIn(body, config, hidden), ...(statusCode >= 500 ? [`${statusCode} ${body}`] : [])];
  }
});
