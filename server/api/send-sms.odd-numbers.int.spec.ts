import type { LightMyRequestResponse } from 'fastify';
import { failureAnswer, sendSmsAnswer } from '#contract/messages.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('POST /api/sendsms with unusual numbers', () => {
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

  // One number of each kind of trouble: short codes, premium, toll-free, satellite, too long,
  // letters, extensions, dial codes, other scripts.
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
  ])('rejects the number %j as documented or charges its price', async (to) => {
    await expectHonest(await server.send({ to, message: 'Hello', apikey: account.apiKey }));
  });

  /** Expects a documented answer below 500 and exactly its charge. */
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
