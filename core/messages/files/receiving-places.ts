import { Injectable } from '@nestjs/common';
import { PaidAccounts } from '../../credits/paid-accounts.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { AccountPlaces } from '../../platform/places/account-places.js';

/**
 * Uploads and messages whose files one process receives at the same time. Each takes at most
 * `limits.messageMediaBytesMax` on the disk: together half a gigabyte, a quarter of it for one
 * account.
 */
const RUNNING_MAX = 100;
const RUNNING_PER_ACCOUNT_MAX = 25;
const WAITING_PER_ACCOUNT_MAX = 16;
const WAITING_MAX = 200;
const UNPAID = { runningMax: 40, runningPerAccountMax: 3, waitingPerAccountMax: 4, waitingMax: 80 } as const;
const WAIT_MS = 15_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Shares the receiving of files among accounts. Receiving is as slow as the caller or server and
 * costs only room on the disk; `FilePlaces` limits decoding and storing. Throws `media_limit` for
 * too many at once of the account, and `unavailable` for too many of all accounts, or after 15
 * seconds.
 */
@Injectable()
export class ReceivingPlaces extends AccountPlaces {
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
      `Your account sends as many files at the same time as it may, and ${waiting} wait. You were not charged. ` +
      'Upload a file once and send its "media_id" to many recipients.';
    return new DomainError('media_limit', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  protected busy(): DomainError {
    const detail = 'The service is receiving many files. You were not charged; try again in a second.';
    return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
