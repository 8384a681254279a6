/** What jest could fake besides the date: all of it goes on as it is. */
const untouched = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** Runs `work` as on a machine whose clock is wrong by so much; the database's is right. */
export async function withClockShifted<T>(byMs: number, work: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now: Date.now() + byMs, doNotFake: [...untouched] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}
