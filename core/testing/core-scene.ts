import { z } from 'zod';
import { Postgres } from '../platform/database/postgres.js';
import { createTestAccount } from './test-accounts.js';
import { createTestBed, type TestBed } from './test-bed.js';
import { createTestCore, type TestCore } from './test-core.js';

/**
 * Sets up a core over its own database, shared by all tests of a `describe`. Functions may be
 * destructured.
 */
export function coreScene(overrides?: Record<string, string>) {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config(overrides));
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const get: TestCore['get'] = (type) => core.get(type);
  return {
    get bed() {
      return bed;
    },
    get core() {
      return core;
    },
    get,
    createAccount: (options?: Parameters<typeof createTestAccount>[1]) => createTestAccount({ get }, options),
    sql: <Row extends object>(text: string, values: unknown[] = []) => get(Postgres).query<Row>({ text }, values),
    transaction: <T>(work: Parameters<typeof Postgres.prototype.transaction<T>>[0]) => get(Postgres).transaction(work),
  };
}

/**
 * A {@link coreScene} that compares the rows of raw statements with their row types, given as
 * strict schemas.
 */
export function statementScene() {
  const scene = coreScene();

  /** Expects at least one row, and every row to match. */
  const expectRows = async (schema: z.ZodType, text: string, values?: unknown[]) => {
    const rows = await scene.sql(text, values);
    expect(rows.length).toBeGreaterThan(0);
    z.array(schema).parse(rows);
  };
  return Object.assign(scene, { expectRows });
}
