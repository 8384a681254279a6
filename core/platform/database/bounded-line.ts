import type { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';

const WAITING_MAX = 10_000;
/** Maximum run time of a batch; its items are then answered without the outcome. */
const RUN_MS_MAX = 15_000;
const NOT_BEGUN = 'The service is busy. You were not charged; try again in a second.';
const UNKNOWN =
  'The service did not answer in time. Your request may have been carried out: check before you send it again, or repeat it with the same Idempotency-Key.';

const unavailable = (detail: string) => new DomainError('unavailable', detail, { retryAfterSeconds: 1 });

/**
 * Bounds of a GroupCommit whose callers wait for the database: on its length, the waiting time and the run time of a batch.
 * Beyond each of them the caller gets `unavailable`.
 */
export function boundedLine({ database }: Config) {
  return {
    waitingMax: WAITING_MAX,
    waitMsMax: database.waitMs,
    onFull: () => unavailable(NOT_BEGUN),
    late: { runMsMax: Math.max(RUN_MS_MAX, 2 * database.waitMs), error: () => unavailable(UNKNOWN) },
  };
}
