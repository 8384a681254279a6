/**
 * Jest's order of the groups in jest.groups.config.js: the largest first, so that no core waits for
 * a large group at the end.
 */
module.exports = class LargestFirst {
  sort(tests) {
    return tests.toSorted((a, b) => bytesOf(b) - bytesOf(a));
  }

  /** Serves `--onlyFailures`, which has no meaning for groups. */
  allFailedTests(tests) {
    return tests;
  }

  /** Durations of earlier runs are not kept: each run has the same order. */
  cacheResults() {}
};

function bytesOf({ context }) {
  return context.config.globals.bytes;
}
