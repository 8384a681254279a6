import fc from 'fast-check';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { failureAnswer } from '#contract/failure.js';
import { sendSmsAnswer } from '#contract/send-sms.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

describe('POST /api/sendsms with whatever comes', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 100_000 });
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const raw = (payload: string, contentType: string) =>
    server.inject({ method: 'POST', url: '/api/sendsms', headers: { 'content-type': contentType }, payload });

  // One number of each kind of trouble: short codes, premium, toll-free, satellite, too long, letters, extensions, dial codes, other scripts.
  it.each([
    '911',
    '12345',
    '+1',
    '+',
    '++14155552671',
    '+1415555267',
    '+141555526711',
    '+1 415 555 2671 ext. 5',
    '1-800-FLOWERS',
    '*86',
    '#123',
    '+870773111632',
    '+881612345678',
    '+99912345678',
    '+0012345',
    '00',
    '٠١٢٣٤',
    '+１４１５５５５２６７１',
    'tel:+14155552671',
    '+14155552671;ext=5',
    '+14155552671,+14155552672',
    'NaN',
    '-1',
    '0',
    '1e10',
    '+14155552671\n',
    '\n',
    '\t',
    '+800 1234 5678',
    '+979 123 456 789',
    '+999',
    "+1' OR 1=1 --",
    '+3361234567',
    '+86 138',
    '+7',
    '+44',
    '+1 000 000 0000',
    '+1 911 555 0100',
    '+1 900 555 0100',
    '+1 242 357 0000',
    '+1 787 555 0123',
    '+53 5 1234567',
    '+850 2 381 1234',
    '+963 944 567 890',
    '+98 912 345 6789',
    '+247 40123',
    '+500 51234',
    '+672 381 234',
    '+383 43 201 234',
  ])('answers the number %j from the catalogue, or charges it as it says', async (to) => {
    await expectHonest(await server.send({ to, message: 'Hello', apikey: account.apiKey }));
  });

  it('never fails on, and never charges, a random object', async () => {
    const field = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('', ' ', TO, 'Hello', 'null', '\0', '\ud800') },
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.jsonValue(),
    );
    const key = fc.oneof(
      { weight: 3, arbitrary: fc.constant('KEY') },
      { weight: 1, arbitrary: fc.constant('KEY_test') },
      field,
    );
    const body = fc
      .record({ to: field, message: field, apikey: key, reference: field, other: fc.jsonValue() }, { requiredKeys: [] })
      .map((fields) => JSON.stringify(fields).replace('"KEY', `"${account.apiKey}`));
    await fc.assert(
      fc.asyncProperty(body, async (text) => expectHonest(await raw(text, JSON_TYPE))),
      { numRuns: 400 },
    );
  });

  it('never fails on random text of a random content type', async () => {
    const type = fc.oneof(
      fc.constantFrom(
        JSON_TYPE,
        FORM_TYPE,
        `${JSON_TYPE}; charset=utf-8`,
        `${FORM_TYPE};charset=latin1`,
        'text/plain',
        'multipart/form-data',
        '*/*',
      ),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(
          fc.tuple(
            fc.constantFrom('to', 'message', 'apikey', 'reference', '__proto__', 'a[b]'),
            fc.string({ maxLength: 20 }),
          ),
          { maxLength: 6 },
        )
        .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(text, type, async (body, contentType) => expectHonest(await raw(body, contentType))),
      { numRuns: 400 },
    );
  });

  it('never fails on random headers', async () => {
    const value = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      maxLength: 300,
    });
    await fc.assert(
      fc.asyncProperty(value, value, value, async (authorization, idempotencyKey, origin) => {
        const headers = { authorization, 'idempotency-key': idempotencyKey, origin };
        await expectHonest(
          await server.inject({
            method: 'POST',
            url: '/api/sendsms',
            headers,
            payload: { to: TO, message: 'Hello' },
          } satisfies InjectOptions),
        );
      }),
      { numRuns: 200 },
    );
  });

  /** An answer of the contract below 500, and charged exactly what a 'true' says. */
  async function expectHonest(answer: LightMyRequestResponse) {
    expect(answer.statusCode).toBeLessThan(500);
    if (answer.statusCode === 200) {
      const body = sendSmsAnswer.parse(answer.json());
      if (!body.test) owed += body.credits;
    } else {
      failureAnswer.parse(answer.json());
    }
    const { balance, messages } = await moneyOf(bed.database, account.id);
    expect(balance).toBe(100_000 - owed);
    expect(messages === 0).toBe(owed === 0);
  }

  let owed = 0;

  beforeEach(() => {
    owed = 0;
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });
});
