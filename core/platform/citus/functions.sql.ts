import {
  accountTables,
  ANCHOR_TABLE,
  directoryKeys,
  groupForeignKeys,
  groupTables,
  referenceTables,
} from './layout.js';

/** SQLSTATE of a statement on shards that are on another node now. */
export const MOVED = 'PT001';

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/**
 * Keeps a group of shards on this node until the transaction ends: a move waits for the lock before
 * it switches to the other node (Citus takes it exclusively on the shards' metadata), and a
 * statement that waited for a move sees that the shard has left. A trigger before each statement
 * that writes to a shard.
 */
const holdShard = `
CREATE OR REPLACE FUNCTION public.hold_shard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shard bigint := substring(TG_TABLE_NAME FROM '_([0-9]+)$');
BEGIN
  PERFORM pg_catalog.lock_shard_metadata(5, ARRAY[shard]);
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_dist_placement p JOIN pg_catalog.pg_dist_local_group l
      ON l.groupid = p.groupid WHERE p.shardid = shard
  ) THEN
    RAISE EXCEPTION 'Shard % has moved to another node', shard USING ERRCODE = '${MOVED}';
  END IF;
  RETURN NULL;
END $$`;

/** Writes to a reference table name it with its schema, and so reach every node. */
const refuseLocalWrite = `
CREATE OR REPLACE FUNCTION public.refuse_local_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Write to public.%, which is on every node', TG_TABLE_NAME;
END $$`;

/**
 * Keeps the directory in the transaction that changes a row. Arguments: kind, SQL of the row's key.
 * A key that another account has is refused as a unique index of this name would.
 */
const keepDirectory = `
CREATE OR REPLACE FUNCTION public.keep_directory() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  old_key text;
  new_key text;
  owner uuid;
BEGIN
  IF TG_OP <> 'INSERT' THEN EXECUTE format('SELECT %s FROM (SELECT ($1).*) r',
    TG_ARGV[1]) INTO old_key USING OLD; END IF;
  IF TG_OP <> 'DELETE' THEN
    EXECUTE format('SELECT %s, %s FROM (SELECT ($1).*) r', TG_ARGV[1], TG_ARGV[2]) INTO new_key, owner USING NEW;
  END IF;
  IF new_key IS NOT DISTINCT FROM old_key THEN RETURN NULL; END IF;
  IF old_key IS NOT NULL THEN DELETE FROM public.directory WHERE kind = TG_ARGV[0] AND key = old_key; END IF;
  IF new_key IS NOT NULL THEN
    BEGIN
      INSERT INTO public.directory (kind, key, account_id) VALUES (TG_ARGV[0], new_key, owner);
    EXCEPTION WHEN unique_violation THEN
      RAISE unique_violation USING MESSAGE = format('%s is taken', TG_ARGV[0]), CONSTRAINT = TG_ARGV[0];
    END;
  END IF;
  RETURN NULL;
END $$`;

const foreignKeys = groupForeignKeys
  .map(([table, name, definition]) => `('${table}', '${name}', '${definition}')`)
  .join(', ');

/**
 * Opens a group of shards on its node: a schema whose views have the tables' names and show the
 * group's shards, so that every statement of the product runs on them as on plain tables. Reference
 * tables can be read. Does nothing when it is open. Parameter: id of the group's shard of
 * \`${ANCHOR_TABLE}\`.
 */
