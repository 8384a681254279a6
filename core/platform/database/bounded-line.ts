import type { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';

const WAITING_MAX = 10_000;
/** So long a batch may take before those in it are answered without its outcome. */
const RUN_MS_MAX = 15_000;
const NOT_BEGUN = 'The service is busy. You were not charged; try again in a second.';
const UNKNOWN =
  'The service did not answer in time, and nobody can say yet whether it did what you asked for. Look before you send again, or use an Idempotency-Key.';

const unavailable = (detail: string) => new DomainError('unavailable', detail, { retryAfterSeconds: 1 });

/**
 * The bounds of a line in which callers wait for the database, as GroupCommit takes them: of its length, of the time waited,
 * and of the time a batch takes. Beyond each the caller hears `unavailable`, and never waits for ever.
 */
export function boundedLine({ database }: Config) {
  return {
    waitingMax: WAITING_MAX,
    waitMsMax: database.waitMs,
    onFull: () => unavailable(NOT_BEGUN),
    late: { runMsMax: Math.max(RUN_MS_MAX, 2 * database.waitMs), error: () => unavailable(UNKNOWN) },
  };
}
