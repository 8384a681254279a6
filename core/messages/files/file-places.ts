import { Injectable } from '@nestjs/common';
import { PaidAccounts } from '../../credits/paid-accounts.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { AccountPlaces } from '../../platform/places/account-places.js';

/** Messages and uploads whose files one process decodes and stores at once. */
const RUNNING_MAX = 20;
const RUNNING_PER_ACCOUNT_MAX = 4;
const WAITING_PER_ACCOUNT_MAX = 16;
const WAITING_MAX = 200;
const UNPAID = { runningMax: 5, runningPerAccountMax: 1, waitingPerAccountMax: 6, waitingMax: 100 } as const;
const WAIT_MS = 15_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Shares the work on files among accounts: decoding and storing received files. Throws
 * `media_limit` for too many at once of the account, and `unavailable` for too many of all
 * accounts, or after 15 seconds.
 */
@Injectable()
export class FilePlaces extends AccountPlaces {
  constructor(private readonly paidAccounts: PaidAccounts) {
    super({
      runningMax: RUNNING_MAX,
      runningPerAccountMax: RUNNING_PER_ACCOUNT_MAX,
      waitingPerAccountMax: WAITING_PER_ACCOUNT_MAX,
      waitingMax: WAITING_MAX,
      unpaid: UNPAID,
      waitMs: WAIT_MS,
    });
  }

  override async enter(accountId: string): Promise<() => void> {
    return super.enter(accountId, await this.paidAccounts.hasPaid(accountId));
  }

  protected tooMany(waiting: number): DomainError {
    const detail =
      `Files of your account are being stored, and ${waiting} wait. You were not charged. ` +
      'Upload a file once and send its "media_id" to many recipients.';
    return new DomainError('media_limit', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  protected busy(): DomainError {
    const detail = 'The service is storing many files. You were not charged; try again in a second.';
    return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
