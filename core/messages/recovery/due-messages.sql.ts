/**
 * When recovery looks at a message that is not final. Every such message is named by a row of `message_checks`, which stands for
 * a whole batch, or has a `due_at` of its own: while it waits for its next attempt, when its claim is settled early, and when
 * the previous release wrote it. `due_at` is indexed, so an update that leaves it null is a heap-only one.
 */
const CHECKS_MAX = 50;
const CHECKED_MAX = 1_000;
const BATCH_MAX = 500;
const UNSETTLED_MAX = 1_000;
/** A message without a receipt is polled ever less often, and not at all after this long. */
const POLLED_FOR = `interval '4 days'`;

/**
 * A claim that writes a check of its own. The check from acceptance covers the others: it comes soon, while that of a message
 * which has waited longer may be minutes away.
 */
export const isClaimedLate = `claimed_at - created_at > interval '10 seconds'`;

/** Condition of a message that has not ended; a message that is not polled any more has. */
export const isInProgress = (row: string) =>
  `(${row}.status IN ('scheduled', 'queued', 'sending') OR ${row}.status = 'sent' AND coalesce(${row}.sent_at, ${row}.created_at) > now() - ${POLLED_FOR})`;

/** Writes one check for all messages of a relation: queued ones, or claimed ones whose outcome or receipt is awaited. */
export const insertChecks = ({
  kind,
  due,
  messages,
}: {
  kind: 'queued' | 'claimed';
  due: string;
  messages: string;
}) => `
  INSERT INTO message_checks (due_at, kind, message_ids)
  SELECT ${due}, '${kind}', array_agg(id ORDER BY id) FROM ${messages} HAVING count(*) > 0`;

/** Ids of messages that may be queued, those that are due first, as an array. */
export const checkedQueued = (idsMax: number) => `
  ARRAY(SELECT unnest(message_ids) FROM (SELECT * FROM message_checks WHERE kind = 'queued' ORDER BY due_at, id) c LIMIT ${idsMax})`;

const queuedWait = `least(interval '10 minutes', greatest(interval '15 seconds', now() - coalesce(m.send_at, m.created_at)))`;
/** A message that expires is looked at when it does. */
const queuedNext = `CASE WHEN m.expires_at > now() THEN least(now() + ${queuedWait}, m.expires_at) ELSE now() + ${queuedWait} END`;
const sendingWait = `greatest(make_interval(secs => $1), least(interval '10 minutes', (now() - m.claimed_at) / 2))`;
const sentWait = `greatest(make_interval(secs => $2), now() - m.sent_at)`;

const dueColumns = (
  m: string,
) => `${m}.id, ${m}.account_id AS "accountId", ${m}.kind, ${m}.status, ${m}.recipient, ${m}.sender, ${m}.body,
  ${m}.carrier_id AS "carrierId", ${m}.attempts, coalesce(${m}.send_at, ${m}.created_at) AS "waitsSince", ${m}.claimed_at AS "claimedAt",
  now() - ${m}.claimed_at > make_interval(secs => $1) AS "leaseOver", coalesce(${m}.expires_at <= now(), false) AS expired`;

/**
 * Takes messages with a due time of their own and sets when each is due again, so that several workers share the work and a
 * crash loses none. The wait grows with the message's age up to a bound, so that a long backlog costs little. Locked rows belong
 * to another worker. Parameters: seconds of a lease, seconds until a sent message is polled.
 */
export const takeDueStatement = {
  name: 'due-take-4',
  text: `
UPDATE messages m
SET due_at = CASE m.status
  WHEN 'queued' THEN ${queuedNext}
  WHEN 'sending' THEN now() + ${sendingWait}
  WHEN 'sent' THEN CASE WHEN now() - m.sent_at < ${POLLED_FOR} THEN now() + ${sentWait} END
END
FROM (
  SELECT id FROM messages WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH_MAX} FOR UPDATE SKIP LOCKED
) due
WHERE m.id = due.id
RETURNING ${dueColumns('m')}
`,
} as const;

/**
 * Takes checks whose time has come, and writes new ones for those of their messages that are not final, in the same transaction.
 * No message is updated. Returns how many messages were looked at, and those that something must be done for; at least one row.
 * Parameters as those of {@link takeDueStatement}.
 *
 * A message with a due time of its own needs no check; nor does one in a check of queued messages that was claimed late, because
 * the claim wrote its own.
 */
