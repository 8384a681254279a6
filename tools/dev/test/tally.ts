/** Numbers of checks or tests by result. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of Jest's `--json` file that counts (https://jestjs.io/docs/configuration#testresultsprocessor-string). */
interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
}

/** The part of Playwright's JSON report that counts (https://playwright.dev/docs/api/class-reporter). */
interface PlaywrightResults {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** Jest's own numbers; a file that could not run is one failure. */
export function jestTally(json: string): Tally {
  const results = JSON.parse(json) as JestResults;
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/** Playwright's own numbers; a test that passed only when retried is a failure, and so is each error outside a test. */
export function playwrightTally(json: string): Tally {
  const { stats, errors } = JSON.parse(json) as PlaywrightResults;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/** A check that has no tests: it holds or it does not. */
export function checkTally(holds: boolean): Tally {
  return { passed: holds ? 1 : 0, failed: holds ? 0 : 1, skipped: 0 };
}

/**
 * A runner's results beside its exit code: no results, no test run, or an exit code that the results do not explain is a
 * failure.
 */
export function runnerTally(results: Tally | undefined, exitCode: number | null): Tally {
  if (!results || results.passed + results.failed + results.skipped === 0) return checkTally(false);
  return exitCode !== 0 && results.failed === 0 ? { ...results, failed: 1 } : results;
}

/** The sum of all steps. */
export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** The last line of the run. */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
