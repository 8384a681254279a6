/** Window and rate of a bind. */
export interface LaneLimits {
  /** Requests without a response. */
  readonly window: number;
  readonly perSecond: number | undefined;
  readonly perSenderPerSecond: number | undefined;
}

/** Requests that wait for a place. Further requests are turned away at once. */
const WAITING_MAX = 1_000;

/**
 * The request got no place within its time, or at all. `retryAfterMs` is the wait before asking
 * again.
 */
export class NoPlaceError extends Error {
  constructor(
    message: string,
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

interface Waiter {
  readonly sender: string;
  /** True for a part of a message that the peer has begun to take. It waits out every pause. */
  readonly isBegun: boolean;
  readonly resolve: (release: () => void) => void;
  readonly reject: (error: NoPlaceError) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * Grants requests a place in the order in which they came, within the window and the rates. A
 * sender that has to wait holds up no other sender.
 */
export class SubmitLane {
  private waiting: Waiter[] = [];
  private open = 0;
  private pausedUntilMs = 0;
  private readonly rate: Rate | undefined;
  private readonly senderRates = new Map<string, Rate>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: LaneLimits) {
    this.rate = limits.perSecond === undefined ? undefined : new Rate(limits.perSecond);
  }

  /** Requests that have a place. */
  get openRequests(): number {
    return this.open;
  }

  /** Remaining pause for new requests; 0 without a pause. */
  get pausedMs(): number {
    return Math.max(0, Math.ceil(this.pausedUntilMs - performance.now()));
  }

  /**
   * Waits for a place and returns the function that frees it. Throws {@link NoPlaceError} after
   * `withinMs`; a part of a begun message waits without that limit, before all others.
   */
  take(sender: string, { isBegun, withinMs }: { isBegun: boolean; withinMs: number }): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const pausedMs = this.pausedUntilMs - performance.now();
      if (!isBegun && pausedMs > 0) return reject(new NoPlaceError('The peer wants a pause', Math.ceil(pausedMs) + 1));
      if (!isBegun && this.waiting.length >= WAITING_MAX) return reject(new NoPlaceError('Too many requests wait'));
      const timer = isBegun
        ? undefined
        : setTimeout(() => this.turnAway([waiter], () => new NoPlaceError('No place in time')), withinMs);
      const waiter: Waiter = { sender, isBegun, resolve, reject, timer };
      if (isBegun) this.waiting.splice(this.waiting.findLastIndex((other) => other.isBegun) + 1, 0, waiter);
      else this.waiting.push(waiter);
      this.pump();
    });
  }

  /**
   * Lets nothing through for some time. Waiting requests are turned away, with staggered retry
   * times.
   */
  pause(forMs: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, performance.now() + forMs);
    const turned = this.waiting.filter(({ isBegun }) => !isBegun);
    this.turnAway(turned, (index) => new NoPlaceError('The peer wants a pause', forMs + 1 + index));
    this.pump();
  }

  /** Turns away all waiting requests. */
  clear(): void {
    this.turnAway(this.waiting, () => new NoPlaceError('The bind has ended'));
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private turnAway(waiters: readonly Waiter[], error: (index: number) => NoPlaceError): void {
    const turned = new Set(waiters);
    this.waiting = this.waiting.filter((waiter) => !turned.has(waiter));
    waiters.forEach(({ reject, timer }, index) => {
      clearTimeout(timer);
      reject(error(index));
    });
  }

  private pump(): void {
    while (this.open < this.limits.window && this.waiting.length > 0) {
      const now = performance.now();
      const waitMs = Math.max(this.pausedUntilMs - now, this.rate?.waitMs(now) ?? 0);
      if (waitMs > 0) return this.pumpAfter(waitMs);
      const index = this.waiting.findIndex(({ sender }) => (this.rateOf(sender)?.waitMs(now) ?? 0) <= 0);
      const waiter = this.waiting[index];
      if (waiter === undefined) return this.pumpAfter(this.nextSenderMs(now));
      this.waiting.splice(index, 1);
      this.rate?.take(now);
      this.rateOf(waiter.sender)?.take(now);
      this.let(waiter);
    }
  }

  private let({ resolve, timer }: Waiter): void {
    clearTimeout(timer);
    this.open += 1;
    let isFree = false;
    resolve(() => {
      if (isFree) return;
      isFree = true;
      this.open -= 1;
      this.pump();
    });
  }

  private nextSenderMs(now: number): number {
    return Math.min(...this.waiting.map(({ sender }) => this.rateOf(sender)?.waitMs(now) ?? 0));
  }

  private pumpAfter(waitMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.pump(), Math.ceil(waitMs));
  }

  private rateOf(sender: string): Rate | undefined {
    const { perSenderPerSecond } = this.limits;
    if (perSenderPerSecond === undefined) return undefined;
    const known = this.senderRates.get(sender);
    if (known) return known;
    const rate = new Rate(perSenderPerSecond);
    this.senderRates.set(sender, rate);
    return rate;
  }
}

/**
 * A rate that no second exceeds: permits are refilled evenly, and permits that were saved up while
 * a timer was late (2 % of a second's, at least one) are taken off the refill.
 */
class Rate {
  private readonly savedMax: number;
  private readonly perMs: number;
  private saved: number;
  private atMs = -Infinity;

  constructor(perSecond: number) {
    this.savedMax = Math.max(1, Math.floor(perSecond / 50));
    this.perMs = (this.savedMax === 1 ? perSecond : perSecond - this.savedMax) / 1_000;
    this.saved = this.savedMax;
  }

  waitMs(now: number): number {
    return Math.max(0, (1 - this.savedAt(now)) / this.perMs);
  }

  take(now: number): void {
    this.saved = this.savedAt(now) - 1;
    this.atMs = now;
  }

  private savedAt(now: number): number {
    return this.atMs === -Infinity
      ? this.savedMax
      : Math.min(this.savedMax, this.saved + (now - this.atMs) * this.perMs);
  }
}
