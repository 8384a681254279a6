import { DataSource } from 'typeorm';
import { testConfig } from '../../testing/test-config.js';
import { createEmptyDatabase } from '../../testing/test-database.js';
import { Logger } from '../telemetry/logger.js';
import { MOVED } from '../citus/functions.sql.js';
import { inGroup, Shards } from './shards.js';
import { Postgres } from './postgres.js';

const GROUP = '7';
const CONNECTIONS = 4;

/**
 * The parts of Citus's catalog that are read: one group on the server itself, and a record of each
 * opening of its connections.
 */
const CATALOG = `
  CREATE TABLE pg_dist_partition (); CREATE TABLE directory (); CREATE TABLE accounts (); CREATE TABLE
    openings (id text);
  CREATE TABLE pg_dist_shard AS SELECT ${GROUP} AS shardid, 'accounts'::regclass AS logicalrelid, '0' AS shardminvalue;
  CREATE TABLE pg_dist_placement AS SELECT ${GROUP} AS shardid, 1 AS groupid;
  CREATE TABLE pg_dist_node AS
    SELECT 1 AS groupid, $1::text AS nodename, $2::int AS nodeport, 'primary' AS noderole;
  CREATE FUNCTION open_shard(id text) RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO openings VALUES (id); END`;

describe('connections to a group of shards', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let dataSource: DataSource;
  let shards: Shards;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    const { hostname, port } = new URL(database.url);
    await dataSource.query(CATALOG.replace('$1', `'${hostname}'`).replace('$2', port || '5432'));
    shards = await Shards.over(dataSource, testConfig({ DATABASE_URL: database.url }), Logger.silent());
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  const onGroup = async (text: string) => (await (await shards.pool()).query<{ pid: number }>(text)).rows[0]?.pid;
  const backend = () => onGroup('SELECT pg_backend_pid() AS pid');
  const fail = (state: string, message = state) =>
    onGroup(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}', MESSAGE = '${message}'; END $$`);
  const openings = async () => (await dataSource.query<unknown[]>('SELECT FROM openings')).length;

  /** Returns work that the group refuses with this state and message the first time. */
  function refusedOnce(state: string, message?: string) {
    const attempts: (number | undefined)[] = [];
    const work = async () => {
      attempts.push(await backend());
      if (attempts.length === 1) await fail(state, message);
      return attempts;
    };
    return { attempts, run: () => inGroup(GROUP, () => shards.retried(work)) };
  }

  it.each([MOVED, '3F000', '42P01', '42883', '0A000'])(
    'are made anew where the group is now when it refuses a statement with %s, which is repeated',
    async (state) => {
      const [first, second, ...others] = await refusedOnce(state).run();
      expect([first, second]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(second).not.toBe(first);
      expect(others).toEqual([]);
    },
  );

  it('are made anew after a refusal of Citus that has no state of its own, unlike other internal errors', async () => {
    const nested = 'cannot execute a distributed query from a query on a shard';
    expect(await refusedOnce('XX000', nested).run()).toHaveLength(2);
    await expect(refusedOnce('XX000').run()).rejects.toThrow('XX000');
  });

  it('are made again for a call of a repository too, which is repeated', async () => {
    const postgres = new Postgres(dataSource, shards, testConfig({ DATABASE_URL: database.url }));
    await inGroup(GROUP, backend);
    const before = await openings();
    let attempts = 0;
    const call = () =>
      postgres.call(async (manager) => {
        attempts += 1;
        if (attempts === 1) await manager.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${MOVED}'; END $$`);
        return backend();
      });
    await inGroup(GROUP, call);
    expect([attempts, await openings()]).toEqual([2, before + 1]);
  });

  it('are left by a statement on shared tables, alone and in a transaction', async () => {
    const config = testConfig({ DATABASE_URL: database.url });
    const divided = new Shards(shards.coordinator, config, Logger.silent(), true);
    const postgres = new Postgres(dataSource, divided, config);
    const runner = dataSource.createQueryRunner();
    await runner.query(`SET search_path = shard_${GROUP}, public`);
    const text = `SELECT current_setting('search_path') LIKE 'shard_${GROUP},%' AS "isOfGroup"`;
    const [own, shared] = [{ text }, { text, shared: true }];
    const found = await inGroup(GROUP, async () => [
      ...(await postgres.query(own, [])),
      ...(await postgres.query(shared, [])),
      ...(await postgres.run(runner.manager, own, [])),
      ...(await postgres.run(runner.manager, shared, [])),
    ]);
    expect(found).toEqual([true, false, true, false].map((isOfGroup) => ({ isOfGroup })));
    expect(await postgres.queryEach(own, [])).toEqual([{ isOfGroup: true }]);
    expect(await postgres.queryEachInReach(own, [])).toEqual([{ isOfGroup: true }]);
    await runner.query('RESET search_path');
    await runner.release();
    await divided.end();
  });

  it('are kept when a statement fails for another reason, which is not repeated', async () => {
    const { attempts, run } = refusedOnce('23505');
    await expect(run()).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toHaveLength(1);
    const before = await openings();
    await inGroup(GROUP, backend);
    expect(await openings()).toBe(before);
  });

  it('are made anew once when several statements are refused', async () => {
    await inGroup(GROUP, backend);
    const before = await openings();
    // The later attempts fail when new connections exist already.
    const works = [0, 0.2, 0.4].map((seconds) => {
      let isFirst = true;
      return inGroup(GROUP, () =>
        shards.retried(async () => {
          if (isFirst) {
            isFirst = false;
            await onGroup(`DO $$ BEGIN PERFORM pg_sleep(${seconds}); RAISE EXCEPTION USING ERRCODE = '0A000'; END $$`);
          }
          return backend();
        }),
      );
    });
    await Promise.all(works);
    expect(await openings()).toBe(before + 1);
  });

  it('serve the statements that wait for them before they close', async () => {
    const pool = await inGroup(GROUP, () => shards.pool());
    const held = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
    const waiting = Array.from({ length: CONNECTIONS * 2 }, () => inGroup(GROUP, backend));
    const closed = shards.end();
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const client of held) client.release();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => expect.any(Number)));
    await closed;
    expect(pool.ended).toBe(true);
  });
});
