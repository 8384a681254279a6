import { randomUUID } from 'node:crypto';
import { Metrics } from '../platform/telemetry/metrics.js';
import { uuidV7Floor } from '../rules/ids.js';
import { SECOND_CARRIER, secondCarrier, withSecondCarrier } from '../testing/second-carrier.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { DispatchPauses } from '../messages/dispatch/dispatch-pauses.js';
import { RouteHealth } from './route-health.js';
import { Routes } from './routes.js';

const INVALID_NUMBER = 21_211;
const NO_ROUTE = 21_612;
/** At the other carrier the same number is an unknown code. */
const UNKNOWN_CODE = 21_612;

interface Planted {
  readonly carrier?: number;
  readonly kind?: 'sms' | 'otp';
  readonly status?: string;
  readonly errorCode?: string;
  readonly code?: number;
  /** Seconds since a worker claimed the message. */
  readonly age?: number;
  /** Seconds from the hand-over to the receipt. */
  readonly took?: number;
  /** Account of the messages; by default each message has another account. */
  readonly accountId?: string;
}

describe('RouteHealth', () => {
  let bed: TestBed;
  let core: TestCore;
  let planted = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(withSecondCarrier(bed.config()), [secondCarrier()]);
  });

  beforeEach(async () => {
    for (const table of ['messages', 'routes', 'route_changes', 'route_health', 'carrier_pauses'])
      await sql(`DELETE FROM ${table}`);
    await setRoutes({ 1: 90, [SECOND_CARRIER]: 10 });
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const sql = <Row extends object>(text: string, values: unknown[] = []) => bed.database.sql<Row>(text, values);
  const setRoutes = async (weights: Readonly<Record<number, number>>, country = 'US') => {
    for (const [carrier, weight] of Object.entries(weights))
      await sql(
        `INSERT INTO routes (country, carrier, resting_weight, weight) VALUES ($1, $2, $3, $3)
         ON CONFLICT (country, carrier) DO UPDATE SET resting_weight = $3, weight = $3`,
        [country, carrier, weight],
      );
  };
  /** Stores messages to the US, delivered in two seconds by default. */
  const plant = async (count: number, { carrier = 1, kind = 'sms', age = 60, took = 2, ...one }: Planted = {}) => {
    const at = new Date(Date.now() - age * 1_000);
    const { status = 'delivered', errorCode = null, code = null, accountId } = one;
    const isFinal = ['delivered', 'undelivered', 'failed'].includes(status);
    for (let n = 0; n < count; n += 1) {
      planted += 1;
      await sql(
        `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits,
           status, attempts, carrier, error_code, carrier_error, created_at, claimed_at, finished_at)
         VALUES ($1, $2, $3, $4, '+14155552671', 'US', '+15005550006', '', 1, 1, $5, 1, $6, $7, $8, $9, $9,
           $9::timestamptz + make_interval(secs => $10))`,
        [
          `${uuidV7Floor(at).slice(0, 24)}${planted.toString(16).padStart(12, '0')}`,
          accountId ?? randomUUID(),
          planted,
          kind,
          status,
          carrier === 1 ? null : carrier,
          errorCode,
          code,
          at,
          isFinal ? took : null,
        ],
      );
    }
  };
  /** Measures at once, regardless of the last measurement. */
  const run = async () => {
    await sql(`UPDATE route_health SET measured_at = now() - interval '1 minute'`);
    await core.get(RouteHealth).run();
  };
  const weights = async () =>
    (await sql<{ weight: number }>(`SELECT weight FROM routes WHERE country = 'US' ORDER BY carrier`)).map(
      ({ weight }) => weight,
    );
  const changes = () => sql('SELECT country, cause, "from", "to", figures FROM route_changes ORDER BY id');
  const figures = async (carrier = 1) =>
    (
      await sql(
        `SELECT messages, bad, hour_messages AS "hourMessages", hour_delivered AS "hourDelivered", p50_ms::int AS p50,
           p95_ms::int AS p95 FROM route_health WHERE carrier = $1`,
        [carrier],
      )
    )[0];

  it('one account cannot take a route from others that fare well on it', async () => {
    const accountId = randomUUID();
    await plant(60, { status: 'sent', age: 250, accountId });
    await plant(20, { age: 300 });
    await run();
    expect([await weights(), await figures()]).toMatchObject([[90, 10], { messages: 80, bad: 60 }]);
    // Messages of the other accounts fail too.
    await plant(20, { status: 'sent', age: 250 });
    await run();
    expect(await weights()).toEqual([0, 100]);
  });

  it.each<[string, Planted, { messages: number; bad: number }]>([
    ['delivered in time', {}, { messages: 20, bad: 0 }],
    ['delivered late', { took: 241, age: 300 }, { messages: 20, bad: 20 }],
    ['a code delivered within 20 seconds', { kind: 'otp', took: 20 }, { messages: 20, bad: 0 }],
    ['a code delivered later', { kind: 'otp', took: 21 }, { messages: 20, bad: 20 }],
    ['sent, before its time is over', { status: 'sent', age: 200 }, { messages: 0, bad: 0 }],
    ['sent, after it', { status: 'sent', age: 250 }, { messages: 20, bad: 20 }],
    ['a code sent, after its time', { kind: 'otp', status: 'sent', age: 30 }, { messages: 20, bad: 20 }],
    ['in doubt, after its time', { status: 'sending', age: 250 }, { messages: 20, bad: 20 }],
    ['not taken, so back in the queue', { status: 'queued', age: 5 }, { messages: 20, bad: 20 }],
    ['refused for its number', { status: 'failed', code: INVALID_NUMBER }, { messages: 20, bad: 0 }],
    ['refused for the route', { status: 'undelivered', code: NO_ROUTE }, { messages: 20, bad: 20 }],
    [
      'refused by another carrier with that code',
      { carrier: SECOND_CARRIER, status: 'failed', code: UNKNOWN_CODE },
      { messages: 20, bad: 0 },
    ],
    ['undelivered without a code', { status: 'undelivered', errorCode: 'not_delivered' }, { messages: 20, bad: 0 }],
    ['not sent for a reason of ours', { status: 'failed', errorCode: 'daily_limit' }, { messages: 0, bad: 0 }],
    ['handed over 11 minutes ago', { age: 660 }, { messages: 0, bad: 0 }],
  ])('counts what was %s', async (_title, one, expected) => {
    await plant(20, one);
    await run();
    expect(await figures(one.carrier)).toMatchObject(expected);
  });

  it('counts only what was not taken where receipts prove nothing', async () => {
    await sql(`UPDATE routes SET receipt_level = 'none'`);
    await plant(10, { status: 'sent', age: 250 });
    await plant(1, { status: 'queued' });
    await run();
    expect(await figures()).toEqual({ messages: 11, bad: 1, hourMessages: 0, hourDelivered: 0, p50: null, p95: null });
  });

  it('tells the codes of an SMPP peer’s answers from those of its receipts', async () => {
    await setRoutes({ 10: 50 });
    await plant(20, { carrier: 10, status: 'failed', errorCode: 'carrier_refused', code: 0x08 });
    await plant(5, { carrier: 10, status: 'undelivered', errorCode: 'not_delivered', code: 0x08 });
    await plant(3, { carrier: 10, status: 'undelivered', errorCode: 'not_delivered', code: 34 });
    await run();
    expect(await figures(10)).toMatchObject({ messages: 28, bad: 23 });
  });

  it('keeps the share that was delivered in the last hour, and how long that took', async () => {
    await plant(10, { age: 3_000, took: 1 });
    await plant(9, { age: 3_000, took: 9 });
    await plant(1, { age: 3_000, status: 'sent' });
    await plant(5, { age: 3_700 });
    await run();
    expect(await figures()).toEqual({
      messages: 0,
      bad: 0,
      hourMessages: 20,
      hourDelivered: 19,
      p50: 1_000,
      p95: 9_000,
    });
  });

  it('moves 10 points from a bad route to a better one, and records why', async () => {
    await plant(13);
    await plant(7, { status: 'failed', code: NO_ROUTE });
    await plant(20, { carrier: SECOND_CARRIER });
    await run();
    expect(await weights()).toEqual([80, 20]);
    expect(await changes()).toEqual([
      {
        country: 'US',
        cause: 'bad_share',
        from: { twilio: 90, second: 10 },
        to: { twilio: 80, second: 20 },
        figures: { twilio: { messages: 20, bad: 7 }, second: { messages: 20, bad: 0 } },
      },
    ]);
    await run();
    expect(await weights()).toEqual([80, 20]);
    await sql(`UPDATE route_changes SET at = now() - interval '11 minutes'`);
    await run();
    expect(await weights()).toEqual([70, 30]);
  });

  it('moves everything at once from a route by which nothing arrives any more', async () => {
    await plant(40, { age: 500 });
    await plant(20, { kind: 'otp', status: 'sent', age: 90 });
    await plant(20, { carrier: SECOND_CARRIER });
    await run();
    expect(await weights()).toEqual([0, 100]);
    expect(await changes()).toMatchObject([{ cause: 'silent', to: { twilio: 0, second: 100 } }]);
  });

  it('returns the points, 10 an hour, down to the resting weights', async () => {
    await sql('UPDATE routes SET weight = 75 WHERE carrier = 1');
    await sql('UPDATE routes SET weight = 25 WHERE carrier = 2');
    await run();
    expect(await weights()).toEqual([85, 15]);
    await run();
    expect(await weights()).toEqual([85, 15]);
    await sql(`UPDATE route_changes SET at = at - interval '61 minutes'`);
    // A cost is no change of the weights.
    await core.get(Routes).apply({ US: { routes: { twilio: { cost_microusd: 7_900 } } } });
    await run();
    expect(await weights()).toEqual([90, 10]);
    await sql(`UPDATE route_changes SET at = at - interval '61 minutes'`);
    await run();
    expect(await changes()).toMatchObject([{ cause: 'recovery' }, { cause: 'apply' }, { cause: 'recovery' }]);
  });

  it('never changes a weight that the operator holds', async () => {
    await sql('UPDATE routes SET manual_weight = 100 WHERE carrier = 1');
    await plant(20, { status: 'failed', code: NO_ROUTE });
    await run();
    expect([await weights(), await changes()]).toEqual([[90, 10], []]);
  });

  it('records a pause and its end once, for the countries with another route', async () => {
    await setRoutes({ 1: 100 }, 'CA');
    const reason = { carrier: 1, messageId: randomUUID(), httpStatus: 401, carrierError: 20_003 };
    await core.get(DispatchPauses).begin(reason, 15);
    for (let n = 0; n < 2; n += 1) await run();
    const paused = {
      country: 'US',
      cause: 'carrier_paused',
      from: { twilio: 90, second: 10 },
      to: { twilio: 0, second: 10 },
      figures: { pause: expect.any(Number), httpStatus: 401, carrierError: 20_003, probes: 0 },
    };
    expect(await changes()).toEqual([paused]);
    await core.get(DispatchPauses).end(1, false);
    for (let n = 0; n < 2; n += 1) await run();
    const resumed = { ...paused, cause: 'carrier_resumed', from: paused.to, to: paused.from };
    expect(await changes()).toEqual([paused, resumed]);
    expect(await weights()).toEqual([90, 10]);
  });

  it('records pauses late with the weights that were in force then', async () => {
    const begin = (carrier: number) =>
      core.get(DispatchPauses).begin({ carrier, messageId: randomUUID(), httpStatus: 401, carrierError: null }, 15);
    await begin(2);
    await begin(1);
    await core.get(Routes).apply({ US: { routes: { second: { weight: 30 } } } });
    await run();
    const history = await core.get(Routes).history({ country: 'US', beforeId: undefined, entriesMax: 3 });
    expect(history.map(({ cause, from, to }) => [cause, from, to])).toEqual([
      ['apply', { twilio: 90, second: 10 }, { twilio: 90, second: 30 }],
      ['carrier_paused', { twilio: 90, second: 0 }, { twilio: 0, second: 0 }],
      ['carrier_paused', { twilio: 90, second: 10 }, { twilio: 90, second: 0 }],
    ]);
    const [newest, ...earlier] = history;
    const older = { country: 'US', beforeId: newest?.id, entriesMax: 2 };
    expect(await core.get(Routes).history(older)).toEqual(earlier);
  });

  it('moves 10 points a day from a route with doubtful receipts, and counts its countries', async () => {
    await sql('UPDATE routes SET doubtful_receipts = true WHERE carrier = 1');
    for (let n = 0; n < 2; n += 1) await run();
    expect(await weights()).toEqual([80, 20]);
    expect(await changes()).toMatchObject([{ cause: 'doubtful_receipts' }]);
    const { values } = await core.get(Metrics).routesDoubtful.get();
    expect(values.map(({ labels, value }) => [labels['carrier'], value])).toEqual([
      ['twilio', 1],
      ['second', 0],
    ]);
  });

  it('measures once a minute, however many workers ask', async () => {
    await run();
    const [before] = await sql(`SELECT measured_at FROM route_health LIMIT 1`);
    await Promise.all(Array.from({ length: 3 }, () => core.get(RouteHealth).run()));
    expect(await sql(`SELECT measured_at FROM route_health LIMIT 1`)).toEqual([before]);
  });
});
