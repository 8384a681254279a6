import { messageIdFromPublic } from '#core/rules/ids.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, OtpCalls, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';

describe('POST /api/sendotp', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const send = (body: object = {}) => new OtpCalls(server).send({ to: TO, apikey: account.apiKey, ...body });
  const idOf = (answer: { body: string }) => (JSON.parse(answer.body) as { message_id: string }).message_id;
  const codes = () => bed.database.sql('SELECT * FROM otp_codes WHERE account_id = $1', [account.id]);
  const money = () => moneyOf(bed.database, account.id);

  describe('with a key in test mode', () => {
    it('answers like a live key, and creates, stores and charges nothing', async () => {
      const answer = await send({ apikey: `${account.apiKey}_test`, reference: 'r' });
      expect(answer.json()).toEqual({
        success: 'true',
        message_id: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        segments: 1,
        credits: 1,
        encoding: 'GSM-7',
        balance: 212,
        reference: 'r',
        test: true,
        otp_id: `OT${'0'.repeat(31)}1`,
        expires_at: expect.any(String),
        next_resend_at: expect.any(String),
        attempts_left: 5,
      });
      expect(await codes()).toEqual([]);
      expect(await money()).toMatchObject({ balance: 100, messages: 0 });
      expect(
        await bed.database.sql('SELECT 1 FROM sealed_texts WHERE message_id = $1', [messageIdFromPublic(idOf(answer))]),
      ).toEqual([]);
    });

    it.each([
      ['unknown_api_key', 401, { apikey: 'nobody_test' }],
      ['missing_fields', 400, { to: '' }],
      ['invalid_limit', 400, { limit: 11 }],
      ['invalid_number', 400, { to: '+1 555' }],
      ['region_unsupported', 400, { to: '+447400123456' }],
      ['message_too_long', 400, { org: 'ü🚀'.repeat(15) }],
      ['url_not_activated', 403, { org: 'evil.com' }],
    ])('checks for %s', async (code, status, spoiled) => {
      const answer = await send({ apikey: `${account.apiKey}_test`, ...spoiled });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code]);
    });
  });
});
