import { stripVTControlCharacters } from 'node:util';

/** Numbers of checks or tests by result. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tests that count as passed although their first run failed. */
  readonly flaky?: readonly FlakyTest[];
}

/** A test of pages that passed when it ran a second time. */
interface FlakyTest {
  /** File, line and titles. */
  readonly name: string;
  /** The error of its first run, without colors. */
  readonly error: string;
}

/**
 * The part of Jest's `--json` file that counts
 * (https://jestjs.io/docs/configuration#testresultsprocessor-string).
 */
interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
}

/**
 * The part of Playwright's JSON report that counts
 * (https://playwright.dev/docs/api/class-reporter).
 */
interface PlaywrightResults {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    file: string;
    line: number;
    tests: { projectName: string; status: string; results: { errors: { message: string }[] }[] }[];
  }[];
}

/**
 * The project whose tests may pass on their second run. Everywhere else a second run that passes
 * hides a race.
 */
const LENIENT_PROJECT = 'web';
const ERROR_LINES_MAX = 12;

/** Jest's own numbers; a file that could not run is one failure. */
export function jestTally(json: string): Tally {
  const results = JSON.parse(json) as JestResults;
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/**
 * Playwright's own numbers. A test of pages that passed only when it ran again has passed, and is
 * listed; any other is a failure, and so is each error outside a test.
 */
export function playwrightTally(json: string): Tally {
  const { stats, errors, suites } = JSON.parse(json) as PlaywrightResults;
  const flaky = suites.flatMap((suite) => flakyIn(suite, []));
  return {
    passed: stats.expected + flaky.length,
    failed: stats.unexpected + (stats.flaky - flaky.length) + errors.length,
    skipped: stats.skipped,
    flaky,
  };
}

function flakyIn({ title, specs, suites = [] }: PlaywrightSuite, above: readonly string[]): FlakyTest[] {
  const titles = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ projectName, status }) => projectName === LENIENT_PROJECT && status === 'flaky')
      .map(({ results }) => ({
        // The first title is the file's.
        name: [`${spec.file}:${spec.line}`, ...titles.slice(1), spec.title].join(' › '),
        error: stripVTControlCharacters(results[0]?.errors[0]?.message ?? 'No error was reported.')
          .split('\n')
          .slice(0, ERROR_LINES_MAX)
          .join('\n')
          .trimEnd(),
      })),
  );
  return [...own, ...suites.flatMap((suite) => flakyIn(suite, titles))];
}

/** A check that has no tests: it holds or it does not. */
export function checkTally(holds: boolean): Tally {
  return { passed: holds ? 1 : 0, failed: holds ? 0 : 1, skipped: 0 };
}

/**
 * A runner's results beside its exit code: no results, no test run, or an exit code that the
 * results do not explain is a failure.
 */
export function runnerTally(results: Tally | undefined, exitCode: number | null): Tally {
  if (!results || results.passed + results.failed + results.skipped === 0) return checkTally(false);
  return exitCode !== 0 && results.failed === 0 ? { ...results, failed: 1 } : results;
}

/** The sum of all steps. */
export function addTallies(tallies: readonly Tally[]): Required<Tally> {
  return tallies.reduce<Required<Tally>>(
    (sum, { passed, failed, skipped, flaky = [] }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
      flaky: [...sum.flaky, ...flaky],
    }),
    { passed: 0, failed: 0, skipped: 0, flaky: [] },
  );
}

/**
 * The list of flaky tests with their first errors, before the last line; no lines when there are
 * none.
 */
export function flakyLines(flaky: readonly FlakyTest[]): readonly string[] {
  if (flaky.length === 0) return [];
  const list = flaky.flatMap(({ name, error }) => [`  ${name}`, ...error.split('\n').map((line) => `    ${line}`)]);
  return ['flaky: passed on the second run only', ...list];
}

export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
