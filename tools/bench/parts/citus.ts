import { setTimeout as wait } from 'node:timers/promises';
import { CitusCluster } from '../../testkit/citus-cluster.js';
import { query } from '../../testkit/postgres.js';
import { StartError } from '../../testkit/program.js';
import type { Bench } from '../bench.js';
import { ClusterMeter } from '../product/cluster-meter.js';
import { withProduct, type Product } from '../product/product.js';
import { reportCost } from './cost.js';

const accounts = 100;
const settleBoundMs = 600_000;

/** Settings as in production, where the tests' servers differ, and a count of statements. */
const settings = ['shared_preload_libraries=citus,pg_stat_statements', 'fsync=on', 'full_page_writes=on'];

/**
 * Nodes besides the coordinator, none for a plain Postgres; and groups of shards, which divide the
 * batches.
 */
const setups = [
  { name: 'plain Postgres', nodes: 0, groups: 0 },
  { name: 'one node, 6 groups', nodes: 1, groups: 6 },
  { name: 'three nodes, 6 groups', nodes: 3, groups: 6 },
  { name: 'three nodes, 48 groups', nodes: 3, groups: 48 },
];

/**
 * Costs of a message on a plain Postgres and on Citus: CPU time by process, statements on the
 * nodes and on the coordinator, and bytes of log. All servers are the same PostgreSQL, which has
 * Citus; DATABASE_URL is not used.
 */
export async function measureCitus(bench: Bench): Promise<void> {
  const cluster = await CitusCluster.start(Math.max(...setups.map(({ nodes }) => nodes)), settings);
  try {
    for (const url of [cluster.coordinatorUrl, ...cluster.nodeUrls]) await countStatements(url);
    const services = { ...bench.services, databaseUrl: cluster.coordinatorUrl };
    for (const { name, nodes, groups } of setups) {
      const citus = { nodes: cluster.nodeUrls.slice(0, nodes), groups };
      await withProduct({ ...bench, services }, { accounts, citus }, async (product) => {
        const meter = new ClusterMeter(cluster, product, nodes);
        const server = await measureAcceptance(bench, product, meter, name);
        await measureLifecycle(bench, product, meter, name, server);
      });
    }
  } finally {
    await cluster.stop();
  }
}

async function countStatements(url: string): Promise<void> {
  try {
    await query(url, 'CREATE EXTENSION pg_stat_statements');
  } catch (error) {
    throw new StartError(`pg_stat_statements, which counts statements, is missing: ${String(error)}`);
  }
}

/** Measures acceptance alone. Returns the server's process. */
async function measureAcceptance(bench: Bench, product: Product, meter: ClusterMeter, name: string): Promise<number> {
  const { messages: amount } = bench.options;
  const { pid: server } = await product.startServer();
  await product.send({ amount: amount / 2 });
  await product.untilAllEnqueued();
  const read = await meter.start({ server });
  const { perSecond } = await product.send({ amount });
  await product.untilAllEnqueued();
  reportCost(bench, `acceptance, ${name}`, (await read()).cpuMs, amount);
  bench.report.figure(`accepted, ${name}`, perSecond, 'per second');
  return server;
}

/**
 * Measures from acceptance to the last receipt. Statements that the programs run without messages
 * are measured first and subtracted.
 */
async function measureLifecycle(
  bench: Bench,
  product: Product,
  meter: ClusterMeter,
  name: string,
  server: number,
): Promise<void> {
  const { report, signal, options } = bench;
  await product.startSandbox();
  const { pid: worker } = await product.startWorker();
  await product.untilSettled();

  const readIdle = await meter.start({ server, worker });
  await wait(options.seconds * 1_000, undefined, { signal });
  const idle = await readIdle();
  const times = Object.entries(idle.cpuMs).map(([process, ms]) => [process, ms / idle.seconds] as const);
  const sum = times.reduce((total, [, ms]) => total + ms, 0);
  report.figure(`without messages, ${name}`, sum, 'CPU ms per second', { by: Object.fromEntries(times) });

  const { messages: amount } = options;
  const carried = await product.carrier.count();
  const read = await meter.start({ server, worker });
  await product.send({ amount });
  await product.untilArrived(carried + amount, settleBoundMs);
  // Counting rows would add statements.
  const isDelivered = async () => (await product.carrier.messages()).every(({ status }) => status === 'delivered');
  await product.until('the carrier has delivered every message', isDelivered, settleBoundMs, 500);
  const used = await read();
  reportCost(bench, `whole lifecycle, ${name}`, used.cpuMs, amount);
  // Polling may have been a little less frequent than in the time without messages.
  const each = (what: 'onNodes' | 'onCoordinator') =>
    Math.max(0, used[what] - (idle[what] / idle.seconds) * used.seconds) / amount;
  report.figure(`on the node of the account, ${name}`, each('onNodes'), 'statements');
  if (meter.isDistributed) report.figure(`on the coordinator, ${name}`, each('onCoordinator'), 'statements');
  report.figure(`write-ahead log of a message, ${name}`, used.walBytes / amount, 'bytes');
  await product.untilDelivered();
}
