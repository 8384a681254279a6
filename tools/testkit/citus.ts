import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, query, type RunDatabase } from './postgres.js';

/**
 * URLs of the nodes of a Citus cluster besides the coordinator, which is at DATABASE_URL; none on a
 * plain Postgres.
 */
export function citusNodes(): readonly string[] {
  const { CITUS_NODES: nodes = '' } = process.env;
  return nodes.split(',').filter(Boolean);
}

/**
 * Arguments of `migrate` for a new database: on Citus it is distributed over few groups of shards.
 */
export function migrateArguments(nodes = citusNodes(), groups = 4): readonly string[] {
  return nodes.length === 0 ? [] : ['--distribute', `--shards=${groups}`];
}

const ADD_ATTEMPTS_MAX = 5;
const ADD_RETRY_MS = 500;
const DROP_ATTEMPTS_MAX = 20;

/** Creates an empty database on the server of DATABASE_URL; on Citus all nodes share it. */
export async function createServiceDatabase(
  serverUrl: string,
  prefix: string,
  nodes = citusNodes(),
): Promise<RunDatabase> {
  const database = await createDatabase(serverUrl, prefix);
  if (nodes.length === 0) return database;
  const name = new URL(database.url).pathname.slice(1);
  await joinNodes(database.url, nodes, name);
  return {
    url: database.url,
    drop: () => dropFromNodes(serverUrl, name, nodes),
  };
}

/** Shares the database among all nodes. Throws when their servers lack Citus. */
export async function joinNodes(coordinatorUrl: string, nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) await query(node, `CREATE DATABASE ${name}`);
  const urls = nodes.map((node) => withDatabase(node, name));
  for (const url of [coordinatorUrl, ...urls]) await query(url, 'CREATE EXTENSION citus');
  const { hostname, port } = new URL(coordinatorUrl);
  await query(coordinatorUrl, 'SELECT citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
  for (const url of urls) await addNode(coordinatorUrl, url);
}

/** Adds a node, whose database has the extension, to the cluster. */
export async function addNode(coordinatorUrl: string, nodeUrl: string): Promise<void> {
  const { hostname, port } = new URL(nodeUrl);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await query(coordinatorUrl, 'SELECT citus_add_node($1, $2)', [hostname, Number(port)]);
      return;
    } catch (error) {
      // The node has just started, and has closed the coordinator's first connection.
      if (attempt === ADD_ATTEMPTS_MAX || !String(error).includes('connection marked as essential')) throw error;
      await pause(ADD_RETRY_MS);
    }
  }
}

/** Drops a database that all nodes share. */
export async function dropFromNodes(serverUrl: string, name: string, nodes = citusNodes()): Promise<void> {
  for (const node of [serverUrl, ...nodes]) await dropFrom(node, name);
}

/** Citus keeps background workers in each database, which may have just come back. */
async function dropFrom(node: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await query(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if (attempt === DROP_ATTEMPTS_MAX) throw error;
    }
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * feature_not_supported, and a fault of Citus 13.2 with results between the steps of a statement.
 */
const UNSUPPORTED =
  /^(cannot execute a distributed query|could not run distributed|complex joins|invalid input syntax .*PGCOPY)/;

/**
 * Whether Citus cannot run a statement on its distributed tables, so that it must run on each group
 * of shards.
 */
export function isUnsupportedByCitus(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '0A000') || UNSUPPORTED.test(error.message);
}

/**
 * Runs a statement of a test on every group of shards, as the product runs its own, and returns all
 * rows. The statement must name its account by a row: plain values would be inserted into each
 * group.
 */
export async function sqlOnGroups<Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const groups = await query<{ id: string; host: string; port: number }>(
    url,
    `SELECT s.shardid::text AS id, n.nodename AS host, n.nodeport AS port
     FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)
     WHERE s.logicalrelid = 'accounts'::regclass AND n.noderole = 'primary'`,
  );
  const rows: Row[] = [];
  for (const { id, host, port } of groups) {
    const node = new URL(url);
    [node.hostname, node.port] = [host, String(port)];
    await query(node.href, 'SELECT public.open_shard($1)', [id]);
    node.searchParams.set('options', `-c search_path=shard_${id},public`);
    rows.push(...(await query<Row>(node.href, text, values)));
  }
  return rows;
}
