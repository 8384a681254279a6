/**
 * Maximum of one account's concurrent calls in this worker, so that other accounts always get
 * theirs.
 */
const CALLS_MAX = 16;

/**
 * After this many failures in a row the receiver counts as down, and gets fewer concurrent calls
 * until it answers.
 */
const DOWN_AFTER_FAILURES = 3;

const CALLS_WHILE_DOWN_MAX = 2;

const WAIT_MS_MIN = 1_000;

const WAIT_MS_MAX = 60_000;

const ACCOUNTS_MAX = 10_000;

interface Receiver {
  calls: number;
  failures: number;
  /** Deliveries that were postponed since the receiver last had no call in flight. */
  postponed: number;
  lastMs: number;
}

export interface FinishedCall {
  readonly isAnswered: boolean;
  readonly durationMs: number;
}

type Slot = { readonly kind: 'free' } | { readonly kind: 'full'; readonly waitMs: number };

/**
 * Limits the concurrent calls of each account in this worker: a receiver that hangs occupies a few
 * slots, never all.
 */
export class AccountConcurrency {
  private readonly receivers = new Map<string, Receiver>();

  /**
   * Takes a slot. `full` carries about the time that the earlier deliveries need. Call `leave`
   * after every `free`.
   */
  enter(accountId: string): Slot {
    const receiver = this.receivers.get(accountId) ?? { calls: 0, failures: 0, postponed: 0, lastMs: 0 };
    this.remember(accountId, receiver);
    const callsMax = isDown(receiver) ? CALLS_WHILE_DOWN_MAX : CALLS_MAX;
    if (receiver.calls < callsMax) {
      receiver.calls += 1;
      return { kind: 'free' };
    }
    receiver.postponed += 1;
    const waitMs = WAIT_MS_MIN + (receiver.postponed * receiver.lastMs) / callsMax;
    return { kind: 'full', waitMs: Math.min(waitMs, WAIT_MS_MAX) };
  }

  /**
   * Returns the slot; `call` is undefined without a call. Returns whether a receiver that was down
   * answers again.
   */
  leave(accountId: string, call: FinishedCall | undefined): boolean {
    const receiver = this.receivers.get(accountId);
    if (!receiver) return false;
    receiver.calls -= 1;
    const wasDown = isDown(receiver);
    if (call) {
      receiver.failures = call.isAnswered ? 0 : receiver.failures + 1;
      receiver.lastMs = call.durationMs;
    }
    if (receiver.calls === 0) receiver.postponed = 0;
    if (receiver.calls === 0 && receiver.failures === 0) this.receivers.delete(accountId);
    return wasDown && !isDown(receiver);
  }

  /** Removes the receiver that has been idle for longest when there are too many. */
  private remember(accountId: string, receiver: Receiver): void {
    this.receivers.delete(accountId);
    this.receivers.set(accountId, receiver);
    if (this.receivers.size <= ACCOUNTS_MAX) return;
    for (const [other, { calls }] of this.receivers) {
      if (calls > 0) continue;
      this.receivers.delete(other);
      return;
    }
  }
}

function isDown({ failures }: Receiver): boolean {
  return failures >= DOWN_AFTER_FAILURES;
}
