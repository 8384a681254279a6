import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { AccountPlaces } from '../account-places.js';

/** Messages and uploads whose files one process receives at the same time. */
const RUNNING_MAX = 20;
const RUNNING_PER_ACCOUNT_MAX = 4;
const WAITING_PER_ACCOUNT_MAX = 16;
const WAITING_MAX = 200;
const WAIT_MS = 15_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Shares the receiving of files among accounts. Throws `media_limit` when the account receives too
 * many at once, and `unavailable` when all accounts together do, or after 15 seconds.
 */
@Injectable()
export class FilePlaces extends AccountPlaces {
  constructor() {
    super({
      runningMax: RUNNING_MAX,
      runningPerAccountMax: RUNNING_PER_ACCOUNT_MAX,
      waitingPerAccountMax: WAITING_PER_ACCOUNT_MAX,
      waitingMax: WAITING_MAX,
      waitMs: WAIT_MS,
    });
  }

  protected tooMany(waiting: number): DomainError {
    const detail =
      `Files of ${RUNNING_PER_ACCOUNT_MAX} messages of your account are being received, and ${waiting} wait. ` +
      'You were not charged. Upload a file once and send its "media_id" to many recipients.';
    return new DomainError('media_limit', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  protected busy(): DomainError {
    const detail = 'The service is receiving many files. You were not charged; try again in a second.';
    return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
