import type { Postgres } from '../platform/database/postgres.js';
import type { RegionSetting } from '../rules/regions.js';
import { CurrentRegions } from './current-regions.js';

const turns = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

describe('CurrentRegions', () => {
  let nowMs = 10_000;
  let queries = 0;
  let answer: () => Promise<RegionSetting[]>;
  let current: CurrentRegions;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    queries = 0;
    answer = () => Promise.resolve([]);
    const query = () => {
      queries += 1;
      return answer();
    };
    current = new CurrentRegions({ query } as unknown as Postgres);
  });

  afterEach(() => jest.restoreAllMocks());

  const setFrance = (active: boolean) => {
    answer = () => Promise.resolve([{ code: 'FRA', active, otp: null, voice: null, credits: null }]);
  };
  const isFranceActive = async () => (await current.table()).get('FR')?.active;

  it('reads once for all callers within a second, also for those that come while it reads', async () => {
    await Promise.all([current.table(), current.table()]);
    nowMs += 999;
    await current.table();
    expect(queries).toBe(1);
  });

  it('serves the table before while it reads the next one, until that is 1.5 seconds old', async () => {
    expect(await isFranceActive()).toBe(false);
    setFrance(true);
    nowMs += 1_000;
    expect(await isFranceActive()).toBe(false);
    await turns();
    expect(await isFranceActive()).toBe(true);
    setFrance(false);
    nowMs += 1_500;
    expect(await isFranceActive()).toBe(false);
    expect(queries).toBe(3);
  });

  it('serves the last table, and tries once a second, while the database is unavailable', async () => {
    setFrance(true);
    await current.table();
    answer = () => Promise.reject(new Error('gone'));
    nowMs += 5_000;
    expect(await isFranceActive()).toBe(true);
    expect(await isFranceActive()).toBe(true);
    expect(queries).toBe(2);
    nowMs += 1_000;
    setFrance(false);
    expect(await isFranceActive()).toBe(false);
  });

  it('rejects when it was never read, and reads for the next caller', async () => {
    answer = () => Promise.reject(new Error('gone'));
    await expect(current.table()).rejects.toThrow('gone');
    setFrance(true);
    expect(await isFranceActive()).toBe(true);
  });
});
