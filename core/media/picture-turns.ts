/** Of each account that waits, in the order in which they have their turns. */
const waiting = new Map<string, (() => void)[]>();
let isBusy = false;

/**
 * Runs work on a picture, one at a time in a process, so that memory does not grow with their number.
 * Accounts take turns: however many pictures one has, another waits for one of them at most.
 */
export async function inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  if (isBusy) await new Promise<void>((begin) => wait(accountId, begin));
  isBusy = true;
  try {
    return await work();
  } finally {
    isBusy = beginNext();
  }
}

function wait(accountId: string, begin: () => void): void {
  const own = waiting.get(accountId);
  if (own) own.push(begin);
  else waiting.set(accountId, [begin]);
}

/** Returns whether one has begun. */
function beginNext(): boolean {
  for (const [accountId, [begin, ...later]] of waiting) {
    waiting.delete(accountId);
    // Its next one comes after those of the others.
    if (later.length > 0) waiting.set(accountId, later);
    begin?.();
    return true;
  }
  return false;
}
