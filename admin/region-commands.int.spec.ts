import { regions } from '#contract/regions.js';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { withSecondCarrier } from '#core/testing/second-carrier.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { runAdmin } from './testing/run-admin.js';

interface Shown {
  readonly regions: readonly {
    readonly code: string;
    readonly active: boolean;
    readonly otp: boolean;
    readonly credits: number;
    readonly defaults: object;
    readonly routes: object | null;
  }[];
}

describe('region commands', () => {
  let bed: TestBed;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    for (const table of ['region_settings', 'routes', 'route_modes', 'route_changes'])
      await bed.database.sql(`DELETE FROM ${table}`);
  });

  afterAll(() => bed?.remove());

  const run = (line: string, config: Config = withSecondCarrier(bed.config())) =>
    runAdmin(config, line.split(' '), 'ada');
  const region = (line: string, config?: Config) => run(`region ${line}`, config) as Promise<Shown>;
  const detailOf = (line: string, config?: Config) =>
    region(line, config).then(
      () => 'done',
      (error: unknown) => (error instanceof DomainError ? error.detail : error instanceof Error ? error.message : ''),
    );
  const stored = () => bed.database.sql('SELECT * FROM region_settings ORDER BY code');
  const changes = () => bed.database.sql('SELECT * FROM route_changes ORDER BY id');

  it('list shows the table of a new installation, and show one country of it', async () => {
    const listed = await region('list');
    expect(listed.regions).toHaveLength(regions.length);
    const france = {
      country: 'France',
      code: 'FRA',
      iso2: 'FR',
      active: false,
      otp: false,
      voice: false,
      credits: 4,
      defaults: {},
      routes: null,
      withoutRoute: [],
    };
    expect(listed.regions.filter(({ code }) => code === 'FRA')).toEqual([france]);
    expect(await region('show fr')).toEqual({ regions: [france] });
    expect(await stored()).toEqual([]);
  });

  it('enable sets routes, price and codes in one change, and records who made it', async () => {
    expect((await region('enable FRA --credits 6 --otp on --routes second:100 twilio:0')).regions).toMatchObject([
      {
        active: true,
        otp: true,
        credits: 6,
        defaults: { active: false, otp: false, credits: 4 },
        routes: { twilio: 0, second: 100 },
      },
    ]);
    expect(await stored()).toEqual([{ code: 'FRA', active: true, otp: true, voice: null, credits: 6 }]);
    expect(await changes()).toMatchObject([
      { country: 'FR', cause: 'apply', from: {}, to: { twilio: 0, second: 100 }, figures: { operator: 'ada' } },
      {
        country: 'FR',
        cause: 'region',
        from: { twilio: 0, second: 100 },
        to: { twilio: 0, second: 100 },
        figures: {
          operator: 'ada',
          region: { from: { active: false, otp: false, credits: 4 }, to: { active: true, otp: true, credits: 6 } },
        },
      },
    ]);
    const audited = await bed.database.sql(
      `SELECT details FROM audit_entries WHERE details->>'command' = 'region enable' ORDER BY id DESC LIMIT 1`,
    );
    expect(audited).toMatchObject([{ details: { arguments: ['FRA'] } }]);
  });

  it('stores only what differs from the table, and nothing for a change that changes nothing', async () => {
    await region('enable GB');
    expect([await stored(), await changes()]).toEqual([[], []]);
    await region('set GB --credits 9');
    expect(await stored()).toEqual([{ code: 'GBR', active: null, otp: null, voice: null, credits: 9 }]);
    await region('disable GB');
    expect(await stored()).toEqual([{ code: 'GBR', active: false, otp: null, voice: null, credits: 9 }]);
    await region('enable GB --credits 3');
    expect(await stored()).toEqual([]);
    expect((await changes()).map(({ cause }) => cause)).toEqual(['region', 'region', 'region']);
  });

  it('enable without routes is for a country that some carrier has senders for', async () => {
    const only = (senders: readonly string[]): Config => {
      const config = bed.config();
      const carriers = config.carriers.map((carrier) => ({ ...carrier, senders, countrySenders: new Map() }));
      return Object.assign(Object.create(Config.prototype) as Config, config, { carriers });
    };
    expect(await detailOf('enable FRA', only([]))).toBe(
      "No carrier has a sender for France. Add one to a carrier's senders in the configuration, restart the " +
        'processes, and repeat the command: docs/routes.md.',
    );
    expect(await stored()).toEqual([]);
    expect(await detailOf('enable FRA', only(['+15005550006']))).toBe('done');
  });

  it('enable is refused while all routes are closed, with the command that opens one', async () => {
    await run('region enable FRA --routes twilio:100 second:0');
    await run('region disable FRA');
    await run('route pause FR twilio');
    await run('route pause FR second --yes');
    expect(await detailOf('enable FRA')).toBe(
      'France has no open route, only closed ones by twilio, second. Open one first: route resume FR twilio',
    );
    expect(await stored()).toEqual([]);
    await run('route resume FR second');
    expect(await detailOf('enable FRA')).toBe('done');
  });

  it('enable with impossible routes changes neither them nor the country', async () => {
    expect(await detailOf('enable FRA --routes second:100')).toBe(
      'FR has no routes yet: give each carrier a weight, 0 for none. Not named: twilio. Nothing was changed.',
    );
    expect(await detailOf('enable FRA --routes vonage:100 twilio:0 second:0')).toMatch(/: vonage is not configured/);
    expect([await stored(), await changes(), await bed.database.sql('SELECT * FROM routes')]).toEqual([[], [], []]);
  });

  it.each([
    ['show XX', 'Give a country of the region table, such as US or USA. region list shows them all.'],
    ['enable Atlantis', 'Give a country of the region table, such as US or USA. region list shows them all.'],
    ['set FRA --credits 0', 'Give a whole number from 1 to 50.'],
    ['set FRA --credits 51', 'Give a whole number from 1 to 50.'],
    ['set FRA --credits 1.5', 'Give a whole number from 1 to 50.'],
    ['set FRA --otp maybe', 'Allowed choices are on, off.'],
    ['set FRA', 'Add --credits, --otp or --voice.'],
  ])('%s is refused and changes nothing', async (line, fix) => {
    expect((await detailOf(line)).endsWith(fix)).toBe(true);
    expect([await stored(), await changes()]).toEqual([[], []]);
  });
});
