import { Client } from 'pg';
import { functions, triggersOf } from './functions.sql.js';
import {
  accountTables,
  ANCHOR_TABLE,
  coordinatorTables,
  directoryKeys,
  groupForeignKeys,
  groupTables,
  referenceTables,
} from './layout.js';

interface DistributeOptions {
  readonly url: string;
  /**
   * Groups of shards, for a database that is not distributed yet. They bound the number of nodes,
   * and do not change later.
   */
  readonly shards: number;
  /** Called with each table that is distributed. */
  readonly onTable?: (table: string) => void;
}

/**
 * Distributes a migrated database, empty or filled, over the nodes of its Citus cluster. Repeating
 * it continues where an earlier run was interrupted, and after a migration takes care of new
 * tables. Processes of the product must not run meanwhile. Throws when the server has no Citus.
 */
export async function distribute({ url, shards, onTable }: DistributeOptions): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS citus');
    await client.query(`SELECT set_config('citus.shard_count', $1, false)`, [String(shards)]);
    // Keys that are unique without the account stay so within a group of shards: see
    // docs/very-large.md.
    for (const setting of ['citus.allow_unsafe_constraints', 'citus.enable_unsafe_triggers']) {
      await client.query(`SET ${setting} = on`);
      // Migrations, and new partitions, do the same.
      await client.query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting} = on', current_database()); END $$`,
      );
    }
    await client.query(`SET citus.multi_shard_modify_mode = 'sequential'`);
    await new Distribution(client, onTable).run();
  } finally {
    await client.end();
  }
}

class Distribution {
  constructor(
    private readonly client: Client,
    private readonly onTable: ((table: string) => void) | undefined,
  ) {}

  async run(): Promise<void> {
    await this.client.query(`SELECT pg_advisory_lock(hashtext('pennytext distribution'))`);
    await this.setForeignKeysAside();
    await this.nameGroups();
    await this.logAll();
    for (const table of referenceTables)
      await this.unlessDistributed(table, () => this.client.query('SELECT create_reference_table($1)', [table]));
    for (const table of coordinatorTables)
      await this.unlessDistributed(table, () =>
        this.client.query('SELECT citus_add_local_table_to_metadata($1)', [table]),
      );
    for (const [table, column] of Object.entries(accountTables))
      await this.unlessDistributed(table, () =>
        this.client.query('SELECT create_distributed_table($1, $2, colocate_with := $3)', [
          table,
          column,
          table === ANCHOR_TABLE ? 'none' : ANCHOR_TABLE,
        ]),
      );
    await this.fillDirectory();
    await this.shareFunctions();
    for (const table of Object.keys(accountTables)) await this.addTriggers(table);
    await this.restoreForeignKeys();
  }

  private async unlessDistributed(table: string, work: () => Promise<unknown>): Promise<void> {
    if (await this.exists('pg_dist_partition WHERE logicalrelid = $1::regclass', [table])) return;
    await work();
    // The rows are on the shards now. Append-only tables refuse to be emptied otherwise.
    if (!coordinatorTables.some((name) => name === table))
      await this.atomically(async () => {
        await this.client.query('SET LOCAL session_replication_role = replica');
        await this.client.query('SELECT truncate_local_data_after_distributing_table($1)', [table]);
      });
    await this.continueNumbers(table);
    this.onTable?.(table);
  }

