import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { regions } from '#contract/regions.js';
import { type CarrierConfig, Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import type { RouteFile } from '#core/routes/route-file.js';
import { eventually } from '#core/testing/eventually.js';
import { withSecondCarrier } from '#core/testing/second-carrier.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { refusalOf, runAdmin } from './testing/run-admin.js';

interface Applied {
  readonly changes: readonly { readonly country: string }[];
  readonly note?: string;
}

interface History {
  readonly changes: readonly { readonly id: number; readonly country: string }[];
}

const UNCHANGED = { changes: [], note: 'Nothing changes: the routes are set like this.' };

/** Settings of carriers by their weights. */
const weights = (shares: Record<string, number>) => ({
  routes: Object.fromEntries(Object.entries(shares).map(([carrier, weight]) => [carrier, { weight }])),
});

describe('route commands', () => {
  let bed: TestBed;
  const path = join(mkdtempSync(join(tmpdir(), 'routes-')), 'routes.json');

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    for (const table of ['routes', 'route_modes', 'route_changes']) await bed.database.sql(`DELETE FROM ${table}`);
  });

  afterAll(() => bed?.remove());

  const run = (line: string, config = withSecondCarrier(bed.config())) => runAdmin(config, line.split(' '), 'ada');
  const given = (file: object | string) => {
    writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file));
    return path;
  };
  const apply = (file: RouteFile, options = '', config?: Config) =>
    run(`route apply ${given(file)}${options}`, config) as Promise<Applied>;
  const detailOf = (running: Promise<unknown>) =>
    running.then(
      () => 'done',
      (error: unknown) => (error instanceof DomainError ? error.detail : String(error)),
    );
  const stored = () => bed.database.sql('SELECT * FROM routes ORDER BY country, carrier');
  const history = async (line = '') => ((await run(`route history${line}`)) as History).changes;
  const withCarriers = (change: (carriers: readonly CarrierConfig[]) => readonly CarrierConfig[]) => {
    const config = withSecondCarrier(bed.config());
    return Object.assign(Object.create(Config.prototype) as Config, config, { carriers: change(config.carriers) });
  };

  it('apply adds routes and changes what a file names; list and history show it', async () => {
    expect(await apply({ US: { mode: 'best', ...weights({ twilio: 90, second: 10 }) } })).toEqual({
      changes: [
        { country: 'US', field: 'mode', from: 'weights', to: 'best' },
        { country: 'US', carrier: 'twilio', field: 'weight', from: null, to: 90 },
        { country: 'US', carrier: 'second', field: 'weight', from: null, to: 10 },
      ],
    });
    const twilio = { carrier: 'twilio', weight: 90, restingWeight: 90, costMicrousd: null, configured: true };
    const second = { ...twilio, carrier: 'second', weight: 10, restingWeight: 10 };
    const listed = (...routes: object[]) => ({
      countries: [{ country: 'US', mode: 'best', routes, withoutRoute: [] }],
    });
    expect(await run('route list')).toMatchObject(listed(twilio, second));
    const changes = [
      { carrier: 'second', field: 'weight', from: 10, to: 30 },
      { carrier: 'second', field: 'cost_microusd', from: null, to: 7_900 },
    ];
    await apply({ US: { routes: { second: { weight: 30, cost_microusd: 7_900, paused: false } } } });
    const changed = { ...second, weight: 30, restingWeight: 30, costMicrousd: 7_900 };
    expect(await run('route list usa')).toMatchObject(listed(twilio, changed));
    expect(await run('route list CA')).toEqual({ countries: [] });
    expect(await history(' US')).toMatchObject([
      {
        country: 'US',
        cause: 'apply',
        from: { twilio: 90, second: 10 },
        to: { twilio: 90, second: 30 },
        figures: { operator: 'ada', changes },
        at: expect.any(String),
      },
      { cause: 'apply', from: {}, to: { twilio: 90, second: 10 } },
    ]);
    expect(await history(` --before ${(await history(' --entries 1'))[0]?.id}`)).toHaveLength(1);
  });

  it('show prints a file that changes nothing when it is applied', async () => {
    await apply({
      US: { mode: 'best', ...weights({ twilio: 90, second: 10 }) },
      GB: weights({ twilio: 5, second: 0 }),
    });
    await bed.database.sql(
      `UPDATE routes SET weight = 50, manual_weight = 40, active = false, cost_microusd = 4000, receipt_level = 'none',
         sender_policy = 'own', doubtful_receipts = true WHERE country = 'US' AND carrier = 2`,
    );
    const before = await stored();
    const changed = { paused: true, cost_microusd: 4_000, senders: 'own', receipts: 'none' };
    const plain = { held: null, paused: false, cost_microusd: null, senders: 'any', receipts: 'handset' };
    const US = {
      mode: 'best',
      routes: { twilio: { weight: 90, ...plain }, second: { weight: 10, held: 40, ...changed } },
    };
    const shown = (await run('route show')) as RouteFile;
    expect(shown).toEqual({
      US,
      GB: { mode: 'weights', routes: { twilio: { weight: 5, ...plain }, second: { weight: 0, ...plain } } },
    });
    expect(await run('route show US')).toEqual({ US });
    expect(await apply(shown)).toEqual(UNCHANGED);
    // The second carrier is not configured here.
    expect(await apply((await run('route show', bed.config())) as RouteFile, '', bed.config())).toEqual(UNCHANGED);
    expect([await stored(), (await history()).length]).toEqual([before, 2]);
  });

  it('a changed weight and the end of a hold begin the present weight, and trust the receipts', async () => {
    const drift = () => bed.database.sql('UPDATE routes SET weight = 50, doubtful_receipts = true');
    const routes = () =>
      bed.database.sql(
        `SELECT resting_weight AS resting, weight, manual_weight AS held, doubtful_receipts AS doubtful
         FROM routes ORDER BY carrier`,
      );
    await apply({ US: weights({ twilio: 90, second: 10 }) });
    await drift();
    const twilio = { resting: 90, weight: 50, held: null, doubtful: true };
    await apply({ US: weights({ twilio: 90, second: 20 }) });
    expect(await routes()).toEqual([twilio, { resting: 20, weight: 20, held: null, doubtful: false }]);
    await drift();
    await apply({ US: { routes: { second: { held: 100 } } } });
    expect(await routes()).toEqual([twilio, { resting: 20, weight: 50, held: 100, doubtful: true }]);
    const released = [twilio, { resting: 20, weight: 20, held: null, doubtful: false }];
    await apply({ US: { routes: { second: { held: null } } } });
    expect(await routes()).toEqual(released);
    await apply({ US: { routes: { second: { held: 100 } } } });
    await run('region enable USA --routes second:20');
    expect(await routes()).toEqual(released);
  });

  it('apply --dry-run prints the difference and changes nothing', async () => {
    await apply({ US: weights({ twilio: 90, second: 10 }) });
    const before = await stored();
    expect(await apply({ US: { mode: 'cheapest', routes: { second: { weight: 20 } } } }, ' --dry-run')).toEqual({
      changes: [
        { country: 'US', field: 'mode', from: 'weights', to: 'cheapest' },
        { country: 'US', carrier: 'second', field: 'weight', from: 10, to: 20 },
      ],
      note: 'Nothing was changed: this is a dry run.',
    });
    expect([await stored(), (await history()).length]).toEqual([before, 1]);
    expect(await bed.database.sql('SELECT * FROM route_modes')).toEqual([]);
  });

  it('all is every country of the region table without a key of its own', async () => {
    await apply({ FR: weights({ twilio: 1, second: 0 }), DE: weights({ twilio: 100, second: 0 }) });
    const file = { all: weights({ twilio: 100, second: 0 }), GB: weights({ twilio: 0, second: 7 }) };
    const { changes } = await apply(file);
    expect(new Set(changes.map(({ country }) => country)).size).toBe(regions.length - 1);
    const shown = (await run('route show')) as RouteFile;
    expect(Object.keys(shown)).toHaveLength(regions.length);
    expect([shown['GB'], shown['FR']]).toMatchObject([file.GB, file.all]);
    expect(await history(' FR')).toMatchObject([{ to: { twilio: 100 } }, { to: { twilio: 1 } }]);
    // Germany did not change.
    expect(await history(' --entries 1000')).toHaveLength(regions.length + 1);
  });

  it('apply refuses all faults at once, and then changes nothing', async () => {
    await apply({ US: weights({ twilio: 100, second: 0 }) });
    const before = await stored();
    const file = {
      US: { routes: { twilio: { cost_microusd: 5 }, vonage: { cost_microusd: 5 }, third: { weight: 1 } } },
      GB: { ...weights({ twilio: 1, second: 1 }) },
      FR: { routes: { twilio: { weight: 1 } } },
    };
    expect(await detailOf(apply(file))).toBe(
      'FR has no routes yet: give each carrier a weight, 0 for none. Not named: second. ' +
        'US has no route by vonage yet: give it a weight. ' +
        'US.routes.third: third is not configured here; these carriers are: twilio, second. Configure it first: ' +
        'docs/routes.md. Nothing was changed.',
    );
    expect([await stored(), (await history()).length]).toEqual([before, 1]);
  });

  it.each<[RouteFile, string]>([
    [
      { US: { mode: 'cheapest' } },
      'US has no routes yet: give each carrier a weight, 0 for none. Not named: twilio, second.',
    ],
    [{ US: { routes: { twilio: { paused: true } } } }, 'US has no route by twilio yet: give it a weight.'],
    [
      { US: weights({ twilio: 0, second: 0 }) },
      'The open routes of US would all have weight 0. Give one more, such as 100 to twilio, or pause them: ' +
        'route pause US twilio',
    ],
    [
      { US: { routes: { twilio: { weight: 5, held: 0 }, second: { weight: 0 } } } },
      'The open routes of US would all have weight 0. Give one more, such as 100 to twilio, or pause them: ' +
        'route pause US twilio',
    ],
    [
      { US: { routes: { twilio: { weight: 5, senders: 'own' }, second: { weight: 0 } } } },
      'twilio has no senders for US alone. Add US:SENDER to its senders in the configuration, and restart the ' +
        'processes.',
    ],
    [
      { US: { routes: { twilio: { weight: 5, paused: true }, second: { weight: 0, paused: true } } } },
      'second is the only open route of US: messages to it would be refused. Add --yes to pause it all the same.',
    ],
  ])('apply of %j is refused and names the fix', async (file, detail) => {
    expect(await detailOf(apply(file))).toBe(`${detail} Nothing was changed.`);
    expect([await stored(), await history()]).toEqual([[], []]);
  });

  it.each([
    ['{', 'The file is no JSON. route show prints one.'],
    ['[]', 'The file must be an object, not a list. Nothing was changed.'],
    [
      '{"XX": {}, "US": {"mode": "fastest", "routes": {"twilio": {"weight": 101, "senders": "all", "cost": 5}}}}',
      'US.mode must be "weights", "cheapest" or "best". US.routes.twilio.weight must be at most 100. ' +
        'US.routes.twilio.senders must be "any" or "own". US.routes.twilio has no field "cost". ' +
        'XX is no country of the region table, such as US, and not all. Nothing was changed.',
    ],
    [
      '{"US": {"routes": {"twilio": {"cost_microusd": 10000001, "held": 0.5}}}}',
      'US.routes.twilio.held must be a whole number. US.routes.twilio.cost_microusd must be at most 10,000,000. ' +
        'Nothing was changed.',
    ],
  ])('apply of %s is refused with the fields that are wrong', async (text, detail) => {
    expect(await detailOf(run(`route apply ${given(text)}`))).toBe(detail);
    expect(await stored()).toEqual([]);
  });

  it('apply and prices need a file', async () => {
    for (const command of ['apply', 'prices'])
      expect(await detailOf(run(`route ${command} ${path}.gone`))).toMatch(/^There is no file to read at .*gone\./);
  });

  it('pause and resume close and open a route, the last one with --yes', async () => {
    await apply({ US: weights({ twilio: 100, second: 0 }) });
    const paused = { country: 'US', carrier: 'twilio', field: 'paused', from: false, to: true };
    expect(await run('route pause US twilio')).toEqual({ changes: [paused] });
    expect(await run('route pause US twilio')).toEqual(UNCHANGED);
    expect(await refusalOf(run('route pause US second'))).toBe('invalid_request');
    expect(await refusalOf(apply({ US: { routes: { second: { paused: true } } } }))).toBe('invalid_request');
    await apply({ US: { routes: { second: { paused: true } } } }, ' --yes');
    await run('route resume US second');
    await run('route pause US second --yes');
    expect(await run('route resume US twilio')).toEqual({ changes: [{ ...paused, from: true, to: false }] });
    expect((await history()).slice(0, 2)).toMatchObject([
      { cause: 'apply', from: { twilio: null, second: null }, to: { twilio: 100, second: null } },
      { cause: 'apply', figures: { operator: 'ada', changes: [{ carrier: 'second', field: 'paused', to: true }] } },
    ]);
  });

  it('pause and resume of all are for the countries with a route by the carrier', async () => {
    await apply({ all: weights({ twilio: 100, second: 0 }) });
    await bed.database.sql(`DELETE FROM routes WHERE carrier = 2 AND country NOT IN ('US', 'CA')`);
    const countries = async (line: string) => ((await run(line)) as Applied).changes.map(({ country }) => country);
    expect(await countries('route pause all second')).toEqual(['CA', 'US']);
    // Elsewhere twilio is the only carrier.
    expect(await refusalOf(run('route pause all twilio'))).toBe('invalid_request');
    expect(await countries('route resume all second')).toEqual(['CA', 'US']);
    expect(await detailOf(run('route pause all third'))).toBe('No country has a route by third.');
    expect(await history(' --entries 1000')).toHaveLength(regions.length + 4);
  });

  it('a change waits for another one, and is decided by its outcome', async () => {
    await apply({ US: weights({ twilio: 100, second: 0 }) });
    const other = await bed.database.connect();
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    try {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('routes'))`);
      await other.query('UPDATE routes SET active = false WHERE carrier = 1');
      const refusal = detailOf(apply({ US: { routes: { second: { paused: true } } } }));
      await eventually('the change waits', async () => (await bed.database.sql(waiting)).length === 1);
      await other.query('COMMIT');
      expect(await refusal).toMatch(/^second is the only open route of US/);
    } finally {
      await other.end();
    }
  });

  it('prices prints a price list as a file', async () => {
    await apply({ US: weights({ twilio: 100, second: 0 }) });
    const shown = await run(`route prices ${given('country,carrier,cost\nUSA,twilio,0.0079\nUS,second,0.0065')}`);
    expect(shown).toEqual({ US: { routes: { twilio: { cost_microusd: 7_900 }, second: { cost_microusd: 6_500 } } } });
    expect((await apply(shown as RouteFile)).changes).toHaveLength(2);
  });

  it('a carrier that was removed is closed, and can be paused alone', async () => {
    await apply({ US: weights({ twilio: 90, second: 10 }) });
    const pause = (line: string) => run(`route pause US ${line}`, bed.config());
    expect(await run('route list', bed.config())).toMatchObject({
      countries: [
        {
          routes: [
            { carrier: 'twilio', configured: true },
            { carrier: '2', configured: false },
          ],
        },
      ],
    });
    expect(await detailOf(apply({ US: weights({ twilio: 0 }) }, '', bed.config()))).toMatch(/^The open routes of US/);
    expect(await detailOf(apply({ US: weights({ '2': 20 }) }, '', bed.config()))).toMatch(/2 is not configured here/);
    expect(await detailOf(pause('twilio'))).toMatch(/^twilio is the only open route of US/);
    expect(await pause('2')).toMatchObject({ changes: [{ carrier: '2', field: 'paused' }] });
  });

  it('a carrier has no weight where it has no sender, and need not be named there', async () => {
    const few = withCarriers(([twilio, second]) =>
      twilio && second
        ? [twilio, { ...second, senders: [], countrySenders: new Map([['GB', ['+447700900099']]]) }]
        : [],
    );
    for (const second of [{ weight: 10 }, { weight: 0, held: 10 }])
      expect(await detailOf(apply({ US: { routes: { twilio: { weight: 90 }, second } } }, '', few))).toMatch(
        /^second has no sender for US. Add one to its senders in the configuration and restart the processes, or/,
      );
    expect(await detailOf(apply({ GB: weights({ twilio: 90 }) }, '', few))).toMatch(/^GB .* Not named: second\./);
    await apply({ US: weights({ twilio: 90, second: 0 }), FR: weights({ twilio: 90 }) }, '', few);
    await apply({ GB: { routes: { twilio: { weight: 90 }, second: { weight: 10, senders: 'own' } } } }, '', few);
  });

  describe('with four carriers', () => {
    const withFour = () =>
      withCarriers((carriers) => [
        ...carriers,
        ...['third', 'fourth'].map((name, index) => ({
          name,
          number: 3 + index,
          senders: [`+1500555009${index}`],
          countrySenders: new Map<string, string[]>(),
          carriesMedia: true,
        })),
      ]);
    const weigh = (shares: Record<string, number>) => apply({ US: weights(shares) }, '', withFour());

    it('three of them are named, and a note has the fourth', async () => {
      const note = 'third has no route, and gets no messages, to US.';
      expect(await weigh({ twilio: 90, second: 10, fourth: 0 })).toMatchObject({ changes: { length: 3 }, note });
      expect(await run('route list US', withFour())).toMatchObject({ countries: [{ withoutRoute: ['third'] }] });
      expect(await weigh({ twilio: 80 })).toMatchObject({ note });
    });

    it.each([
      [
        { twilio: 90, second: 10 },
        'US has no routes yet: give 3 of its 4 carriers a weight, 0 for none (the others get no messages to the ' +
          'country). Not named: third, fourth. Nothing was changed.',
      ],
      [
        { twilio: 90, second: 10, third: 0, fourth: 0 },
        'US would have 4 open routes, and 3 is the most. Leave one out, or pause one first, as in ' +
          'route pause US CARRIER: it gets no messages to the country. Nothing was changed.',
      ],
    ])('weights of %j are refused', async (shares, detail) => {
      expect(await detailOf(weigh(shares))).toBe(detail);
      expect(await stored()).toEqual([]);
    });

    it('a route is exchanged for that of the fourth while it is paused', async () => {
      await weigh({ twilio: 90, second: 10, third: 0 });
      expect(await detailOf(weigh({ fourth: 10 }))).toMatch(/^US would have 4 open routes/);
      await apply({ US: { routes: { second: { paused: true }, fourth: { weight: 10 } } } }, '', withFour());
      expect(await detailOf(run('route resume US second', withFour()))).toMatch(/^US would have 4 open routes/);
      await run('route pause US third', withFour());
      await run('route resume US second', withFour());
    });

    it('the place of a carrier that was removed is free', async () => {
      await weigh({ twilio: 90, second: 10, third: 0 });
      const removed = { ...withFour(), carriers: withFour().carriers.filter(({ name }) => name !== 'second') };
      const config = Object.assign(Object.create(Config.prototype) as Config, removed);
      expect((await apply({ US: weights({ fourth: 10 }) }, '', config)).changes).toHaveLength(1);
    });

    it('region enable states which one gets nothing', async () => {
      expect(await run('region enable FRA --routes twilio:50 third:50 fourth:0', withFour())).toMatchObject({
        regions: [{ code: 'FRA', withoutRoute: ['second'] }],
        note: 'second has no route, and gets no messages, to France.',
      });
      await bed.database.sql('DELETE FROM region_settings');
    });
  });

  it('are recorded under the name of the operator', async () => {
    const audit = await bed.database.sql<{ actor: string }>(
      `SELECT DISTINCT actor FROM audit_entries WHERE details->>'command' = 'route apply'`,
    );
    expect(audit).toEqual([{ actor: 'operator:ada' }]);
  });
});
