import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';

/** Bulks and their quotes that one process works on at the same time, which bounds their memory. */
const RUNNING_MAX = 4;
/** Of one account, beside the one that runs. */
const WAITING_PER_ACCOUNT_MAX = 2;
const WAITING_MAX = 200;
const WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 1;

interface Waiting {
  readonly accountId: string;
  readonly enter: (leave: () => void) => void;
}

/**
 * Shares the work on bulks among accounts: each has one that runs and two that wait, in the order
 * of their arrival, so that no account can shut out the others.
 */
@Injectable()
export class BulkPlaces {
  private readonly running = new Set<string>();
  private waiting: Waiting[] = [];

  /**
   * Waits for the account's place and returns the function that leaves it. Throws `rate_limited`
   * when the account has too many bulks, and `unavailable` when all accounts together have, or
   * after 30 seconds.
   */
  async enter(accountId: string): Promise<() => void> {
    const own = this.waiting.filter((one) => one.accountId === accountId).length;
    if (own === 0 && this.canRun(accountId)) return this.run(accountId);
    if (own >= WAITING_PER_ACCOUNT_MAX) {
      const detail =
        `Your account has a bulk that is being accepted and ${own} that wait. You were not charged; try ` +
        'again in a second.';
      throw new DomainError('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    if (this.waiting.length >= WAITING_MAX) throw busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(busy());
      }, WAIT_MS);
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
    return this.running.size < RUNNING_MAX && !this.running.has(accountId);
  }

  private run(accountId: string): () => void {
    this.running.add(accountId);
    return () => {
      this.running.delete(accountId);
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

function busy(): DomainError {
  const detail = 'The service is accepting many bulks. You were not charged; try again in a second.';
  return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
