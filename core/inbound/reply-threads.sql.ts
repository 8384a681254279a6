/** A person's later reply replaces the earlier reply, and decides whether the person waits. */
const keepLatest = `
ON CONFLICT (account_id, person) DO UPDATE
SET last_number = excluded.last_number, last_at = excluded.last_at, waits = excluded.waits
WHERE known.last_number < excluded.last_number`;

/**
 * Parameters: accounts, people, numbers and times of their replies, and whether each waits for an
 * answer.
 */
export const upsertThreads = {
  name: 'reply-threads-upsert-1',
  text: `
INSERT INTO reply_threads AS known (account_id, person, last_number, last_at, waits)
SELECT DISTINCT ON (account_id, person) account_id, person, number, at, waits
FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::boolean[])
  AS n (account_id, person, number, at, waits)
ORDER BY account_id, person, number DESC ${keepLatest}`,
} as const;

/** Parameter: hours to look back. */
export const threadsOfRecentReplies = {
  name: 'reply-threads-recent-1',
  text: `
INSERT INTO reply_threads AS known (account_id, person, last_number, last_at)
SELECT DISTINCT ON (account_id, sender) account_id, sender, number, created_at FROM inbound_messages
WHERE id >= uuid_v7_floor(now() - make_interval(hours => $1)) AND sender <> '' AND strpos(sender, '•') = 0
ORDER BY account_id, sender, number DESC ${keepLatest}`,
} as const;
