/** Calls of one account at the same time, so that others always find room. */
const CALLS_MAX = 16;
/** After so many failures in a row the receiver counts as down, and gets this many calls at the same time, to find out. */
const DOWN_AFTER_FAILURES = 3;
const CALLS_WHILE_DOWN_MAX = 2;
const PARK_MS_MIN = 1_000;
const PARK_MS_MAX = 60_000;
const ACCOUNTS_KNOWN_MAX = 10_000;

interface Lane {
  calls: number;
  failures: number;
  /** Put aside since the lane was last empty. */
  parked: number;
  lastMs: number;
}

export type Entry = { readonly kind: 'free' } | { readonly kind: 'full'; readonly waitMs: number };

/** How many calls of each account are under way in this worker: a receiver that hangs holds a few, and never the others. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  /** `full`: come back after about the time that those before need. Every `free` is followed by one `leave`. */
  enter(accountId: string): Entry {
    const lane = this.lanes.get(accountId) ?? { calls: 0, failures: 0, parked: 0, lastMs: 0 };
    this.remember(accountId, lane);
    const callsMax = isDown(lane) ? CALLS_WHILE_DOWN_MAX : CALLS_MAX;
    if (lane.calls < callsMax) {
      lane.calls += 1;
      return { kind: 'free' };
    }
    lane.parked += 1;
    const waitMs = PARK_MS_MIN + (lane.parked * lane.lastMs) / callsMax;
    return { kind: 'full', waitMs: Math.min(waitMs, PARK_MS_MAX) };
  }

  /** Answers whether a receiver that was down answers again, so that what waits for it may come. */
  leave(accountId: string, call: { isAnswered: boolean; durationMs: number } | undefined): boolean {
    const lane = this.lanes.get(accountId);
    if (!lane) return false;
    lane.calls -= 1;
    const wasDown = isDown(lane);
    if (call) {
      lane.failures = call.isAnswered ? 0 : lane.failures + 1;
      lane.lastMs = call.durationMs;
    }
    if (lane.calls === 0) lane.parked = 0;
    if (lane.calls === 0 && lane.failures === 0) this.lanes.delete(accountId);
    return wasDown && !isDown(lane);
  }

  /** The longest idle one is forgotten first. */
  private remember(accountId: string, lane: Lane): void {
    this.lanes.delete(accountId);
    this.lanes.set(accountId, lane);
    if (this.lanes.size <= ACCOUNTS_KNOWN_MAX) return;
    for (const [other, { calls }] of this.lanes) {
      if (calls > 0) continue;
      this.lanes.delete(other);
      return;
    }
  }
}

function isDown({ failures }: Lane): boolean {
  return failures >= DOWN_AFTER_FAILURES;
}
