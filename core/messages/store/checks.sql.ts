/**
 * Times of checks of messages that are not final: rows of `message_checks`, each for the messages
 * of a batch. Messages themselves have no due time, so their updates touch no index.
 *
 * - `queued`: accepted and not claimed yet; written by acceptance.
 * - `claimed`: its outcome or its receipt is awaited; written by a claim, unless the check of
 *   acceptance comes soon anyway.
 * - `retry`: returned to the queue by a worker.
 * - `settle`: its outcome is to be looked up before its lease ends, once.
 * - `scheduled`: leaves at `due_at`.
 * - `hedge`: another route is tried if it is not delivered by then, once; written by a claim.
 *
 * A check has the number of the messages' last claim when it was written (0 before the first). A
 * later claim has its own check, and the earlier one leaves the message alone. So every message has
 * a check, and with rare exceptions only one. `takeChecksStatement` decides that.
 */
export type CheckKind = 'queued' | 'claimed' | 'retry' | 'settle' | 'scheduled' | 'hedge';

/** A message without a receipt is polled ever less often, and not at all after this long. */
export const POLLED_FOR = `interval '4 days'`;

/** Condition of a message that has not ended, or is still polled. */
export const isInProgress = (row: string) =>
  `(${row}.status IN ('scheduled', 'queued', 'sending') OR ${row}.status = 'sent' AND ` +
  `coalesce(${row}.sent_at, ${row}.created_at) > now() - ${POLLED_FOR})`;

/**
 * Condition of a message whose claim wrote a check of its own. Other messages have the check from
 * acceptance, which comes soon; after a longer wait it may be minutes away.
 */
export const hasClaimCheck = `(attempts > 1 OR claimed_at - created_at > interval '10 seconds')`;

/** Checks of one second are one row. */
export const inSeconds = (due: string) => `date_trunc('second', ${due}) + interval '1 second'`;

/** Writes the check of messages that have been queued for the first time. */
export const insertQueuedChecks = (messages: string) => `
  INSERT INTO message_checks (kind, due_at, message_ids)
  SELECT 'queued', now() + interval '15 seconds', array_agg(id ORDER BY id) FROM ${messages} HAVING count(*) > 0`;

/** Writes the checks of claimed messages that need their own. `due` is the end of the lease. */
export const insertClaimChecks = (claimed: string, due: string) => `
  INSERT INTO message_checks (kind, due_at, claim, message_ids)
  SELECT 'claimed', ${due}, attempts, array_agg(id ORDER BY id)
  FROM ${claimed} WHERE ${hasClaimCheck} GROUP BY attempts`;

/** Writes checks of messages of a relation with `due_at` and the number of their claim. */
export const insertChecks = (kind: 'retry' | 'settle' | 'hedge', messages: string) => `
  INSERT INTO message_checks (kind, due_at, claim, message_ids)
  SELECT '${kind}', ${inSeconds('due_at')}, attempts, array_agg(id ORDER BY id) FROM ${messages} GROUP BY 2, 3`;

/** Writes the checks of scheduled messages, of a relation with id, send_at and key_id. */
export const insertSchedules = (messages: string) => `
  INSERT INTO message_checks (kind, due_at, message_ids, key_id)
  SELECT 'scheduled', send_at, array_agg(id ORDER BY id), key_id
  FROM ${messages} WHERE send_at IS NOT NULL GROUP BY send_at, key_id`;

/**
 * SQL: array of ids of messages that may be queued, the first due of each kind of check. A check of
 * kind `queued` still names messages that have been sent since.
 */
export const checkedQueued = (idsMax: number) =>
  `ARRAY(${(['retry', 'queued'] as const)
    .map(
      (kind) => `
    (SELECT unnest(message_ids) FROM (SELECT * FROM message_checks WHERE kind = '${kind}' ORDER BY due_at, id) c
      LIMIT ${idsMax})`,
    )
    .join(' UNION ALL ')})`;
