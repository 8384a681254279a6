import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acceptsQueries, prepareCluster, query, removeCluster } from '../testkit/postgres.js';
import { productEnvironment } from '../testkit/product-environment.js';
import { Program, runNode } from '../testkit/program.js';
import { templateDatabase } from '../testkit/template-database.js';
import { type Costs, differences, hasRisen, lineOf, readCosts } from './compare.js';
import { type Figures, withoutVersion } from './figures.js';
import { checkPlans } from './plans.js';
import { WatchedProduct } from './product.js';
import { setUps } from './scenarios.js';

// `npm run costs`: counts the cost of a message, and compares it with docs/costs.json. `npm run
// costs -- --write`: writes the counts there; a rise needs `--reason="…"`.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const dist = join(root, 'dist');
const folder = join(root, '.data', 'costs');
const file = join(root, 'docs/costs.json');
const MIGRATE_WITHIN_MS = 60_000;
/** Migrations talk to the database alone. */
const noPorts = { redis: 1, sandbox: 1, smtp: 1, servers: [1] };

/** No work in the background, and a log of changes alone. */
const settings = [
  'autovacuum=off',
  'full_page_writes=off',
  'fsync=off',
  'checkpoint_timeout=1h',
  'max_wal_size=8GB',
  'max_connections=300',
];

const args = process.argv.slice(2);
const reason = args.find((arg) => arg.startsWith('--reason='))?.slice('--reason='.length);
const { figures: measured, faults } = await measureAll();
for (const fault of faults) console.log(`✗ ${fault}`);
if (faults.length > 0) process.exitCode = 1;
const committed: Costs = existsSync(file) ? readCosts(readFileSync(file, 'utf8')) : { reasons: [], scenarios: {} };
const found = differences(committed.scenarios, measured);
for (const one of found) console.log(`${hasRisen(one) ? '▲' : '▼'} ${lineOf(one)}`);
if (args.includes('--write')) write(found.some(hasRisen));
else if (found.length > 0) {
  console.log(`\n${found.length} figures are not as committed: npm run costs -- --write [--reason="why it rose"]`);
  process.exitCode = 1;
} else if (faults.length === 0) console.log('Every figure is as committed.');

function write(isRise: boolean): void {
  if (isRise && !reason && existsSync(file)) {
    console.log('\nA figure rose: say why with --reason="…".');
    process.exitCode = 1;
    return;
  }
  const reasons = [...committed.reasons, ...(reason ? [reason] : [])];
  writeFileSync(file, `${JSON.stringify({ reasons, scenarios: measured }, null, 2)}\n`);
}

/** Measures in its own stores, so that versions and settings are the same everywhere. */
async function measureAll(): Promise<{ figures: Record<string, Figures>; faults: readonly string[] }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { serverUrl, ...how } = await prepareCluster(folder, settings);
  const postgres = new Program({ ...how, name: 'postgres', logFile: join(folder, 'postgres.log'), detached: true });
  const figures: Record<string, Figures> = {};
  const texts = new Map<string, string>();
  try {
    await postgres.ready(() => acceptsQueries(`${serverUrl}/postgres`));
    const template = await templateDatabase(serverUrl, { root, migrate });
    for (const setUp of setUps) {
      const product = await WatchedProduct.start(setUp, { dist, folder, serverUrl, template });
      try {
        for (const [name, counted] of Object.entries(await setUp.measure(product)))
          figures[`${setUp.name}: ${name}`] = counted;
        for (const [name, text] of product.texts) texts.set(name, text);
      } finally {
        await product.stop();
      }
    }
    const plans = await checkPlans(hotAmong(texts, figures), { serverUrl, template });
    return { figures: { ...figures, 'plans of statements': plans.steps }, faults: plans.faults };
  } finally {
    await postgres.stop('SIGINT');
    removeCluster(folder);
  }
}

/** Returns the statements that a message runs, without those of a start or a schedule. */
function hotAmong(texts: ReadonlyMap<string, string>, figures: Readonly<Record<string, Figures>>): Map<string, string> {
  const names = new Set(Object.values(figures).flatMap((counted) => Object.keys(counted)));
  return new Map([...texts].filter(([name]) => names.has(`statement ${withoutVersion(name)}`)));
}

async function migrate(url: string): Promise<void> {
  const program = join(dist, 'core/platform/database/migrate.js');
  const env = productEnvironment(noPorts, url, { receiptDelayMs: 1 });
  const { code, errors, output } = await runNode(program, [], env, MIGRATE_WITHIN_MS);
  if (code !== 0) throw new Error(`The migrations failed: ${errors}${output}`);
  await query(url, 'CREATE EXTENSION pg_walinspect');
}
