import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
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

  it('runs, in order, what a transaction leads to when others can see what it wrote', async () => {
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

  it('runs nothing of a transaction that is undone', async () => {
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
