import { join } from 'node:path';
import { Installer } from './checks/installer.js';
import { partsOf, type Part } from './checks/parts.js';
import { makeScratchFolder, removeScratchFolder } from './checks/scratch-folder.js';
import { staticChecks } from './checks/static-checks.js';
import { StepRunner } from './checks/step-runner.js';
import { checkTally, jestTally, lastLine, playwrightTally } from './checks/tally.js';
import { startTestServices } from './checks/test-services.js';
import { chromiumForTests, pgbouncerForTests } from './checks/test-tools.js';
import { say } from './line-log.js';
import { ProcessGroup } from './processes/process-group.js';
import { loadDotEnv } from './settings.js';
import { stopOnSignals } from './shutdown.js';

/** `npm test`: every check in turn, whatever the earlier ones gave. Its last line is `N passed, N failed`. */
export async function main({ root, built, args }: { root: string; built: boolean; args: string[] }): Promise<void> {
  loadDotEnv(root);
  const parts = chosenParts(args);
  const scratch = makeScratchFolder();
  const group = new ProcessGroup(undefined, (name) => say('test', `${name} ended unexpectedly`));
  let isInterrupted = false;
  stopOnSignals(group, () => {
    isInterrupted = true;
    void group.stopAll();
  });

  const runner = new StepRunner(root, group);
  await runner.step('build', () => Promise.resolve(checkTally(built)));
  try {
    await runSteps(root, parts, runner, group, scratch);
  } finally {
    await group.stopAll();
    removeScratchFolder(scratch);
  }
  runner.printSummary();
  const total = runner.total;
  if (isInterrupted) console.log('Interrupted: what follows is not the whole.');
  console.log(lastLine(total));
  process.exit(total.failed + total.skipped > 0 || isInterrupted ? 1 : 0);
}

async function runSteps(
  root: string,
  parts: Set<Part>,
  runner: StepRunner,
  group: ProcessGroup,
  scratch: string,
): Promise<void> {
  const installer = new Installer(group);
  const resultsOf = (name: string) => join(scratch, `${name}.json`);
  const jest = (project: string, env: Record<string, string> = {}) =>
    runner.runner(
      resultsOf(project),
      jestTally,
      'jest/bin/jest.js',
      // Integration tests mostly wait for Postgres and Redis: one file per core, where Jest would leave a core free.
      ['--selectProjects', project, '--maxWorkers=100%', '--json', `--outputFile=${resultsOf(project)}`],
      env,
    );

  if (parts.has('static')) {
    for (const { name, script, args } of staticChecks) {
      await runner.step(name, async () => checkTally((await runner.script(script, args)) === 0));
    }
  }
  if (parts.has('unit')) await runner.step('unit tests', () => jest('unit'));
  // Started by the first step that needs them; what cannot start fails each of them.
  let started: ReturnType<typeof startTestServices> | undefined;
  const services = () => (started ??= startTestServices(group, installer, scratch, false));
  if (parts.has('integration')) {
    await runner.step('integration tests', async () => jest('integration', await services()));
  }
  if (parts.has('e2e')) {
    for (const suite of ['pages', 'processes', 'alone']) {
      await runner.step(`end-to-end tests: ${suite}`, async () =>
        runner.runner(
          resultsOf(suite),
          playwrightTally,
          '@playwright/test/cli.js',
          ['test', '--config', `e2e/${suite}.config.ts`, '--reporter=list,json'],
          {
            ...(await services()),
            CHROMIUM_PATH: await chromiumForTests(root, installer),
            PGBOUNCER_PATH: await pgbouncerForTests(installer),
            PLAYWRIGHT_JSON_OUTPUT_NAME: resultsOf(suite),
          },
        ),
      );
    }
  }
}

function chosenParts(args: string[]): Set<Part> {
  try {
    return partsOf(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.log(lastLine(checkTally(false)));
    return process.exit(1);
  }
}
