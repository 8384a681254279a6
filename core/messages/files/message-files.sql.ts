/**
 * SQL of the files of a sent message as they are sent, as JSON in their order; null for a message
 * without files, which costs no look-up. `message` is the name of a row of `messages`. Rows are of
 * `MediaOfReply` in core/media.
 */
export const filesOfSent = (message: string) => `CASE ${message}.kind WHEN 'mms' THEN (
    SELECT json_agg(json_build_object('id', t.id, 'state', coalesce(f.state, 'expired'), 'reason', f.reason,
      'type', f.type, 'bytes', f.bytes, 'sha256', encode(f.sha256, 'hex'),
      'hasThumbnail', coalesce(f.has_thumbnail, false)) ORDER BY t.n)
    ${sentFiles(message)}
  ) END`;

/** As {@link filesOfSent}, but only the types of the files. */
export const fileTypesOfSent = (message: string) => `CASE ${message}.kind WHEN 'mms' THEN (
    SELECT json_agg(f.type ORDER BY t.n) ${sentFiles(message)}
  ) END`;

function sentFiles(message: string): string {
  return `FROM message_media s
    CROSS JOIN LATERAL unnest(s.sent_ids) WITH ORDINALITY AS t (id, n)
    LEFT JOIN media f ON f.account_id = s.account_id AND f.id = t.id
    WHERE s.account_id = ${message}.account_id AND s.message_id = ${message}.id`;
}
