import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Services } from '../../testkit/services.js';
import { loadDotEnv } from '../settings.js';
import { Steps, type Script } from './steps.js';
import { toolPaths } from './tools.js';
import { checkTally, jestTally, lastLine, playwrightTally, type Tally } from './tally.js';

// `npm test [-- --only=static,unit,integration,e2e]`: all checks. The last line is `N passed, N failed`.

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folders = ['contract', 'core', 'server', 'worker', 'admin', 'web', 'sandbox', 'sdk', 'tools', 'e2e'];
const partNames = ['static', 'unit', 'integration', 'e2e'];
const UNIT_WORKERS = 2;
/** Two more than cores: half of the time they wait for Postgres, Redis and each other. */
const INTEGRATION_WORKERS = 4;
/** Crash tests mostly wait, pages take the processor: `workers` of each project in e2e/playwright.config.ts keeps both going. */
const E2E_WORKERS = 4;

const tsc = (project: string): Script => ({ script: 'typescript-native/bin/tsc', args: ['-p', project, '--noEmit'] });
const staticChecks: readonly (readonly [string, Script])[] = [
  ['types', tsc('tsconfig.json')],
  ['types of web', tsc('web/tsconfig.json')],
  ['types of sandbox pages', tsc('sandbox/ui/tsconfig.json')],
  ['format', { script: 'oxfmt/bin/oxfmt', args: ['--check', '.'] }],
  [
    'lint',
    { script: 'oxlint/bin/oxlint', args: ['--deny-warnings', '--report-unused-disable-directives', ...folders] },
  ],
  [
    'import rules',
    {
      script: 'dependency-cruiser/bin/dependency-cruise.mjs',
      args: ['--config', '.dependency-cruiser.cjs', ...folders],
    },
  ],
];

const parts = chosenParts(process.argv.slice(2));
loadDotEnv(root);
const scratch = mkdtempSync(join(tmpdir(), 'pennytext-test-'));
// The user that Postgres runs as must get in.
chmodSync(scratch, 0o755);
const steps = new Steps(root);
const services = new Services(scratch, false);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void steps.interrupt());

await steps.step('build', () => Promise.resolve(checkTally(!process.env['PENNYTEXT_BUILD_FAILED'])));
try {
  if (parts.has('integration') || parts.has('e2e')) {
    const install = spawnSync('bash', [join(root, 'tools/dev/test/install.sh')], { stdio: 'inherit' });
    if (install.status !== 0) await steps.step('programs for the tests', () => Promise.resolve(checkTally(false)));
  }
  // Static checks take the processor, one at a time, while tests wait.
  await Promise.all([staticChecksInTurn(), testsOfParts()]);
  if (parts.has('e2e')) {
    await steps.step('end-to-end tests', () => playwright('e2e', ['resilience', 'api', 'web'], E2E_WORKERS));
    // Promises of a duration, with nothing beside them.
    await steps.step('end-to-end tests, alone', () => playwright('alone', ['alone'], 1));
  }
} finally {
  await services.stop();
  rmSync(scratch, { recursive: true, force: true });
}
steps.printSummary();
if (steps.isInterrupted) console.log('Interrupted: the numbers are incomplete.');
console.log(lastLine(steps.total));
process.exit(steps.total.failed > 0 || steps.isInterrupted ? 1 : 0);

async function staticChecksInTurn(): Promise<void> {
  if (!parts.has('static')) return;
  for (const [name, script] of staticChecks) await steps.step(name, (print) => steps.check(script, print), true);
}

async function testsOfParts(): Promise<void> {
  if (parts.has('unit')) {
    await steps.step('unit tests', () => jest('unit', UNIT_WORKERS));
  }
  if (parts.has('integration')) {
    await steps.step('integration tests', async () =>
      jest('integration', INTEGRATION_WORKERS, await services.environment()),
    );
  }
}

function jest(layer: string, workers: number, environment: Record<string, string> = {}): Promise<Tally> {
  const results = join(scratch, `${layer}.json`);
  const args = ['--config', 'jest.groups.config.js', `--maxWorkers=${workers}`, '--json', `--outputFile=${results}`];
  const script = { script: 'jest/bin/jest.js', args, env: { ...environment, TEST_LAYER: layer } };
  return steps.runner(script, results, jestTally);
}

async function playwright(name: string, projects: readonly string[], workers: number): Promise<Tally> {
  const results = join(scratch, `${name}.json`);
  const env = { ...(await services.environment()), ...toolPaths(), PLAYWRIGHT_JSON_OUTPUT_NAME: results };
  const chosen = projects.flatMap((project) => ['--project', project]);
  const options = ['--config', 'e2e/playwright.config.ts', '--workers', String(workers)];
  // Each run empties its folder, and may not take what an earlier one left of its failures.
  const args = ['test', ...options, '--output', `e2e/results/${name}`, ...chosen];
  const script = { script: '@playwright/test/cli.js', args, env };
  return steps.runner(script, results, playwrightTally);
}

function chosenParts(args: readonly string[]): Set<string> {
  const names = args.flatMap((arg) => (arg.startsWith('--only=') ? arg.slice('--only='.length).split(',') : [arg]));
  const wrong = names.find((name) => !partNames.includes(name));
  if (wrong === undefined) return new Set(names.length === 0 ? partNames : names);
  console.error(`"${wrong}" is not a part: npm test [-- --only=${partNames.join('|')}]`);
  console.log(lastLine(checkTally(false)));
  return process.exit(1);
}
