import type { DomainError } from '../platform/errors/domain-error.js';

export interface PlaceBounds {
  /** What one process works on at the same time, which bounds its memory. */
  readonly runningMax: number;
  /** Of that, what one account may have. */
  readonly runningPerAccountMax: number;
  /** Of one account, beside what runs. */
  readonly waitingPerAccountMax: number;
  readonly waitingMax: number;
  readonly waitMs: number;
}

interface Waiting {
  readonly accountId: string;
  readonly enter: (leave: () => void) => void;
}

/**
 * Shares expensive work among accounts: each has some that runs and some that waits, in the order
 * of its arrival, so that no account can shut out the others.
 */
export abstract class AccountPlaces {
  /** How many places each account has, if any. */
  private readonly running = new Map<string, number>();
  private runningTotal = 0;
  private waiting: Waiting[] = [];

  protected constructor(private readonly bounds: PlaceBounds) {}

  /** For an account that has too much work, of which so much waits. */
  protected abstract tooMany(waiting: number): DomainError;
  /** When all accounts together have too much work. */
  protected abstract busy(): DomainError;

  /**
   * Waits for the account's place and returns the function that leaves it. Throws the errors of
   * {@link tooMany} and, also after the longest wait, of {@link busy}.
   */
  async enter(accountId: string): Promise<() => void> {
    const own = this.waiting.filter((one) => one.accountId === accountId).length;
    if (own === 0 && this.canRun(accountId)) return this.run(accountId);
    if (own >= this.bounds.waitingPerAccountMax) throw this.tooMany(own);
    if (this.waiting.length >= this.bounds.waitingMax) throw this.busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(this.busy());
      }, this.bounds.waitMs);
      const waiting: Waiting = {
        accountId,
        enter: (leave) => {
          clearTimeout(timer);
          resolve(leave);
        },
      };
      this.waiting.push(waiting);
    });
  }

  private canRun(accountId: string): boolean {
    const { runningMax, runningPerAccountMax } = this.bounds;
    return this.runningTotal < runningMax && (this.running.get(accountId) ?? 0) < runningPerAccountMax;
  }

  private run(accountId: string): () => void {
    this.runningTotal += 1;
    this.running.set(accountId, (this.running.get(accountId) ?? 0) + 1);
    return () => {
      this.runningTotal -= 1;
      const left = (this.running.get(accountId) ?? 1) - 1;
      if (left === 0) this.running.delete(accountId);
      else this.running.set(accountId, left);
      this.admitNext();
    };
  }

  private admitNext(): void {
    const next = this.waiting.find(({ accountId }) => this.canRun(accountId));
    if (!next) return;
    this.waiting = this.waiting.filter((one) => one !== next);
    next.enter(this.run(next.accountId));
  }
}
