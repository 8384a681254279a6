import type { DomainError } from '../errors/domain-error.js';

export interface PlaceBounds extends ShareBounds {
  readonly waitMs: number;
  /** Of these bounds, what accounts that have never paid have: each, and all of them together. */
  readonly unpaid?: ShareBounds;
}

interface ShareBounds {
  /** What one process works on at the same time, which bounds its memory. */
  readonly runningMax: number;
  /** Of that, what one account may have. */
  readonly runningPerAccountMax: number;
  /** Of one account, beside what runs. */
  readonly waitingPerAccountMax: number;
  readonly waitingMax: number;
}

interface Waiting {
  readonly accountId: string;
  readonly hasPaid: boolean;
  readonly enter: (leave: () => void) => void;
}

/**
 * For each place of an account so many stay free, so that its share shrinks as others come, and one
 * that comes finds a place: alone an account has a quarter at most.
 */
const FREE_FOR_EACH = 3;

/**
 * Shares expensive work among accounts: each has some that runs and some that waits. A place that
 * becomes free goes to the account that has the fewest, and then to the one whose turn is longest
 * ago, so that no account can shut out the others.
 */
export abstract class AccountPlaces {
  /** How many places each account has, if any. */
  private readonly running = new Map<string, number>();
  private runningTotal = 0;
  private runningUnpaid = 0;
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
  async enter(accountId: string, hasPaid = true): Promise<() => void> {
    const own = this.waiting.filter((one) => one.accountId === accountId).length;
    if (own === 0 && this.canRun(accountId, hasPaid)) return this.run(accountId, hasPaid);
    if (own >= this.boundsOf(hasPaid).waitingPerAccountMax) throw this.tooMany(own);
    if (this.isLineFull(hasPaid)) throw this.busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(this.busy());
      }, this.bounds.waitMs);
      const waiting: Waiting = {
        accountId,
        hasPaid,
        enter: (leave) => {
          clearTimeout(timer);
          resolve(leave);
        },
      };
      this.waiting.push(waiting);
    });
  }

  private boundsOf(hasPaid: boolean): ShareBounds {
    return hasPaid ? this.bounds : (this.bounds.unpaid ?? this.bounds);
  }

  private isLineFull(hasPaid: boolean): boolean {
    if (this.waiting.length >= this.bounds.waitingMax) return true;
    return !hasPaid && this.waiting.filter((one) => !one.hasPaid).length >= this.boundsOf(false).waitingMax;
  }

  private canRun(accountId: string, hasPaid: boolean): boolean {
    const free = this.bounds.runningMax - this.runningTotal;
    const own = this.placesOf(accountId);
    if (free === 0 || own >= this.boundsOf(hasPaid).runningPerAccountMax) return false;
    if (!hasPaid && this.runningUnpaid >= this.boundsOf(false).runningMax) return false;
    return own === 0 || (own + 1) * FREE_FOR_EACH <= free;
  }

  private placesOf(accountId: string): number {
    return this.running.get(accountId) ?? 0;
  }

  private run(accountId: string, hasPaid: boolean): () => void {
    this.runningTotal += 1;
    if (!hasPaid) this.runningUnpaid += 1;
    this.running.set(accountId, this.placesOf(accountId) + 1);
    return () => {
      this.runningTotal -= 1;
      if (!hasPaid) this.runningUnpaid -= 1;
      const left = this.placesOf(accountId) - 1;
      if (left === 0) this.running.delete(accountId);
      else this.running.set(accountId, left);
      this.admitNext();
    };
  }

  private admitNext(): void {
    const [next] = this.waiting
      .filter(({ accountId, hasPaid }) => this.canRun(accountId, hasPaid))
      .toSorted((one, other) => this.placesOf(one.accountId) - this.placesOf(other.accountId));
    if (!next) return;
    // What else waits of the account comes after the others.
    const rest = this.waiting.filter((one) => one !== next);
    const isOwn = ({ accountId }: Waiting) => accountId === next.accountId;
    this.waiting = [...rest.filter((one) => !isOwn(one)), ...rest.filter(isOwn)];
    next.enter(this.run(next.accountId, next.hasPaid));
    // One place that becomes free may be free for several, because an account leaves some free.
    this.admitNext();
  }
}