const openShard = `
CREATE OR REPLACE FUNCTION public.open_shard(anchor bigint) RETURNS void LANGUAGE plpgsql
  SET client_min_messages = warning AS $$
DECLARE
  place text := 'shard_' || anchor;
  lowest text;
  state text;
  one record;
  other record;
  definition text;
BEGIN
  PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
  PERFORM pg_catalog.lock_shard_metadata(5, ARRAY[anchor]);
  IF NOT EXISTS (
    SELECT FROM pg_dist_placement p JOIN pg_dist_local_group l ON l.groupid = p.groupid WHERE p.shardid = anchor
  ) THEN
    RAISE EXCEPTION 'Shard % has moved to another node', anchor USING ERRCODE = '${MOVED}';
  END IF;
  PERFORM pg_advisory_xact_lock(anchor);
  SELECT shardminvalue INTO lowest FROM pg_dist_shard WHERE shardid = anchor;
  CREATE TEMPORARY TABLE IF NOT EXISTS opened (name text, shard text, is_shared boolean) ON COMMIT DELETE ROWS;
  DELETE FROM opened;
  INSERT INTO opened
  SELECT c.relname, c.relname || '_' || s.shardid, s.shardminvalue IS NULL
  FROM pg_dist_shard s JOIN pg_class c ON c.oid = s.logicalrelid
  WHERE c.relnamespace = 'public'::regnamespace AND (
    c.relname IN (${quoted(Object.keys(accountTables))}) AND s.shardminvalue = lowest
    OR c.relname IN (${quoted(referenceTables)})
  );
  SELECT md5(string_agg(format('%s %s %s %s', o.name, o.shard, a.attname, a.atttypid::regtype), ','
    ORDER BY o.name, a.attnum)) INTO state
  FROM opened o JOIN pg_attribute a ON a.attrelid = format('public.%I', o.name)::regclass AND a.attnum > 0
    AND NOT a.attisdropped;
  IF obj_description(to_regnamespace(place), 'pg_namespace') = state THEN RETURN; END IF;

  EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', place);
  FOR one IN SELECT * FROM opened LOOP
    EXECUTE format('DROP VIEW IF EXISTS %I.%I', place, one.name);
    EXECUTE format('CREATE VIEW %I.%I AS SELECT * FROM public.%I', place, one.name, one.shard);
    IF one.is_shared THEN
      EXECUTE
        format('CREATE TRIGGER refuse_local_write INSTEAD OF INSERT OR UPDATE OR DELETE ON %I.%I'
          ' FOR EACH ROW EXECUTE FUNCTION public.refuse_local_write()', place, one.name);
    END IF;
    -- Shards have no sequences.
    FOR other IN
      SELECT a.attname, CASE WHEN a.attidentity <> '' THEN format('nextval(%L)',
        pg_get_serial_sequence('public.' || one.name, a.attname))
        ELSE pg_get_expr(d.adbin, d.adrelid) END AS value
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = format('public.%I', one.name)::regclass AND a.attnum > 0 AND NOT a.attisdropped
        AND (a.attidentity <> '' OR a.atthasdef)
    LOOP
      EXECUTE format('ALTER VIEW %I.%I ALTER COLUMN %I SET DEFAULT %s', place, one.name, other.attname, other.value);
    END LOOP;
    IF one.name IN (${quoted(groupTables)}) THEN
      EXECUTE format('ALTER VIEW %I.%I ALTER COLUMN account_id SET DEFAULT %L', place, one.name, (
        SELECT id FROM (SELECT md5(anchor || ' ' || n)::uuid AS id FROM generate_series(1, 100000) n) candidates
        WHERE get_shard_id_for_distribution_column('public.${ANCHOR_TABLE}', id) = anchor LIMIT 1
      ));
    END IF;
  END LOOP;
  FOR one IN SELECT * FROM (VALUES ${foreignKeys}) f (table_name, name, definition) LOOP
    definition := one.definition;
    FOR other IN SELECT * FROM opened LOOP
      definition := replace(definition, '{' || other.name || '}', format('public.%I', other.shard));
    END LOOP;
    SELECT shard INTO other FROM opened WHERE opened.name = one.table_name;
    BEGIN
      EXECUTE format('ALTER TABLE public.%I ADD CONSTRAINT %I %s NOT VALID', other.shard, one.name, definition);
    EXCEPTION WHEN duplicate_object THEN NULL;
    END;
  END LOOP;
  EXECUTE format('COMMENT ON SCHEMA %I IS %L', place, state);
END $$`;

/** The functions, which Citus creates on every node. */
export const functions = [holdShard, refuseLocalWrite, keepDirectory, openShard];

/**
 * Triggers on tables of accounts, which Citus creates on every shard. They are not created twice.
 */
export function triggersOf(table: string): string[] {
  const triggers = [
    `CREATE TRIGGER hold_shard BEFORE INSERT OR UPDATE OR DELETE
      ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION public.hold_shard()`,
  ];
  for (const { table: ofTable, kind, key } of directoryKeys) {
    if (ofTable !== table) continue;
    const owner = table === 'accounts' ? 'r.id' : 'r.account_id';
    const name = `keep_directory_${kind.replaceAll(/\W/g, '_')}`;
    const args = [kind, key, owner].map((text) => `'${text.replaceAll("'", "''")}'`).join(', ');
    triggers.push(
      `CREATE TRIGGER ${name} AFTER INSERT OR DELETE OR UPDATE OF ${columnOf(key)}
        ON ${table} FOR EACH ROW EXECUTE FUNCTION public.keep_directory(${args})`,
    );
  }
  return triggers;
}

/** The column that a key of the directory is made of. */
function columnOf(key: string): string {
  const [, column] = /\br\.(\w+)/.exec(key) ?? [];
  if (column === undefined) throw new Error(`No column in ${key}`);
  return column;
}
