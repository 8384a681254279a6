import { otpDayFaults } from '#core/testing/otp-day-faults.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { sentOtpText } from '#core/testing/sent-otp.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { otpScene } from '../testing/otp-scene.js';

const TO = '+14155552671';
const OWN = '4830K2';

interface Sent {
  readonly message_id: string;
  readonly otp_id: string;
  readonly code?: string;
}

describe('POST /api/sendotp with a code of the caller', () => {
  const scene = otpScene({ credits: 200, dailyLimit: 1_000 });

  afterEach(async () => {
    expect(await moneyFaults(scene.bed.database)).toEqual([]);
    expect(await otpDayFaults(scene.bed.database)).toEqual([]);
  });

  const send = (body: object = {}, headers: Record<string, string> = {}) =>
    scene.calls.send({ to: TO, apikey: scene.account.apiKey, code: OWN, ...body }, headers);
  const sent = async (body: object = {}) => (await send(body)).json<Sent>();
  const read = async (path: string) =>
    (await scene.server.inject({ url: path, headers: { authorization: `Bearer ${scene.account.apiKey}` } })).json<
      Record<string, unknown>
    >();
  const money = () => moneyOf(scene.bed.database, scene.account.id);

  it('sends the code in the usual text, for the usual price, and tells that it is not ours to verify', async () => {
    scene.account = await createTestAccount(scene.server, { credits: 200, urlsActivated: true });
    const answer = await send({ org: 'Acme', domain: 'example.com', limit: 10 });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ credits: 1, balance: 199, managed: false, next_resend_at: null, attempts_left: 0 }),
    ]);
    expect(await sentOtpText(scene.server, answer.json<Sent>().message_id)).toBe(
      `Message from Acme. Your one-time verification code is ${OWN}.\n@example.com #${OWN}`,
    );
    expect((await money()).balance).toBe(199);
  });

  it('stores the code nowhere but in the sealed text', async () => {
    await send({ reference: 'login-1' }, { 'idempotency-key': 'once' });
    const { rows, tables } = await scene.bed.database
      .sql<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)
      .then(async (found) => ({
        tables: found.length,
        rows: await Promise.all(
          found.map(({ name }) =>
            scene.bed.database.sql(`SELECT '${name}' AS name FROM "${name}" t WHERE strpos(t::text, $1) > 0`, [OWN]),
          ),
        ),
      }));
    expect(tables).toBeGreaterThan(90);
    expect(rows.flat()).toEqual([]);
    const [code] = await scene.bed.database.sql('SELECT * FROM otp_codes WHERE account_id = $1', [scene.account.id]);
    expect(code).toMatchObject({ code_hash: null, wording: null, digits: OWN.length, state: 'over' });
  });

  it('does not know the code when it is verified, and verifies a code of its own beside it', async () => {
    const { otp_id } = await sent({ code: '048213' });
    const { apiKey: apikey } = scene.account;
    const own = await scene.calls.codeOf({ to: TO, apikey });
    for (const named of [{ to: TO }, { otp_id }])
      expect(await scene.calls.verdict({ otp: '048213', apikey, ...named })).toMatchObject({ status: 'not_found' });
    expect(await scene.calls.verdict({ otp: own, to: TO, apikey })).toMatchObject({ status: 'verified' });
  });

  it('cannot send the code again', async () => {
    const { otp_id } = await sent();
    const answer = await scene.calls.resend({ otp_id, apikey: scene.account.apiKey });
    expect([answer.statusCode, answer.json<Sent>().code]).toEqual([409, 'otp_not_resendable']);
    expect((await money()).balance).toBe(199);
  });

  it('shows and lists the code as unmanaged', async () => {
    const { otp_id } = await sent({ reference: 'login-2' });
    await scene.calls.send({ to: TO, apikey: scene.account.apiKey });
    const view = { otp_id, status: 'unmanaged', attempts_left: 0, resends_left: 0, next_resend_at: null };
    expect(await read(`/api/otps/${otp_id}`)).toMatchObject({ ...view, to: TO, verified_at: null });
    expect(await read('/api/otps?status=unmanaged')).toMatchObject({ otps: [view] });
    expect(await read('/api/otps?status=pending')).toMatchObject({ otps: [{ status: 'pending' }] });
    expect(await read('/api/otps?status=expired')).toMatchObject({ otps: [] });
  });

  it.each([
    ['too short', '123'],
    ['too long', '12345678901'],
    ['with small letters', 'abc123'],
    ['with a letter that looks like 1', '12I4'],
    ['with a letter that looks like 0', '12O4'],
    ['with a letter that looks like 1 when small', 'L234'],
    ['with a space', '12 34'],
    ['with a line break at the end', '1234\n'],
    ['of another script', '١٢٣٤'],
    ['that is a number', 123456],
    ['that is empty', ''],
  ])('refuses a code %s, and changes nothing', async (_what, code) => {
    const answer = await send({ code });
    expect([answer.statusCode, answer.json<Sent>().code]).toEqual([400, 'code_invalid']);
    expect(answer.body).not.toContain(JSON.stringify(code).slice(1, -1) || '""');
    expect(await money()).toMatchObject({ balance: 200, messages: 0 });
  });

  it('makes a code without one', async () => {
    const answer = await send({ code: null });
    expect(answer.json()).toMatchObject({ attempts_left: 5 });
    expect(answer.json()).not.toHaveProperty('managed');
  });

  it('repeats the answer to the same code, and refuses another code with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'login-3' };
    const [first, again] = [await send({}, headers), await send({}, headers)];
    expect(again.json()).toEqual(first.json());
    const other = await send({ code: '4830K3' }, headers);
    expect([other.statusCode, other.json<Sent>().code]).toEqual([422, 'idempotency_conflict']);
    expect((await money()).balance).toBe(199);
  });

  it('counts for the limits of the guard, and not for its share of verified codes', async () => {
    const { apiKey: apikey } = scene.account;
    const toBlock = await Promise.all(Array.from({ length: 60 }, (_, n) => send({ to: `+1415555${2_000 + n}` })));
    expect(toBlock.map(({ statusCode }) => statusCode)).toEqual(Array(60).fill(200));
    expect((await scene.calls.send({ to: '+14155552999', apikey })).statusCode).toBe(200);
    const toOne = [];
    for (let n = 0; n < 6; n += 1) toOne.push((await send({ to: '+14155559999' })).statusCode);
    expect(toOne).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await read('/api/otp/conversion')).toMatchObject({ sent: 1, verified: 0 });
  });

  it('takes the reservation back when the account cannot pay', async () => {
    scene.account = await createTestAccount(scene.server, { credits: 0 });
    expect((await send()).statusCode).toBe(402);
    expect(await scene.bed.database.sql('SELECT 1 FROM otp_codes WHERE account_id = $1', [scene.account.id])).toEqual(
      [],
    );
    expect(await scene.bed.database.sql('SELECT 1 FROM otp_days WHERE account_id = $1', [scene.account.id])).toEqual(
      [],
    );
  });

  it('answers a test key alike, and sends nothing', async () => {
    const apikey = `${scene.account.apiKey}_test`;
    const { otp_id, ...answer } = await sent({ apikey });
    expect(answer).toMatchObject({ test: true, managed: false, next_resend_at: null, attempts_left: 0 });
    const shown = await scene.server.inject({ url: `/api/otps/${otp_id}?apikey=${apikey}` });
    expect(shown.json()).toMatchObject({ status: 'unmanaged' });
    expect(await scene.calls.verdict({ otp: '123456', otp_id, apikey })).toMatchObject({ status: 'not_found' });
    expect((await money()).balance).toBe(200);
  });
});
