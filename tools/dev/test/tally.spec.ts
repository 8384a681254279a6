import { addTallies, checkTally, jestTally, lastLine, playwrightTally, runnerTally } from './tally.js';

const jestResults = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};
const playwrightResults = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, errors: [] };

describe('tally', () => {
  it('counts a Jest file that could not run as one failure', () => {
    const json = JSON.stringify({ ...jestResults, numFailedTests: 2, numRuntimeErrorTestSuites: 1 });
    expect(jestTally(json)).toEqual({ passed: 5, failed: 3, skipped: 0 });
  });

  it('counts pending and todo tests of Jest as skipped', () => {
    const json = JSON.stringify({ ...jestResults, numPendingTests: 1, numTodoTests: 2 });
    expect(jestTally(json).skipped).toBe(3);
  });

  it('counts flaky tests and errors outside tests of Playwright as failures', () => {
    const json = JSON.stringify({
      ...playwrightResults,
      stats: { ...playwrightResults.stats, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [{}],
    });
    expect(playwrightTally(json)).toEqual({ passed: 4, failed: 3, skipped: 2 });
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
