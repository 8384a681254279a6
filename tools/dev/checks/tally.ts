/** What came out of one step or of all: whole numbers of checks or tests. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
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

/** Playwright's own numbers; a test that passed only when tried again has failed, and so has each error outside a test. */
export function playwrightTally(json: string): Tally {
  const { stats, errors } = JSON.parse(json) as PlaywrightResults;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/** One check that is no test runner: it holds or it does not. */
export function checkTally(holds: boolean): Tally {
  return holds ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * What a runner's results are worth beside its exit code: no results, nothing run, or an exit code that the results do not
 * explain is a failure.
 */
export function runnerTally(results: Tally | undefined, exitCode: number | null): Tally {
  if (!results || results.passed + results.failed + results.skipped === 0) return checkTally(false);
  const isUnexplained = exitCode !== 0 && results.failed === 0 && results.skipped === 0;
  return isUnexplained ? { ...results, failed: 1 } : results;
}

/** All steps together. */
export function addTallies(tallies: Tally[]): Tally {
  return tallies.reduce(
    (sum, tally) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + tally.failed,
      skipped: sum.skipped + tally.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** The last line of the run. No test may be skipped, so skipped ones count as failed. */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed + skipped} failed`;
}
