import type { DomainError } from '../errors/domain-error.js';

export interface PlaceBounds extends ShareBounds {
  readonly waitMs: number;
  /**
   * Stricter bounds within these, for accounts that have never paid: per account, and for all
   * together.
   */
  readonly unpaid?: ShareBounds;
}

interface ShareBounds {
  /** Work that one process does at the same time, which bounds its memory. */
  readonly runningMax: number;
  /** Maximum of running work of one account. */
  readonly runningPerAccountMax: number;
  /** Waiting work of one account. */
  readonly waitingPerAccountMax: number;
  readonly waitingMax: number;
}

interface Waiting {
  readonly accountId: string;
  readonly hasPaid: boolean;
  readonly enter: (leave: () => void) => void;
}

/**
 * Places that stay free for each place of an account, so that its share shrinks as other accounts
 * come, and a new account finds a place: alone an account has a quarter at most.
 */
const FREE_FOR_EACH = 3;

/**
 * Shares expensive work among accounts: each has some running and some waiting work. A free place
 * goes to the account that has the fewest places, and then to the account whose turn is longest
 * ago, so that no account can shut out the others.
 */
export abstract class AccountPlaces {
  /** Number of places by account, without accounts that have none. */
  private readonly running = new Map<string, number>();
  private runningTotal = 0;
  private runningUnpaid = 0;
  private waiting: Waiting[] = [];

  protected constructor(private readonly bounds: PlaceBounds) {}

  /** Error for an account with this much waiting work. */
  protected abstract tooMany(waiting: number): DomainError;
  /** Error when all accounts together have too much work. */
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
    // The account's other requests go behind all others.
    const rest = this.waiting.filter((one) => one !== next);
    const isOwn = ({ accountId }: Waiting) => accountId === next.accountId;
    this.waiting = [...rest.filter((one) => !isOwn(one)), ...rest.filter(isOwn)];
    next.enter(this.run(next.accountId, next.hasPaid));
    // Freeing one place may admit several requests, because an account leaves some places free.
    this.admitNext();
  }
}