export const takeChecksStatement = {
  name: 'checks-take-2',
  text: `
WITH found AS MATERIALIZED (
  SELECT due_at, id, message_ids FROM message_checks WHERE due_at <= now() ORDER BY due_at, id LIMIT ${CHECKS_MAX} FOR UPDATE SKIP LOCKED
),
bounded AS (
  SELECT due_at, id, sum(cardinality(message_ids)) OVER earlier AS messages, row_number() OVER earlier AS nth FROM found
  WINDOW earlier AS (ORDER BY due_at, id)
),
taken AS MATERIALIZED (
  DELETE FROM message_checks c USING bounded b
  WHERE c.due_at = b.due_at AND c.id = b.id AND (b.messages <= ${CHECKED_MAX} OR b.nth = 1)
  RETURNING c.kind, c.message_ids
),
looked AS MATERIALIZED (
  SELECT m.*,
    CASE m.status
      WHEN 'queued' THEN true
      WHEN 'sending' THEN now() - m.claimed_at > make_interval(secs => $1)
      WHEN 'sent' THEN now() - m.sent_at > make_interval(secs => $2)
    END AS acts
  FROM (SELECT * FROM messages WHERE id = ANY(ARRAY(SELECT unnest(message_ids) FROM taken))) m
  JOIN (SELECT unnest(message_ids) AS id, kind FROM taken) c ON c.id = m.id
  WHERE m.status IN ('queued', 'sending', 'sent') AND m.due_at IS NULL
    AND (c.kind = 'claimed' OR m.status = 'queued' OR NOT ${isClaimedLate})
),
next AS (
  SELECT id, CASE status WHEN 'queued' THEN 'queued' ELSE 'claimed' END AS kind,
    CASE status
      WHEN 'queued' THEN ${queuedNext}
      WHEN 'sending' THEN CASE WHEN acts THEN now() + ${sendingWait} ELSE m.claimed_at + make_interval(secs => $1) END
      ELSE CASE WHEN acts THEN now() + ${sentWait} ELSE m.sent_at + make_interval(secs => $2) END
    END AS due_at
  FROM looked m
  WHERE status <> 'sent' OR now() - sent_at < ${POLLED_FOR}
),
written AS (
  INSERT INTO message_checks (due_at, kind, message_ids)
  SELECT date_trunc('second', due_at) + interval '1 second' AS due_at, kind, array_agg(id ORDER BY id) FROM next GROUP BY 1, 2
)
SELECT total.looked, ${dueColumns('acting')}
FROM (SELECT coalesce(sum(cardinality(message_ids)), 0)::int AS looked FROM taken) total
LEFT JOIN looked acting ON acting.acts
`,
} as const;

/**
 * Makes scheduled messages whose time has come queued, and writes their check. Returns them, and how many schedules were taken in
 * at least one row. Locked schedules belong to another worker. A message that was canceled stays as it is.
 */
export const releaseScheduledStatement = {
  name: 'schedules-release-1',
  text: `
WITH found AS MATERIALIZED (
  SELECT send_at, id, message_ids FROM message_schedules WHERE send_at <= now()
  ORDER BY send_at, id LIMIT ${CHECKED_MAX} FOR UPDATE SKIP LOCKED
),
bounded AS (
  SELECT send_at, id, sum(cardinality(message_ids)) OVER earlier AS messages, row_number() OVER earlier AS nth FROM found
  WINDOW earlier AS (ORDER BY send_at, id)
),
taken AS MATERIALIZED (
  DELETE FROM message_schedules s USING bounded b
  WHERE s.send_at = b.send_at AND s.id = b.id AND (b.messages <= ${CHECKED_MAX} OR b.nth = 1)
  RETURNING s.message_ids
),
released AS (
  UPDATE messages m SET status = 'queued'
  FROM (SELECT unnest(message_ids) AS id FROM taken ORDER BY 1) due
  WHERE m.id = due.id AND m.status = 'scheduled'
  RETURNING m.id, m.account_id, m.kind
),
checked AS (${insertChecks({ kind: 'queued', due: `now() + interval '15 seconds'`, messages: 'released' })})
SELECT total.schedules, released.id, released.account_id AS "accountId", released.kind
FROM (SELECT count(*)::int AS schedules FROM taken) total LEFT JOIN released ON true
`,
} as const;

/** Writes the schedules of the messages of a relation with id and send_at. */
export const insertSchedules = (messages: string) => `
  INSERT INTO message_schedules (send_at, message_ids)
  SELECT send_at, array_agg(id ORDER BY id) FROM ${messages} WHERE send_at IS NOT NULL GROUP BY send_at`;

/** Makes queued messages due now; returns how many may be queued. Counted in the database: a million ids would be a quarter of a gigabyte in the worker. */
export const expediteStatement = {
  name: 'due-expedite-3',
  text: `
WITH checked AS (
  UPDATE message_checks SET due_at = now() WHERE kind = 'queued' AND due_at > now() RETURNING cardinality(message_ids) AS messages
),
expedited AS (
  UPDATE messages SET due_at = now() WHERE status = 'queued' AND due_at > now() RETURNING 1
)
SELECT ((SELECT coalesce(sum(messages), 0) FROM checked) + (SELECT count(*) FROM expedited))::int AS count
`,
} as const;

/** Parameters: recipient, id of the message that is left out, lease in seconds. */
export const unsettledStatement = {
  text: `
SELECT id, sender, body AS text, attempts, coalesce(send_at, created_at) AS "waitsSince", claimed_at AS "claimedAt",
  now() - claimed_at > make_interval(secs => $3) AS "leaseOver"
FROM messages
WHERE recipient = $1 AND id <> $2 AND status = 'sending' AND kind = 'sms' AND carrier_id IS NULL
ORDER BY id DESC LIMIT ${UNSETTLED_MAX}`,
} as const;