  /**
   * Citus gives a table new sequences, which begin at 1 on the coordinator; sequences of other
   * nodes begin above all its numbers.
   */
  private async continueNumbers(table: string): Promise<void> {
    const { rows } = await this.client.query<{ column: string }>(
      `SELECT attname AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> ''
        AND NOT attisdropped`,
      [table],
    );
    for (const { column } of rows) {
      const found = await this.client.query<{ last: string | null }>(`SELECT max(${column}) AS last FROM ${table}`);
      const last = found.rows[0]?.last;
      if (last) await this.client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last]);
    }
  }

  /**
   * A foreign key cannot point from a distributed table to an undistributed table. A key from a
   * table without accounts to a table of accounts does not come back.
   */
  private async setForeignKeysAside(): Promise<void> {
    await this.client.query(
      'CREATE TABLE IF NOT EXISTS foreign_keys_aside (table_name text, name text, definition text, ' +
        'PRIMARY KEY (table_name, name))',
    );
    if (await this.exists('pg_dist_partition WHERE logicalrelid = $1::regclass', ['webhook_endpoints'])) return;
    const { rows } = await this.client.query<{ table: string; name: string }>(
      `SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint
       WHERE contype = 'f' AND conparentid = 0 AND conrelid::regclass::text = ANY ($1) AND NOT EXISTS (
         SELECT FROM pg_dist_partition WHERE logicalrelid = conrelid
       )`,
      [[...Object.keys(accountTables), ...referenceTables, ...coordinatorTables]],
    );
    await this.atomically(async () => {
      for (const { table, name } of rows) {
        await this.client.query(
          `INSERT INTO foreign_keys_aside SELECT $1::text, $2::text, pg_get_constraintdef(oid) FROM pg_constraint
           WHERE conrelid = $1::text::regclass AND conname = $2::text AND NOT (conname = ANY ($3))
             AND $1::text = ANY ($4)`,
          [table, name, groupForeignKeys.map(([, key]) => key), Object.keys(accountTables)],
        );
        await this.client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
      }
    });
  }

  private async restoreForeignKeys(): Promise<void> {
    const { rows } = await this.client.query<{ table: string; name: string; definition: string }>(
      'SELECT table_name AS table, name, definition FROM foreign_keys_aside ORDER BY 1, 2',
    );
    for (const { table, name, definition } of rows)
      await this.atomically(async () => {
        await this.client.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
        await this.client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
        await this.client.query('DELETE FROM foreign_keys_aside WHERE table_name = $1 AND name = $2', [table, name]);
      });
    await this.client.query('DROP TABLE foreign_keys_aside');
  }

  /**
   * Gives rows that stand for several accounts, or do not name theirs, an account of their group.
   */
  private async nameGroups(): Promise<void> {
    if (await this.exists('pg_dist_partition WHERE logicalrelid = $1::regclass', ['message_checks'])) return;
    await this.atomically(async () => {
      for (const text of namings) await this.client.query(text);
      for (const table of groupTables) await this.client.query(`DELETE FROM ${table} WHERE account_id IS NULL`);
    });
  }

  /** Shards move by logical replication, which refuses tables that the log does not have. */
  private async logAll(): Promise<void> {
    const { rows } = await this.client.query<{ table: string }>(
      `SELECT c.oid::regclass::text AS table FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'u'
         AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)`,
    );
    for (const { table } of rows) await this.client.query(`ALTER TABLE ${table} SET LOGGED`);
    const found = await this.client.query<{ text: string }>(
      `SELECT replace(pg_get_functiondef('ensure_request_partitions'::regproc), 'CREATE UNLOGGED TABLE',
        'CREATE TABLE') AS text`,
    );
    for (const { text } of found.rows) await this.client.query(text);
  }

  private async fillDirectory(): Promise<void> {
    if (await this.exists('pg_dist_partition WHERE logicalrelid = to_regclass($1)', ['directory'])) return;
    await this.client.query(
      'CREATE TABLE IF NOT EXISTS directory (kind text, key text, account_id uuid NOT NULL, PRIMARY KEY (kind, key))',
    );
    await this.client.query('TRUNCATE directory');
    for (const { table, kind, key } of directoryKeys) {
      await this.client.query(
        `INSERT INTO directory SELECT '${kind}', ${key}, ${table === 'accounts' ? 'r.id' : 'r.account_id'}
         FROM ${table} r WHERE ${key} IS NOT NULL`,
      );
    }
    await this.client.query(`SELECT create_reference_table('directory')`);
  }

  /** Citus creates functions on every node, but only functions that are created after it. */
  private async shareFunctions(): Promise<void> {
    await this.client.query(
      `SELECT create_distributed_function(p.oid::regprocedure) FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' AND NOT EXISTS (
         SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e'
       ) AND NOT EXISTS (SELECT FROM pg_dist_object o WHERE o.objid = p.oid)`,
    );
    for (const text of functions) await this.client.query(text);
  }

  private async addTriggers(table: string): Promise<void> {
    for (const text of triggersOf(table)) {
      const [, name] = /^CREATE TRIGGER (\w+)/.exec(text) ?? [];
      if (await this.exists('pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2', [table, name])) continue;
      await this.client.query(text);
    }
  }

  private async exists(source: string, values: unknown[]): Promise<boolean> {
    return (await this.client.query(`SELECT FROM ${source}`, values)).rowCount !== 0;
  }

  private async atomically(work: () => Promise<void>): Promise<void> {
    await this.client.query('BEGIN');
    try {
      await work();
      await this.client.query('COMMIT');
    } catch (error) {
      await this.client.query('ROLLBACK');
      throw error;
    }
  }
}

/**
 * A check of many messages becomes one check for each account. Checks without a known account are
 * useless.
 */
const namings = [
  `WITH old AS (DELETE FROM message_checks WHERE account_id IS NULL RETURNING *)
   INSERT INTO message_checks (kind, due_at, claim, message_ids, key_id, canceled, account_id)
   SELECT o.kind, o.due_at, o.claim, array_agg(m.id ORDER BY m.id), o.key_id, o.canceled, m.account_id
   FROM old o JOIN messages m ON m.id = ANY (o.message_ids)
   GROUP BY o.kind, o.due_at, o.id, o.claim, o.key_id, o.canceled, m.account_id`,
  `UPDATE otp_resends r SET account_id = c.account_id FROM otp_codes c WHERE c.id = r.code_id`,
  `UPDATE otp_sends s SET account_id = m.account_id FROM messages m WHERE m.id = s.message_id`,
  `UPDATE sealed_texts t SET account_id = m.account_id FROM messages m WHERE m.id = t.message_id`,
];
