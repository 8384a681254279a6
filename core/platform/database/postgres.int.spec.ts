import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { eventually } from '../../testing/eventually.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.js';
import { explainStartFailure } from '../process/lifecycle.js';
import { whileDatabaseAnswers } from './data-source.js';
import { isDatabaseUnavailable } from '../errors/database-error.js';
import { Postgres } from './postgres.js';

describe('Postgres', () => {
  let bed: TestBed;
  let core: TestCore;
  let postgres: Postgres;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    postgres = core.get(Postgres);
    await bed.database.sql('CREATE TABLE written (name text)');
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const write = `INSERT INTO written VALUES ('row')`;

  it('runs registered work in order after the commit', async () => {
    const ran: string[] = [];
    const answer = await postgres.transaction(async (tx) => {
      postgres.afterCommit(tx, () => ran.push('first'));
      await tx.query(write);
      // A savepoint is a part of the same transaction.
      await tx.transaction(async (savepoint) => postgres.afterCommit(savepoint, () => ran.push('second')));
      expect(ran).toEqual([]);
      return 'answer';
    });
    expect([answer, ran]).toEqual(['answer', ['first', 'second']]);
    expect(await bed.database.sql('SELECT name FROM written')).toHaveLength(1);
  });

  it('runs no registered work after a rollback', async () => {
    const then = jest.fn();
    const work = postgres.transaction(async (tx) => {
      postgres.afterCommit(tx, then);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    await postgres.transaction((tx) => tx.query(write));
    expect(then).not.toHaveBeenCalled();
  });

  it('runs work of one name in one process at a time, with the time of the database', async () => {
    const times = await postgres.asLeader('one', async (_tx, first) => {
      const meanwhile = await postgres.asLeader('one', () => Promise.resolve('ran'));
      const other = await postgres.asLeader('another', async (_other, second) => second);
      return { first, meanwhile, other };
    });
    expect(times?.meanwhile).toBeUndefined();
    expect(times?.other?.getTime()).toBeGreaterThanOrEqual(times?.first.getTime() ?? Infinity);
    expect(await postgres.asLeader('one', () => Promise.resolve('ran'))).toBe('ran');
  });

  it('is not writable after a call of a repository that found the disk full', async () => {
    const raise = `BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END`;
    await bed.database.sql(`CREATE FUNCTION full_disk() RETURNS event_trigger LANGUAGE plpgsql AS $$ ${raise} $$`);
    await bed.database.sql(
      `CREATE EVENT TRIGGER full_disk ON ddl_command_start
        WHEN TAG IN ('CREATE TABLE AS') EXECUTE FUNCTION full_disk()`,
    );
    try {
      expect(await postgres.isWritable()).toBe(true);
      await expect(postgres.call((manager) => manager.query(`DO $$ ${raise} $$`))).rejects.toThrow('No space left');
      expect(await postgres.isWritable()).toBe(false);
    } finally {
      await bed.database.sql('DROP EVENT TRIGGER full_disk');
    }
  });
});

describe('a session of the product', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const show = {
    text: `SELECT current_setting('server_version_num')::int AS version, setting, reset_val AS "ofRole"
    FROM pg_settings WHERE name = 'enable_partition_pruning'`,
  };
  interface Setting {
    readonly version: number;
    readonly setting: string;
    readonly ofRole: string;
  }
  const expected = (version: number) => (version >= 180_000 ? 'off' : 'on');

  it('does not prune partitions on PostgreSQL 18, however the database was made', async () => {
    const busy = Array.from({ length: 4 }, () =>
      core.get(Postgres).transaction(async (tx) => {
        await tx.query('SELECT pg_sleep(0.1)');
        return tx.query<Setting[]>(show.text);
      }),
    );
    for (const { version, setting } of (await Promise.all(busy)).flat()) expect(setting).toBe(expected(version));
  });

  it('has later sessions of its role do the same, as a pooler opens them', async () => {
    const connection = await bed.database.connect();
    const { rows } = await connection.query<Setting>(show.text);
    await connection.end();
    for (const { version, ofRole } of rows) expect(ofRole).toBe(expected(version));
  });
});

describe('whileDatabaseAnswers', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let url: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const through = new URL(database.url);
    proxy = await startTcpProxy({ host: through.hostname, port: Number(through.port || 5432) });
    through.port = String(proxy.port);
    url = through.href;
  });

  beforeEach(() => {
    proxy.set('through');
  });

  afterAll(async () => {
    await proxy?.close();
    await database?.drop();
  });

  const endless = () => new Promise<never>(() => undefined);

  it('hands over what the work hands over, and what it throws', async () => {
    expect(await whileDatabaseAnswers({ url }, async () => 'done')).toBe('done');
    await expect(whileDatabaseAnswers({ url }, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });

  it.each(['gone', 'silent'] as const)('does not begin the work when the database is %s', async (mode) => {
    proxy.set(mode);
    const work = jest.fn(endless);
    const failure: unknown = await whileDatabaseAnswers({ url }, work).catch((error: unknown) => error);
    expect(explainStartFailure(failure)).toMatch(/^(A service does not answer \(|Postgres is not available \()/);
    expect(work).not.toHaveBeenCalled();
  });

  it.each([
    ['gone', /^(A service does not answer \(|Postgres is not available \()/],
    ['silent', /^A service does not answer \(Postgres at 127\.0\.0\.1:\d+ gave no answer within 4 s\)/],
  ] as const)('ends endless work when the database is %s', async (mode, cause) => {
    const watched = whileDatabaseAnswers({ url }, () => {
      proxy.set(mode);
      return endless();
    });
    expect(explainStartFailure(await watched.catch((error: unknown) => error))).toMatch(cause);
  });
});

describe('Postgres, broken connection', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const backendOf = async (query: (text: string) => Promise<{ pid: number }[]>) =>
    (await query('SELECT pg_backend_pid() AS pid'))[0]?.pid;

  it('prepares a named statement of a transaction, and rolls back what it wrote', async () => {
    const postgres = core.get(Postgres);
    const names: unknown[] = [];
    const undone = postgres.transaction(async (tx) => {
      const statement = { name: 'run-in-transaction', text: 'INSERT INTO written_and_undone VALUES ($1) RETURNING n' };
      await tx.query('CREATE TABLE written_and_undone (n integer)');
      expect(await postgres.run(tx, statement, [7])).toEqual([{ n: 7 }]);
      names.push(...(await postgres.run(tx, { text: 'SELECT name FROM pg_prepared_statements' }, [])));
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(names).toContainEqual({ name: 'run-in-transaction' });
    await expect(bed.database.sql('SELECT FROM written_and_undone')).rejects.toThrow('does not exist');
  });

  it('runs a named statement with the manager of a call, which has no transaction', async () => {
    const postgres = core.get(Postgres);
    const statement = { name: 'called-1', text: 'SELECT $1::integer AS n' };
    expect(await postgres.call((manager) => postgres.run(manager, statement, [7]))).toEqual([{ n: 7 }]);
  });

  it('reports an unavailable database when it breaks between two statements of a transaction', async () => {
    const lost = core.get(Postgres).transaction(async (tx) => {
      const pid = await backendOf((text) => tx.query(text));
      await bed.database.sql('SELECT pg_terminate_backend($1)', [pid]);
      await eventually('the loss is noticed', async () => tx.queryRunner?.isReleased === true);
      await tx.query('SELECT 1');
    });
    expect(isDatabaseUnavailable(await lost.catch((error: unknown) => error))).toBe(true);
  });

  it('does not end the process without an error listener', async () => {
    const { driver } = core.get(DataSource);
    if (!('master' in driver)) throw new Error('The data source is a Postgres');
    const client = await (driver.master as Pool).connect();
    try {
      expect(() => client.emit('error', new Error('gone'))).not.toThrow();
    } finally {
      client.release(true);
    }
  });
});
