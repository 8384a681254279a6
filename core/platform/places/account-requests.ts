import { Global, Injectable, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import { AccountPlaces } from './account-places.js';

/** Share of the process's connections that the requests of one account take. */
const SHARE = 1 / 4;
/** Per account, besides the running change. */
const CHANGES_WAITING_MAX = 16;
/** Per account: a program may ask for many messages at once. */
const REQUESTS_WAITING_MAX = 100;
const WAITING_MAX = 2_000;
const RETRY_AFTER_SECONDS = 1;

class RequestPlaces extends AccountPlaces {
  constructor(
    private readonly noun: string,
    runningPerAccountMax: number,
    waitingPerAccountMax: number,
    waitMs: number,
  ) {
    super({ runningMax: Infinity, runningPerAccountMax, waitingPerAccountMax, waitingMax: WAITING_MAX, waitMs });
  }

  protected tooMany(waiting: number): DomainError {
    const detail = `${waiting} ${this.noun} of your account wait for others. Nothing was done; try again in a second.`;
    return new DomainError('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  protected busy(): DomainError {
    const detail = `Too many ${this.noun} wait. Nothing was done; try again in a second.`;
    return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/**
 * Lets requests of an account wait before they take a connection, so that one account never holds
 * more than a quarter of the process's connections. Only one change of an account runs at a time,
 * because changes wait for each other's locks in any case. A running request takes one connection
 * at a time. Requests whose statements are shared by accounts (sending, verifying) do not come
 * here.
 *
 * Throws `rate_limited` for an account with too many waiting requests, and `unavailable` when all
 * accounts together have too many, or after the longest wait for a connection.
 */
@Injectable()
export class AccountRequests {
  /** Requests of one account that run at a time. */
  readonly perAccountMax: number;
  private readonly changes: RequestPlaces;
  private readonly requests: RequestPlaces;

  constructor({ database: { poolMax, waitMs } }: Config) {
    this.perAccountMax = Math.max(1, Math.floor(poolMax * SHARE));
    this.changes = new RequestPlaces('changes', 1, CHANGES_WAITING_MAX, waitMs);
    this.requests = new RequestPlaces('requests', this.perAccountMax, REQUESTS_WAITING_MAX, waitMs);
  }

  /** Waits for the account's place; returns the function that leaves it. */
  async enter(accountId: string, { isChange }: { readonly isChange: boolean }): Promise<() => void> {
    if (!isChange) return this.requests.enter(accountId);
    const endTurn = await this.changes.enter(accountId);
    try {
      const leave = await this.requests.enter(accountId);
      return () => {
        leave();
        endTurn();
      };
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  /** Makes a change of an account in its turn, for a request that does not have a place yet. */
  async change<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(accountId, { isChange: true });
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

/** Guards of all modules of the server share the process's places. */
@Global()
@Module({ providers: [AccountRequests], exports: [AccountRequests] })
export class AccountRequestsModule {}
