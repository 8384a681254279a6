import { randomBytes } from 'node:crypto';
import type { RouteSettings } from '../routes/route-file.js';
import { Routes } from '../routes/routes.js';
import { uuidV7Floor } from '../rules/ids.js';
import { SECOND_CARRIER, secondCarrier, withSecondCarrier } from '../testing/second-carrier.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { EnteredCodesByRoute } from './entered-codes.js';

const HOUR_MS = 3_600_000;

interface Planted {
  readonly carrier?: number;
  readonly status?: string;
  readonly isEntered?: boolean;
  readonly isSentAgain?: boolean;
  /** True if the code took a random route. */
  readonly isRandom?: boolean;
  readonly hoursAgo?: number;
  readonly account?: TestAccount;
}

describe('EnteredCodesByRoute', () => {
  let bed: TestBed;
  let core: TestCore;
  let ada: TestAccount;
  let planted = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(withSecondCarrier(bed.config()), [secondCarrier()]);
    ada = await createTestAccount(core);
  });

  beforeEach(async () => {
    for (const table of [
      'otp_codes',
      'messages',
      'routes',
      'route_changes',
      'route_code_days',
      'route_codes_counted',
      'account_senders',
    ])
      await sql(`DELETE FROM ${table}`);
    await sql(
      `INSERT INTO routes (country, carrier, resting_weight, weight) VALUES ('US', 1, 90, 90), ('US', 2, 10, 10)`,
    );
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const sql = <Row extends object>(text: string, values: unknown[] = []) => bed.database.sql<Row>(text, values);
  const plant = async (count: number, one: Planted = {}) => {
    const { carrier = 1, status = 'delivered', isEntered = false, isSentAgain = false, account = ada } = one;
    const { isRandom = true, hoursAgo = 5 } = one;
    const at = new Date(Date.now() - hoursAgo * HOUR_MS);
    const ids = Array.from({ length: count }, () => {
      planted += 1;
      const digits = planted.toString(16).padStart(10, '0');
      return `${uuidV7Floor(at).slice(0, 24)}${digits}${isRandom ? '0c' : '0d'}`;
    });
    await sql(
      `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, status,
         carrier, created_at)
       SELECT id, $2, $6 + n, 'otp', '+14155552671', 'US', '+15005550006', '', 1, 1, $3, $4, $5
       FROM unnest($1::uuid[]) WITH ORDINALITY AS g (id, n)`,
      [ids, account.id, status, carrier === 1 ? null : carrier, at, planted * 1_000],
    );
    await sql(
      `INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, country, state, ended_at, created_at,
         expires_at, forget_at)
       SELECT id, $2, '+14155552671', sha256((id || $6)::bytea), 6, 'US', $3, $4, $4, $5, $5
       FROM unnest($1::uuid[]) AS id`,
      [ids, account.id, isEntered ? 'used' : 'over', at, new Date(), randomBytes(4).toString('hex')],
    );
    if (isSentAgain)
      await sql(
        `INSERT INTO otp_resends (message_id, code_id, number, attempts_left)
         SELECT gen_random_uuid(), id, 1, 5 FROM unnest($1::uuid[]) AS id`,
        [ids],
      );
  };
  const run = async () => {
    while (await core.get(EnteredCodesByRoute).run());
  };
  const counts = () =>
    sql(`SELECT carrier, sum(delivered)::int AS delivered, sum(verified)::int AS entered
         FROM route_code_days GROUP BY carrier ORDER BY carrier`);
  const doubtful = async () =>
    (await sql<{ carrier: number }>('SELECT carrier FROM routes WHERE doubtful_receipts')).map(
      ({ carrier }) => carrier,
    );

  it('counts each code once: delivered by its receipt, and entered without having been sent again', async () => {
    await plant(3, { isEntered: true });
    await plant(2);
    await plant(1, { isEntered: true, isSentAgain: true });
    await plant(4, { carrier: SECOND_CARRIER, isEntered: true });
    await plant(5, { status: 'undelivered' });
    await plant(6, { isRandom: false });
    await plant(7, { hoursAgo: 1 });
    await plant(8, { hoursAgo: 23 });
    await Promise.all([run(), run()]);
    await run();
    expect(await counts()).toEqual([
      { carrier: 1, delivered: 6, entered: 3 },
      { carrier: SECOND_CARRIER, delivered: 4, entered: 4 },
    ]);
  });

  it('leaves out accounts that have senders of their own', async () => {
    const bob = await createTestAccount(core);
    await sql('INSERT INTO account_senders (account_id, sender) VALUES ($1, $2)', [bob.id, '+15005550011']);
    await plant(3, { account: bob });
    await run();
    expect(await counts()).toEqual([]);
  });

  it('doubts a route of which too few are entered, records why, and trusts it once more are', async () => {
    await plant(200, { isEntered: true });
    await plant(150, { carrier: SECOND_CARRIER });
    await plant(50, { carrier: SECOND_CARRIER, isEntered: true });
    await run();
    expect(await doubtful()).toEqual([SECOND_CARRIER]);
    expect(await sql('SELECT cause, figures FROM route_changes')).toEqual([
      {
        cause: 'receipts_doubted',
        figures: {
          carrier: 'second',
          twilio: { delivered: 200, entered: 200 },
          second: { delivered: 200, entered: 50 },
        },
      },
    ]);
    await sql('UPDATE route_code_days SET verified = delivered');
    await sql(`UPDATE route_codes_counted SET until = until - interval '1 hour'`);
    await run();
    expect(await doubtful()).toEqual([]);
    expect(await sql('SELECT cause FROM route_changes ORDER BY id DESC LIMIT 1')).toEqual([
      { cause: 'receipts_trusted' },
    ]);
  });

  it.each<[string, RouteSettings, number[]]>([
    ['forgets codes from before the operator set a weight', { weight: 20 }, []],
    ['forgets codes from before the operator ended a hold', { held: null }, []],
    ['remembers codes from before the operator set a cost', { cost_microusd: 4_000 }, [SECOND_CARRIER]],
  ])('keeps its judgement with too few codes, and %s', async (_title, second, judged) => {
    await sql('UPDATE routes SET doubtful_receipts = true, manual_weight = 5 WHERE carrier = 2');
    await plant(10, { isEntered: true });
    await run();
    expect(await doubtful()).toEqual([SECOND_CARRIER]);
    await sql(
      `INSERT INTO route_code_days
       SELECT 'US', c, (now() AT TIME ZONE 'UTC')::date - 2, 500, CASE c WHEN 1 THEN 500 ELSE 1 END
       FROM unnest(ARRAY[1, 2]) c`,
    );
    await sql('UPDATE routes SET doubtful_receipts = false');
    await core.get(Routes).apply({ US: { routes: { second } } });
    await sql(`UPDATE route_codes_counted SET until = until - interval '1 hour'`);
    await run();
    expect(await doubtful()).toEqual(judged);
  });
});
