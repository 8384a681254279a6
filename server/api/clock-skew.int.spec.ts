import { countDay, createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { SESSION_COOKIE, TestBrowser } from '../testing/browser.js';
import { createTestServer, OtpCalls, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const HOUR_MS = 3_600_000;

// Runs first: ids never go back in time, and the other tests leave ids in the future.
describe('a server whose clock is 59 minutes ahead of the other’s', () => {
  let bed: TestBed;
  let right: TestServer;
  let ahead: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    [right, ahead] = await Promise.all([createTestServer(bed.config()), createTestServer(bed.config())]);
  });

  afterAll(async () => {
    await Promise.all([right?.close(), ahead?.close()]);
    await bed?.remove();
  });

  it('finds the other’s message within the time of dedupe', async () => {
    const { apiKey: apikey } = await createTestAccount(right);
    const body = { to: TO, message: 'Hello', apikey, dedupe: 30 };
    const first = await right.send(body);
    const again = await withClockShifted(59 * 60_000, () => ahead.send(body));
    const { message_id } = first.json<{ message_id: string }>();
    expect(again.json()).toMatchObject({ deduplicated: true, message_id });
  });
});

// The database's clock decides everything that one server writes and another reads.
describe.each([
  ['two days ahead', 48 * HOUR_MS],
  ['two days behind', -48 * HOUR_MS],
])('a server whose clock is %s of the other’s', (_how, skewMs) => {
  let bed: TestBed;
  let right: TestServer;
  let wrong: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    [right, wrong] = await Promise.all([createTestServer(bed.config()), createTestServer(bed.config())]);
  });

  afterAll(async () => {
    await Promise.all([right?.close(), wrong?.close()]);
    await bed?.remove();
  });

  const skewed = <T>(work: () => Promise<T>) => withClockShifted(skewMs, work);

  it('shares sessions with the other', async () => {
    const { id } = await createTestAccount(right);
    const browser = await TestBrowser.signedIn(right, id);
    const cookie = `${SESSION_COOKIE}=${browser.cookies.get(SESSION_COOKIE)}`;
    const atWrong = await skewed(() => wrong.inject({ url: '/auth/me', headers: { cookie } }));
    expect(atWrong.json()).toMatchObject({ id });
    const started = await skewed(() => TestBrowser.signedIn(wrong, id));
    const atRight = await right.inject({
      url: '/auth/me',
      headers: { cookie: `${SESSION_COOKIE}=${started.cookies.get(SESSION_COOKIE)}` },
    });
    expect(atRight.json()).toMatchObject({ id });
  });

  it('accepts codes of the other until they expire', async () => {
    const { apiKey: apikey } = await createTestAccount(right);
    const otp = await new OtpCalls(right).codeOf({ to: TO, apikey });
    const verified = await skewed(() => new OtpCalls(wrong).verify({ otp, to: TO, apikey }));
    expect(verified.body).toBe('OTP verified');
    const other = await skewed(() => new OtpCalls(wrong).codeOf({ to: TO, apikey }));
    expect((await new OtpCalls(right).verify({ otp: other, to: TO, apikey })).body).toBe('OTP verified');
  });

  it('applies an Idempotency-Key of the other', async () => {
    const { apiKey: apikey } = await createTestAccount(right);
    const body = { to: TO, message: 'Hello', apikey };
    const headers = { 'idempotency-key': 'once' };
    const first = await right.send(body, headers);
    const again = await skewed(() => wrong.send(body, headers));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json()).toEqual(first.json());
  });

  it('counts the same day of the daily limit', async () => {
    const { id, apiKey: apikey } = await createTestAccount(right, { dailyLimit: 1 });
    await countDay(bed.database, id, 1);
    const answer = await skewed(() => wrong.send({ to: TO, message: 'Hello', apikey }));
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([429, 'daily_limit']);
  });
});

/** Everything that Jest can fake besides the date. */
const untouched = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** Runs `work` with a process clock that is off by `byMs`; the database's is correct. */
async function withClockShifted<T>(byMs: number, work: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now: Date.now() + byMs, doNotFake: [...untouched] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}
