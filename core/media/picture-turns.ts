/** Waiting work of each account, in the order of the accounts' turns. */
const waiting = new Map<string, (() => void)[]>();
let isBusy = false;

/**
 * Runs work on a picture, one at a time in a process, so that memory does not grow with their
 * number. Accounts take turns: an account waits for at most one picture of each other account.
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

/** Returns whether work has begun. */
function beginNext(): boolean {
  for (const [accountId, [begin, ...later]] of waiting) {
    waiting.delete(accountId);
    // The account's next picture comes after other accounts'.
    if (later.length > 0) waiting.set(accountId, later);
    begin?.();
    return true;
  }
  return false;
}
