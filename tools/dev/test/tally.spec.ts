import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addTallies,
  checkTally,
  flakyLines,
  jestTally,
  lastLine,
  playwrightTally,
  runnerTally,
  type Tally,
} from './tally.js';

const jestResults = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};
const playwrightResults = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, errors: [], suites: [] };

/**
 * Runs the fixture, whose one test of two passes on its second run only, in projects of the
 * end-to-end tests.
 */
function runFixture(projects: string): { readonly tally: Tally; readonly exitCode: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-flaky-'));
  const results = join(folder, 'results.json');
  // Playwright refuses to run in Jest's environment.
  const { JEST_WORKER_ID: _worker, ...env } = process.env;
  try {
    const { status } = spawnSync(
      process.execPath,
      [
        join(import.meta.dirname, '../../../node_modules/@playwright/test/cli.js'),
        'test',
        `--config=${join(import.meta.dirname, '../../../e2e/testing/flaky/playwright.config.ts')}`,
        `--output=${join(folder, 'output')}`,
      ],
      {
        env: { ...env, FLAKY_PROJECTS: projects, PLAYWRIGHT_JSON_OUTPUT_NAME: results, FORCE_COLOR: '1' },
        stdio: 'ignore',
      },
    );
    return { tally: playwrightTally(readFileSync(results, 'utf8')), exitCode: status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('tally', () => {
  it('counts a Jest file that could not run as one failure', () => {
    const json = JSON.stringify({ ...jestResults, numFailedTests: 2, numRuntimeErrorTestSuites: 1 });
    expect(jestTally(json)).toEqual({ passed: 5, failed: 3, skipped: 0 });
  });

  it('counts pending and todo tests of Jest as skipped', () => {
    const json = JSON.stringify({ ...jestResults, numPendingTests: 1, numTodoTests: 2 });
    expect(jestTally(json).skipped).toBe(3);
  });

  it('counts a test of pages that passes on its second run as passed, and lists its first error', () => {
    const { tally, exitCode } = runFixture('web');
    expect({ ...runnerTally(tally, exitCode), exitCode }).toMatchObject({
      passed: 2,
      failed: 0,
      skipped: 0,
      exitCode: 0,
    });
    const lines = flakyLines(addTallies([checkTally(true), tally]).flaky);
    expect(lines.slice(0, 3)).toEqual([
      'flaky: passed on the second run only',
      '  flaky.fixture.ts:8 › in a group › passes on its second run',
      '    Error: expect(received).toBe(expected) // Object.is equality',
    ]);
    expect(lines).toContain('    Received: 0');
    expect(lastLine(addTallies([tally]))).toBe('2 passed, 0 failed');
  }, 60_000);

  it('counts a test of any other project that would pass on a second run as failed', () => {
    const { tally, exitCode } = runFixture('api,resilience,citus');
    expect({ ...tally, exitCode }).toEqual({ passed: 3, failed: 3, skipped: 0, flaky: [], exitCode: 1 });
  }, 60_000);

  it('lists nothing when no test is flaky', () => {
    expect(flakyLines(addTallies([checkTally(true)]).flaky)).toEqual([]);
  });

  it('counts tests of other projects that passed on a second run, and errors outside tests, as failures', () => {
    const json = JSON.stringify({
      ...playwrightResults,
      stats: { ...playwrightResults.stats, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [{}],
    });
    expect(playwrightTally(json)).toEqual({ passed: 4, failed: 3, skipped: 2, flaky: [] });
  });

  it('counts a runner without results, or without tests, as one failure', () => {
    expect(runnerTally(undefined, 0)).toEqual(checkTally(false));
    expect(runnerTally({ passed: 0, failed: 0, skipped: 0 }, 0)).toEqual(checkTally(false));
  });

  it('counts good results beside a bad exit code as a failure', () => {
    expect(runnerTally({ passed: 5, failed: 0, skipped: 0 }, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(runnerTally({ passed: 5, failed: 0, skipped: 1 }, null)).toEqual({ passed: 5, failed: 1, skipped: 1 });
    expect(runnerTally({ passed: 5, failed: 2, skipped: 0 }, 1)).toEqual({ passed: 5, failed: 2, skipped: 0 });
  });

  it('adds all steps to a last line that names skipped tests when there are some', () => {
    const total = addTallies([checkTally(true), checkTally(false), { passed: 10, failed: 1, skipped: 2 }]);
    expect(lastLine(total)).toBe('11 passed, 2 failed, 2 skipped');
    expect(lastLine(checkTally(true))).toBe('1 passed, 0 failed');
  });
});
