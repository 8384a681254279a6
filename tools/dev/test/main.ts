import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Services } from '../../testkit/services.js';
import { loadDotEnv } from '../settings.js';
import { Steps, type Script } from './steps.js';
import { toolPaths } from './tools.js';
import { checkTally, jestTally, lastLine, playwrightTally, type Tally } from './tally.js';

// `npm test`: all checks. `npm test -- --only=static,unit,integration,costs,e2e`: some of them. `npm test --
// core/otp otp-pages`: the specs whose paths contain one of these, with the services that they need.
// The last line is `N passed, N failed`.

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folders = ['contract', 'core', 'server', 'worker', 'admin', 'web', 'sandbox', 'sdk', 'tools', 'e2e'];
const partNames = ['static', 'unit', 'integration', 'costs', 'e2e'];
const UNIT_WORKERS = 2;
/** Two more than cores: half of the time they wait for Postgres, Redis and each other. */
const INTEGRATION_WORKERS = 4;
/**
 * Crash tests mostly wait, pages take the processor: `workers` of each project in
 * e2e/playwright.config.ts keeps both going. A fourth worker on two cores makes programs start in a
 * minute, and tests fail at their time limits.
 */
const E2E_WORKERS = 3;
const ofProjects = ['resilience', 'api', 'web'].flatMap((project) => ['--project', project]);

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

const args = process.argv.slice(2);
const patterns = args.filter((arg) => !arg.startsWith('--') && !partNames.includes(arg));
const chosen = specsMatching(patterns);
const parts = patterns.length === 0 ? chosenParts(args) : new Set(chosen.map(partOf));
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
  if (patterns.length === 0) await Promise.all([staticChecksInTurn(), testsOfParts()]);
  if (patterns.length > 0) await chosenSpecs();
  if (patterns.length === 0 && parts.has('costs'))
    await steps.step('costs of a message', () => steps.check({ script: '../dist/tools/costs/main.js', args: [] }));
  if (patterns.length === 0 && parts.has('e2e')) await steps.step('end-to-end tests', () => playwright());
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

/** Runs each chosen spec by itself, so that a failure's trace names its file. */
async function chosenSpecs(): Promise<void> {
  const [unit, integration, e2e] = ['unit', 'integration', 'e2e'].map((part) =>
    chosen.filter((spec) => partOf(spec) === part),
  ) as [string[], string[], string[]];
  if (unit.length > 0) await steps.step('unit tests', () => jestOf('unit', unit));
  if (integration.length > 0) {
    const environment = await services.environment();
    await steps.step('integration tests', () => jestOf('integration', integration, environment));
  }
  if (e2e.length > 0) await steps.step('end-to-end tests', () => playwright(e2e));
}

function jestOf(layer: string, specs: readonly string[], environment: Record<string, string> = {}): Promise<Tally> {
  const results = join(scratch, `${layer}.json`);
  const options = ['--selectProjects', layer, '--json', `--outputFile=${results}`];
  const script = { script: 'jest/bin/jest.js', args: [...options, '--runTestsByPath', ...specs], env: environment };
  return steps.runner(script, results, jestTally);
}

function jest(layer: string, workers: number, environment: Record<string, string> = {}): Promise<Tally> {
  const results = join(scratch, `${layer}.json`);
  const options = ['--config', 'jest.groups.config.js', `--maxWorkers=${workers}`, '--json', `--outputFile=${results}`];
  const script = { script: 'jest/bin/jest.js', args: options, env: { ...environment, TEST_LAYER: layer } };
  return steps.runner(script, results, jestTally);
}

async function playwright(specs: readonly string[] = []): Promise<Tally> {
  const results = join(scratch, 'e2e.json');
  const env = { ...(await services.environment()), ...toolPaths(), PLAYWRIGHT_JSON_OUTPUT_NAME: results };
  const options = ['--config', 'e2e/playwright.config.ts', '--workers', String(E2E_WORKERS)];
  // `--project` takes every word that follows it.
  const command = ['test', ...specs, ...options, '--output', 'e2e/results/e2e', ...ofProjects];
  const script = { script: '@playwright/test/cli.js', args: command, env };
  return steps.runner(script, results, playwrightTally);
}

/** Ends with an error for a pattern that no spec's path contains. */
function specsMatching(wanted: readonly string[]): string[] {
  const specs = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, String(path))))
    .filter((path) => path.endsWith('.spec.ts') && !/((^|\/)(node_modules|dist)|^e2e\/citus)\//.test(path));
  const unmatched = wanted.find((pattern) => !specs.some((spec) => spec.includes(pattern)));
  if (unmatched === undefined) return specs.filter((spec) => wanted.some((pattern) => spec.includes(pattern)));
  console.error(`"${unmatched}" is neither in the path of a spec nor a part (${partNames.join(', ')}).`);
  console.log(lastLine(checkTally(false)));
  return process.exit(1);
}

/** Unit specs of e2e's own parts are in its subfolders. */
function partOf(spec: string): string {
  if (spec.endsWith('.int.spec.ts')) return 'integration';
  return /^e2e\/[^/]+\/[^/]+$/.test(spec) ? 'e2e' : 'unit';
}

function chosenParts(given: readonly string[]): Set<string> {
  const names = given.flatMap((arg) => (arg.startsWith('--only=') ? arg.slice('--only='.length).split(',') : [arg]));
  const wrong = names.find((name) => !partNames.includes(name));
  if (wrong === undefined) return new Set(names.length === 0 ? partNames : names);
  console.error(`"${wrong}" is not a part: npm test [-- --only=${partNames.join('|')}]`);
  console.log(lastLine(checkTally(false)));
  return process.exit(1);
}
