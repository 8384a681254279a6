/**
 * SQL of a reply's files as JSON, in their order; null for a reply without files, which costs no
 * look-up. `reply` is the name of a row with `id`, `account_id` and `media_count`. Rows are of
 * `MediaOfReply`.
 */
export const mediaOfReply = (reply: string) => `CASE WHEN ${reply}.media_count > 0 THEN (
    SELECT json_agg(json_build_object('id', f.id, 'state', f.state, 'reason', f.reason, 'type', f.type,
      'bytes', f.bytes, 'sha256', encode(f.sha256, 'hex'), 'hasThumbnail', f.has_thumbnail) ORDER BY f.position)
    FROM media f WHERE f.account_id = ${reply}.account_id AND f.message_id = ${reply}.id
  ) END`;

/** Like {@link mediaOfReply}, but only the types. */
export const mediaTypesOfReply = (reply: string) => `CASE WHEN ${reply}.media_count > 0 THEN (
    SELECT json_agg(f.type ORDER BY f.position) FROM media f
    WHERE f.account_id = ${reply}.account_id AND f.message_id = ${reply}.id
  ) END`;
