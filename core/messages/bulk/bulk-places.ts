import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { AccountPlaces } from '../../platform/places/account-places.js';

/** Bulks and quotes of bulks that one process handles at the same time. */
const RUNNING_MAX = 4;
const WAITING_PER_ACCOUNT_MAX = 2;
const WAITING_MAX = 200;
const WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Shares the work on bulks among accounts: one runs and two wait for each. Throws `rate_limited`
 * for too many bulks of the account, and `unavailable` for too many of all accounts, or after 30
 * seconds.
 */
@Injectable()
export class BulkPlaces extends AccountPlaces {
  constructor() {
    super({
      runningMax: RUNNING_MAX,
      runningPerAccountMax: 1,
      waitingPerAccountMax: WAITING_PER_ACCOUNT_MAX,
      waitingMax: WAITING_MAX,
      waitMs: WAIT_MS,
    });
  }

  protected tooMany(waiting: number): DomainError {
    const detail =
      `Your account has a bulk that is being accepted and ${waiting} that wait. You were not charged; try ` +
      'again in a second.';
    return new DomainError('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  protected busy(): DomainError {
    const detail = 'The service is accepting many bulks. You were not charged; try again in a second.';
    return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
