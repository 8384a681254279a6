import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CitusCluster } from '../../testkit/citus-cluster.js';
import { StartError } from '../../testkit/program.js';
import { Services } from '../../testkit/services.js';
import { loadDotEnv } from '../settings.js';
import { Steps } from './steps.js';
import { checkTally, jestTally, lastLine, playwrightTally } from './tally.js';
import { toolPaths } from './tools.js';

// `npm run test:citus`: the tests that touch data, over a coordinator and two nodes that it starts.
// The last line is `N passed, N failed`.

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * Integration tests of whole requests. Tests that plant rows or call one service know a plain
 * database only.
 */
const integration = [
  'api/messages',
  'api/otp-channels',
  'api/own-codes',
  'api/send-otp',
  'api/send-sms.int',
  'api/totp',
  'api/verify-otp.int',
  'hooks',
].map((name) => `server/${name}`);
/** End-to-end tests that are not about Postgres itself. */
const resilience = ['carrier-faults', 'crash', 'three-workers', 'top-ups', 'two-processes'];

loadDotEnv(root);
const steps = new Steps(root);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void steps.interrupt());
const scratch = mkdtempSync(join(tmpdir(), 'pennytext-citus-test-'));
chmodSync(scratch, 0o755);
let cluster: CitusCluster | undefined;
const services = new Services(scratch, false);
try {
  cluster = await CitusCluster.start(2);
  process.env['DATABASE_URL'] = cluster.coordinatorUrl;
  const env = {
    ...(await services.environment()),
    ...toolPaths(),
    CITUS_NODES: cluster.nodeUrls.join(','),
  };
  await steps.step('integration tests', () => {
    const results = join(scratch, 'integration.json');
    const args = [
      '--selectProjects=integration',
      '--maxWorkers=2',
      '--json',
      `--outputFile=${results}`,
      ...integration,
    ];
    return steps.runner({ script: 'jest/bin/jest.js', args, env }, results, jestTally);
  });
  const playwright = (name: string, projects: readonly string[], files: readonly string[]) =>
    steps.step(name, () => {
      const results = join(scratch, `${name}.json`);
      // With a space, the files would be projects too.
      const chosen = projects.map((project) => `--project=${project}`);
      const options = ['--config=e2e/playwright.config.ts', '--workers=2', `--output=e2e/results/${name}`];
      const args = ['test', ...options, ...chosen, ...files];
      const variables = { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: results };
      return steps.runner({ script: '@playwright/test/cli.js', args, env: variables }, results, playwrightTally);
    });
  await playwright('pages-and-api', ['api', 'web'], []);
  await playwright('crashes', ['resilience'], resilience);
  await playwright('nodes', ['citus'], []);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  await steps.step('start', () => Promise.resolve(checkTally(false)));
} finally {
  await services.stop();
  await cluster?.stop();
  rmSync(scratch, { recursive: true, force: true });
}
steps.printSummary();
console.log(lastLine(steps.total));
process.exit(steps.total.failed > 0 || steps.isInterrupted ? 1 : 0);
