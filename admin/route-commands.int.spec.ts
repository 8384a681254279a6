import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { regions } from '#contract/regions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Config } from '#core/platform/config/config.js';
import { withSecondCarrier } from '#core/testing/second-carrier.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { refusalOf, runAdmin } from './testing/run-admin.js';

interface Listed {
  readonly countries: readonly {
    readonly country: string;
    readonly mode: string;
    readonly routes: readonly { readonly carrier: string; readonly weight: number; readonly active: boolean }[];
  }[];
}

interface History {
  readonly changes: readonly { readonly id: number; readonly country: string; readonly cause: string }[];
}

describe('route commands', () => {
  let bed: TestBed;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    for (const table of ['routes', 'route_modes', 'route_changes']) await bed.database.sql(`DELETE FROM ${table}`);
  });

  afterAll(() => bed?.remove());

  const run = (line: string, config = withSecondCarrier(bed.config())) => runAdmin(config, line.split(' '), 'ada');
  const route = (line: string) => run(`route ${line}`) as Promise<Listed>;
  const history = async (line = '') => ((await run(`route history${line}`)) as History).changes;
  const detailOf = (line: string) =>
    route(line).then(
      () => 'done',
      (error: unknown) => (error instanceof DomainError ? error.detail : String(error)),
    );

  it('weight adds routes, and later changes the weights that it names', async () => {
    const twilio = {
      country: 'US',
      carrier: 'twilio',
      weight: 90,
      restingWeight: 90,
      manualWeight: null,
      costMicrousd: null,
      senderPolicy: 'any',
      receiptLevel: 'handset',
      doubtfulReceipts: false,
      active: true,
      configured: true,
    };
    const second = { ...twilio, carrier: 'second', weight: 10, restingWeight: 10 };
    const added = { countries: [{ country: 'US', mode: 'weights', routes: [twilio, second], withoutRoute: [] }] };
    expect(await route('weight usa twilio:90 second:10')).toEqual(added);
    expect(await route('list')).toEqual(added);
    const changed = await route('weight US second:30');
    expect(changed.countries[0]?.routes).toMatchObject([
      { weight: 90, restingWeight: 90 },
      { weight: 30, restingWeight: 30 },
    ]);
  });

  it('weight --hold keeps the resting weights, to which release returns', async () => {
    await route('weight US twilio:90 second:10');
    expect((await route('weight US twilio:0 second:100 --hold')).countries[0]?.routes).toMatchObject([
      { weight: 90, restingWeight: 90, manualWeight: 0 },
      { weight: 10, restingWeight: 10, manualWeight: 100 },
    ]);
    await bed.database.sql('UPDATE routes SET weight = 50');
    expect((await route('release US')).countries[0]?.routes).toMatchObject([
      { weight: 90, manualWeight: null },
      { weight: 10, manualWeight: null },
    ]);
    expect(await detailOf('release US')).toBe('No weight of US is held. route list shows them.');
    expect((await history()).map(({ cause }) => cause)).toEqual(['release', 'hold', 'weight']);
  });

  it('weight without --hold ends a hold', async () => {
    await route('weight US twilio:0 second:100 --hold');
    expect((await route('weight US twilio:5')).countries[0]?.routes).toMatchObject([
      { weight: 5, manualWeight: null },
      { weight: 100, manualWeight: 100 },
    ]);
  });

  it('weight trusts the receipts of its routes again', async () => {
    await route('weight US twilio:90 second:10');
    await bed.database.sql('UPDATE routes SET doubtful_receipts = true');
    expect((await route('weight US second:10')).countries[0]?.routes).toMatchObject([
      { carrier: 'twilio', doubtfulReceipts: true },
      { carrier: 'second', doubtfulReceipts: false },
    ]);
  });

  it('pause and resume close and open a route, the last one with --yes', async () => {
    await route('weight US twilio:100 second:0');
    expect((await route('pause US twilio')).countries[0]?.routes).toMatchObject([{ active: false }, { active: true }]);
    expect(await detailOf('pause US second')).toBe(
      'second is the only open route of US: messages to it would be refused. Add --yes to pause it all the same.',
    );
    await route('pause US second --yes');
    expect((await route('resume US twilio')).countries[0]?.routes).toMatchObject([{ active: true }, { active: false }]);
    expect(await history()).toMatchObject([
      {
        country: 'US',
        cause: 'resume',
        from: { twilio: null, second: null },
        to: { twilio: 100, second: null },
        figures: { operator: 'ada' },
        at: expect.any(String),
      },
      { cause: 'pause', to: { twilio: null, second: null } },
      { cause: 'pause', from: { twilio: 100, second: 0 }, to: { twilio: null, second: 0 } },
      { cause: 'weight', from: {}, to: { twilio: 100, second: 0 } },
    ]);
  });

  it('prices load sets all costs of a file or none, and shows them before with --dry-run', async () => {
    await route('weight US twilio:100 second:0');
    await route('set US twilio --cost 7900');
    const file = join(mkdtempSync(join(tmpdir(), 'prices-')), 'prices.csv');
    const load = async (rows: string, options = '') => {
      writeFileSync(file, `country,carrier,cost\n${rows}`);
      return run(`route prices load ${file}${options}`);
    };
    const refusal = (rows: string) =>
      load(rows).then(
        () => 'done',
        (error: unknown) => (error instanceof DomainError ? error.detail : String(error)),
      );
    const costs = () => bed.database.sql('SELECT carrier, cost_microusd FROM routes ORDER BY carrier');
    const before = [
      { carrier: 1, cost_microusd: 7_900 },
      { carrier: 2, cost_microusd: null },
    ];
    const changes = [{ country: 'US', carrier: 'second', fromMicrousd: null, toMicrousd: 6_500 }];
    const rows = 'US,twilio,0.0079\nUSA,second,0.0065';

    expect(await load(rows, ' --dry-run')).toEqual({ changes, unchanged: 1, isDryRun: true });
    expect([await costs(), (await history()).length]).toEqual([before, 2]);
    expect(await refusal(`${rows}\nGB,twilio,0.04\nUS,vonage,1`)).toBe(
      'Line 4: GB has no routes. Give it some: route weight GB twilio:WEIGHT second:WEIGHT. ' +
        'Line 5: US has no route by vonage, only by twilio, second. Add it: route weight US vonage:WEIGHT. ' +
        'Nothing was loaded.',
    );
    expect(await costs()).toEqual(before);

    expect(await load(rows)).toEqual({ changes, unchanged: 1, isDryRun: false });
    expect(await costs()).toEqual([before[0], { carrier: 2, cost_microusd: 6_500 }]);
    expect((await history())[0]).toMatchObject({
      country: 'US',
      cause: 'prices',
      figures: { prices: changes, operator: 'ada' },
    });
    expect(await load(rows)).toEqual({ changes: [], unchanged: 2, isDryRun: false });
    expect(await history()).toHaveLength(3);
    expect(await detailOf(`prices load ${file}.gone`)).toMatch(/^There is no file to read at .*gone\./);
  });

  it('set and mode change what a choice rests on', async () => {
    await route('weight US twilio:100 second:0');
    const set = await route('set US second --cost 7900 --receipts network');
    expect(set.countries[0]?.routes[1]).toMatchObject({
      costMicrousd: 7_900,
      receiptLevel: 'network',
      senderPolicy: 'any',
    });
    expect(await route('mode US cheapest')).toMatchObject({ countries: [{ mode: 'cheapest' }] });
    expect(await route('mode US best')).toMatchObject({ countries: [{ mode: 'best' }] });
    expect(await history()).toMatchObject([
      { cause: 'mode', figures: { mode: 'best' } },
      { cause: 'mode', figures: { mode: 'cheapest' } },
      { cause: 'terms', figures: { carrier: 'second', costMicrousd: 7_900 } },
      { cause: 'weight' },
    ]);
    expect(await detailOf('set US second --senders own')).toMatch(
      /^second has no senders for US alone\. Add US:SENDER/,
    );
    expect(await detailOf('set US second')).toBe('Add --cost, --senders or --receipts.');
  });

  it('are for one country, or for all of the region table at once', async () => {
    await route('weight FR twilio:1 second:0');
    expect((await route('weight all twilio:100 second:0')).countries).toHaveLength(regions.length);
    expect((await route('list CA')).countries.map(({ country }) => country)).toEqual(['CA']);
    expect(await history(' FR')).toMatchObject([
      { from: { twilio: 1, second: 0 }, to: { twilio: 100, second: 0 } },
      { from: {} },
    ]);
    const [newest] = await history(' --entries 1');
    expect(await history(` --before ${newest?.id} --entries 1000`)).toHaveLength(regions.length);
  });

  it('of all change the countries with such a route, all of them or none', async () => {
    await route('weight all twilio:100 second:0');
    await bed.database.sql(`DELETE FROM routes WHERE carrier = 2 AND country NOT IN ('US', 'CA')`);
    const paused = await route('pause all second');
    expect(paused.countries.map(({ country }) => country)).toEqual(['CA', 'US']);
    expect(await history(' --entries 1000')).toHaveLength(regions.length + 2);
    // Elsewhere twilio is the only carrier.
    expect(await refusalOf(route('pause all twilio'))).toBe('invalid_request');
    expect(await history(' --entries 1000')).toHaveLength(regions.length + 2);
    expect(await detailOf('release all')).toMatch(/^No country has such a route\. route list shows/);
    await route('weight CA twilio:5 --hold');
    expect((await route('release all')).countries.map(({ country }) => country)).toEqual(['CA']);
  });

  it.each([
    [
      'weight US twilio:90',
      'US has no routes yet: give each carrier a weight, 0 for none, as in route weight US twilio:90 second:0',
    ],
    [
      'weight US twilio:90 third:10 second:0',
      'third is not configured here; these carriers are: twilio, second. Configure it first: docs/routes.md.',
    ],
    [
      'weight US twilio:0 second:0',
      /^The open routes of US would all have weight 0\. Give one more, as in route weight US twilio:100/,
    ],
    ['pause US twilio', 'US has no routes. Give it some: route weight US twilio:WEIGHT second:WEIGHT'],
    ['mode US cheapest', /^US has no routes/],
  ])('%s is refused and names the fix', async (line, detail) => {
    expect(await detailOf(line)).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail));
    expect(await route('list')).toEqual({ countries: [] });
  });

  it.each([
    'weight XX twilio:1',
    'weight US twilio:101',
    'weight US twilio',
    'weight US twilio:1 twilio:2',
    'mode US fastest',
    'set US twilio --senders all',
  ])('%s is mistyped', async (line) => {
    expect(await refusalOf(route(line))).toBe('commander.invalidArgument');
  });

  it('treat a carrier that was removed as closed', async () => {
    await route('weight US twilio:90 second:10');
    const without = (line: string) => run(`route ${line}`, bed.config()) as Promise<Listed>;
    expect((await without('list')).countries[0]?.routes).toMatchObject([
      { carrier: 'twilio', configured: true },
      { carrier: '2', configured: false },
    ]);
    expect(await refusalOf(without('weight US twilio:0'))).toBe('invalid_request');
    expect(await refusalOf(without('pause US twilio'))).toBe('invalid_request');
    expect((await without('pause US 2')).countries[0]?.routes[1]).toMatchObject({ active: false });
  });

  it('weigh no carrier for a country that it has no sender for, and do not ask for its weight', async () => {
    const config = withSecondCarrier(bed.config());
    const [twilio, second] = config.carriers;
    const british = { ...second, senders: [], countrySenders: new Map([['GB', ['+447700900099']]]) };
    const few = Object.assign(Object.create(Config.prototype) as Config, config, { carriers: [twilio, british] });
    const weigh = (line: string) => run(`route weight ${line}`, few);
    await expect(weigh('US twilio:90 second:10')).rejects.toThrow('second has no sender for US. Add one');
    await expect(weigh('GB twilio:90')).rejects.toThrow('route weight GB twilio:90 second:0');
    await weigh('US twilio:90');
    await weigh('GB twilio:90 second:10');
    await run('route set GB second --senders own', few);
  });

  describe('with four carriers', () => {
    const withFour = () => {
      const config = withSecondCarrier(bed.config());
      const more = ['third', 'fourth'].map((name, index) => ({
        name,
        number: 3 + index,
        senders: [`+1500555009${index}`],
        countrySenders: new Map<string, string[]>(),
      }));
      const carriers = [...config.carriers, ...more];
      return Object.assign(Object.create(Config.prototype) as Config, config, { carriers });
    };
    const weigh = (line: string) => run(`route weight ${line}`, withFour());

    it('weight takes three of them, and states which one gets nothing', async () => {
      expect(await weigh('US twilio:90 second:10 fourth:0')).toMatchObject({
        countries: [{ routes: { length: 3 }, withoutRoute: ['third'] }],
        note: 'third has no route, and gets no messages, to US.',
      });
      expect(await run('route list US', withFour())).toMatchObject({ countries: [{ withoutRoute: ['third'] }] });
      expect(await weigh('US twilio:80')).toMatchObject({ note: expect.stringContaining('third has no route') });
    });

    it('weight of all countries lists those where a carrier gets nothing', async () => {
      expect(await weigh('all twilio:100 second:0 third:0')).toMatchObject({
        note: expect.stringMatching(/^fourth has no route, and gets no messages, to AR, AT, AU, .*ZA\.$/),
      });
    });

    it.each([
      [
        'US twilio:90 second:10',
        'US has no routes yet: give 3 of its 4 carriers a weight, 0 for none (the others get no messages to the ' +
          'country), as in route weight US twilio:90 second:10 third:0',
      ],
      [
        'US twilio:90 second:10 third:0 fourth:0',
        'US would have 4 open routes, and 3 is the most. Leave one out, or pause one first, as in ' +
          'route pause US CARRIER: it gets no messages to the country.',
      ],
    ])('weight %s is refused and names the fix', async (line, detail) => {
      await expect(weigh(line)).rejects.toMatchObject({ detail });
      expect(await route('list')).toEqual({ countries: [] });
    });

    it('a route is exchanged for that of the fourth, after it was paused', async () => {
      await weigh('US twilio:90 second:10 third:0');
      await expect(weigh('US fourth:10')).rejects.toMatchObject({ detail: expect.stringContaining('4 open routes') });
      await run('route pause US second', withFour());
      expect(await weigh('US fourth:10')).toMatchObject({ countries: [{ routes: { length: 4 }, withoutRoute: [] }] });
      await expect(run('route resume US second', withFour())).rejects.toMatchObject({
        detail: expect.stringMatching(/^US would have 4 open routes/),
      });
      await run('route pause US third', withFour());
      await run('route resume US second', withFour());
    });

    it('the place of a carrier that was removed is free', async () => {
      await weigh('US twilio:90 second:10 third:0');
      const config = withFour();
      const others = config.carriers.filter(({ name }) => name !== 'second');
      const removed = Object.assign(Object.create(Config.prototype) as Config, config, { carriers: others });
      expect(await run('route weight US fourth:10', removed)).toMatchObject({ countries: [{ routes: { length: 4 } }] });
    });

    it('a command that needs routes shows one with three', async () => {
      await expect(run('route mode US best', withFour())).rejects.toMatchObject({
        detail: 'US has no routes. Give it some: route weight US twilio:WEIGHT second:WEIGHT third:WEIGHT',
      });
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
      `SELECT DISTINCT actor FROM audit_entries WHERE details->>'command' = 'route weight'`,
    );
    expect(audit).toEqual([{ actor: 'operator:ada' }]);
  });
});
