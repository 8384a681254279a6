/** SQL: the messages of a code `c` in order, as JSON. */
export const messagesOfCode = `
  SELECT json_agg(json_build_object(
    'id', s.id, 'step', s.step, 'createdAt', s.created_at, 'status', m.status, 'errorCode', m.error_code,
    'carrierError', m.carrier_error, 'sentAt', m.sent_at, 'finishedAt', m.finished_at,
    'credits', m.credits - m.refunded
  ) ORDER BY s.number) AS messages
  FROM (
    SELECT c.id, 1 AS step, 0 AS number, c.created_at
    UNION ALL
    SELECT r.message_id, r.step, r.number, r.created_at FROM otp_resends r WHERE r.code_id = c.id
  ) s
  LEFT JOIN messages m ON m.id = s.id`;
