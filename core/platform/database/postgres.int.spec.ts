import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { eventually } from '../../testing/eventually.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { isDatabaseUnavailable } from './database-error.js';
import { Postgres } from './postgres.js';

describe('Postgres.afterCommit', () => {
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
