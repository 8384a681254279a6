-- The variants of the acceptance statement as they run, put together in acceptance.sql.ts.
-- Written by npm run -s sql:acceptance.

-- plain
WITH request AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $1::uuid[], $2::bytea[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::smallint[], $11::integer[], $12::boolean[], $13::text[], $14::text[], $15::bytea[], $18::boolean[],
    $19::smallint[]
  ) WITH ORDINALITY AS r (
    id, key_hash, address, test, kind, recipient, country, senders, body,
    segments, price, has_url, reference, idempotency_key, body_hash, names_sender, fresh_senders,
    n
  )
),
known AS MATERIALIZED (
  SELECT
    request.*,
    a.id AS account_id,
    a.blocked_at IS NOT NULL AS account_blocked,
    a.delivery_suspended_at IS NOT NULL AS suspended,
    $17::boolean AND a.own_numbers_only AND request.kind <> 'otp' AND NOT EXISTS (
      SELECT 1 FROM verified_numbers v WHERE v.account_id = a.id AND v.recipient = request.recipient
    ) AS foreign_number,
    coalesce(request.country = ANY (a.disabled_countries), false) AS disabled_country,
    coalesce(a.id = ANY (ARRAY(SELECT account_id FROM running_bulks WHERE ends_at > now())), false) AS bulk_runs,
    a.urls_activated,
    a.daily_limit,
    a.key_rate_per_second AS key_rate_per_second,
    c.balance AS balance_seen,
    coalesce(d.count + d.scheduled, 0) AS day_count,
    i.message_id AS earlier_id,
    i.body_hash AS earlier_hash,
    EXISTS (SELECT 1 FROM blocked_addresses b WHERE b.address::inet >>= (request.address)::inet) AS address_blocked,
    EXISTS (
      SELECT FROM opt_outs o WHERE o.recipient = request.recipient AND (
        (o.account_id = a.id OR (o.account_id IS NULL
      AND (o.sender = chosen.sender OR (coalesce(o.shared, NOT EXISTS (SELECT FROM numbers own WHERE own.number = o.sender)) AND NOT EXISTS (SELECT FROM numbers own WHERE own.number = chosen.sender)))))
        OR (NOT request.names_sender AND (coalesce(o.shared, NOT EXISTS (SELECT FROM numbers own WHERE own.number = o.sender)) AND EXISTS (
        SELECT FROM account_opt_outs k
        WHERE k.account_id = a.id AND k.recipient = o.recipient AND k.opted_in_at IS NULL
          AND split_part(o.sender, ' ', 1) IN (k.sender, k.service)
      )))
      )
    ) AS opted_out,
    coalesce(
      (SELECT bool_or(own.account_id = a.id AND own.status IN ('active', 'past_due')) FROM numbers own
       WHERE own.number = chosen.sender AND (own.status <> 'released' OR own.released_at > now() - interval '1 hour')),
      NOT EXISTS (
        SELECT FROM numbers given WHERE given.account_id = a.id AND given.origin = 'operator' OFFSET 0
      )
    ) AS may_use_sender,
    chosen.sender,
    chosen.owner_id,
    -- An owner noted recently, or another one with time left, stays while this statement runs.
    coalesce(
      chosen.last_at > now() - CASE
        WHEN chosen.owner_id = a.id THEN interval '1 minutes'
        ELSE make_interval(hours => $16)
      END,
      false
    ) AS owner_stays,
    row_number() OVER (PARTITION BY a.id, request.idempotency_key ORDER BY request.n) AS key_rank
  FROM request
  LEFT JOIN LATERAL (
    SELECT * FROM key_secrets WHERE hash = request.key_hash AND (expires_at IS NULL OR expires_at > now()) OFFSET 0
  ) s ON true
  LEFT JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id OFFSET 0) AS a ON true
  LEFT JOIN LATERAL (SELECT * FROM (SELECT account_id, balance, frozen, sent_count, received_count FROM credit_accounts) all_credits WHERE account_id = a.id OFFSET 0) AS c ON true
  LEFT JOIN LATERAL (
    SELECT * FROM daily_counts WHERE account_id = a.id
      AND day = ( now()  AT TIME ZONE 'America/New_York')::date OFFSET 0
  ) AS d ON true
  LEFT JOIN LATERAL (
    SELECT c.sender, o.account_id AS owner_id, o.last_at
    FROM unnest(string_to_array(request.senders, ',')) WITH ORDINALITY AS c (sender, place)
    LEFT JOIN conversation_owners o ON o.recipient = request.recipient AND o.sender = c.sender
    ORDER BY
      CASE WHEN o.account_id = a.id THEN o.last_at END DESC NULLS LAST,
      c.place > request.fresh_senders,
      coalesce(o.account_id <> a.id AND o.last_at > now() - make_interval(hours => $16, mins => 1), false),
      c.place
    LIMIT 1
  ) AS chosen ON true
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_keys
    WHERE account_id = a.id AND key = request.idempotency_key AND created_at > now() - interval '24 hours' OFFSET 0
  ) AS i ON true
),
locked AS MATERIALIZED (
  SELECT c.* FROM (SELECT DISTINCT account_id FROM (SELECT account_id FROM known WHERE price IS NOT NULL AND NOT test AND NOT bulk_runs) AS asked ORDER BY account_id) AS wanted
  CROSS JOIN LATERAL (
    SELECT account_id, balance, balance - frozen AS available, ledger_count, sent_count,
      greatest(now(), updated_at) AS at
    FROM credit_accounts WHERE credit_accounts.account_id = wanted.account_id FOR NO KEY UPDATE
  ) AS c),
judged AS MATERIALIZED (
  SELECT
    known.*,
    coalesce(locked.balance, balance_seen, 0) AS balance,
    locked.available,
    locked.ledger_count,
    locked.sent_count,
    locked.at,
    CASE
      WHEN address_blocked THEN 'address_blocked'
      WHEN known.account_id IS NULL THEN 'unknown_api_key'
      WHEN account_blocked THEN 'account_blocked'
      WHEN NOT test AND earlier_id IS NOT NULL THEN
        CASE
          WHEN earlier_hash <> body_hash THEN 'idempotency_conflict'
          ELSE 'replayed'
        END
      WHEN bulk_runs AND price IS NOT NULL AND NOT test THEN 'behind_bulk'
      WHEN NOT test AND idempotency_key IS NOT NULL AND key_rank > 1 THEN 'again'
      WHEN NOT test AND suspended THEN 'delivery_suspended'
      WHEN NOT test AND coalesce(locked.balance, balance_seen, 0) = 0 THEN
        CASE WHEN balance_seen IS NULL THEN 'no_credit_account' ELSE 'no_credits' END
      WHEN price IS NULL THEN 'approved'
      WHEN disabled_country THEN 'country_disabled'
      WHEN NOT may_use_sender THEN 'sender_changed'
      WHEN foreign_number THEN 'number_not_verified'
      WHEN has_url AND NOT urls_activated THEN 'url_not_activated'
      WHEN opted_out THEN 'recipient_opted_out'
      WHEN test THEN 'approved'
      WHEN  day_count  >= daily_limit
        THEN 'daily_limit'
      WHEN locked.balance < price THEN 'insufficient_credits'
      WHEN locked.available < price THEN 'credits_frozen'
      ELSE 'candidate'
    END AS verdict
  FROM known
  LEFT JOIN locked ON locked.account_id = known.account_id
),
affordable AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT
      *,
      sum(price) OVER (PARTITION BY account_id ORDER BY n) AS running_total
    FROM judged
    WHERE verdict = 'candidate'
  ) summed
  WHERE running_total <= available
),
owned AS (
  INSERT INTO conversation_owners AS mine (recipient, sender, account_id, last_at)
  SELECT DISTINCT ON (recipient, sender) recipient, sender, account_id, now()
  FROM affordable
  WHERE NOT owner_stays AND fresh_senders > 0
  ORDER BY recipient, sender, owner_id = account_id DESC NULLS LAST, n
  ON CONFLICT (recipient, sender) DO UPDATE SET
    account_id = CASE WHEN mine.account_id = excluded.account_id OR mine.last_at <= now() - make_interval(hours => $16, mins => 1) THEN excluded.account_id ELSE mine.account_id END,
    last_at = CASE WHEN mine.account_id = excluded.account_id OR mine.last_at <= now() - make_interval(hours => $16, mins => 1) THEN greatest(mine.last_at, excluded.last_at) ELSE mine.last_at END
  RETURNING recipient, sender, account_id
),
won AS MATERIALIZED (
  SELECT affordable.*, owned.account_id AS owned_by
  FROM affordable LEFT JOIN owned USING (recipient, sender)
  WHERE (strpos(senders, ',') > 0 AND owned.account_id <> affordable.account_id
    AND owned.account_id IS DISTINCT FROM affordable.owner_id) IS NOT TRUE
),
remembered AS (
  INSERT INTO idempotency_keys AS mine (account_id, key, body_hash, message_id)
  SELECT account_id, idempotency_key, body_hash, id
  FROM won
  WHERE idempotency_key IS NOT NULL
  ON CONFLICT (account_id, key) DO UPDATE
    SET body_hash = excluded.body_hash, message_id = excluded.message_id, deduplicated = false, created_at = now()
    WHERE mine.created_at <= now() - interval '24 hours'
  RETURNING message_id
),
charged AS MATERIALIZED (
  SELECT
    won.*,
    balance - sum(price) OVER earlier AS balance_after,
    ledger_count + row_number() OVER earlier AS ledger_number,
    sent_count + row_number() OVER earlier AS sent_number
  FROM won
  WHERE idempotency_key IS NULL OR id IN (SELECT message_id FROM remembered)
  WINDOW earlier AS (PARTITION BY account_id ORDER BY n)
),
debited AS (
  UPDATE credit_accounts
  SET balance = credit_accounts.balance - spent.total, used = used + spent.total, updated_at = spent.at,
    ledger_count = credit_accounts.ledger_count + spent.count, sent_count = credit_accounts.sent_count + spent.count
  FROM (SELECT account_id, at, sum(price) AS total, count(*) AS count FROM charged GROUP BY account_id, at) spent
  WHERE credit_accounts.account_id = spent.account_id),
entered AS (
  INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
  SELECT account_id, ledger_number, -price, balance_after, CASE kind WHEN 'otp' THEN 'otp'
    ELSE 'message' END, id::text, at
  FROM charged
  ORDER BY n),
answered AS MATERIALIZED (
  SELECT *, coalesce(coalesce(owned_by, owner_id) <> account_id, false) AS replies_unavailable FROM charged
),
stored AS (
  INSERT INTO messages (
    id, account_id, number, kind, recipient, country, sender, body, segments, credits, reference,
      replies_unavailable, created_at
  )
  SELECT
    id, account_id, sent_number, kind, recipient, country, sender, body, segments, price, reference,
      replies_unavailable, at
  FROM answered
),
checked AS (
  INSERT INTO message_checks (kind, due_at, message_ids)
  SELECT 'queued', now() + interval '15 seconds', array_agg(id ORDER BY id) FROM answered  HAVING count(*) > 0)
SELECT
  CASE
    WHEN answered.id IS NOT NULL THEN 'accepted'
    WHEN judged.verdict = 'candidate' THEN 'again'
    ELSE judged.verdict
  END AS verdict,
  judged.account_id AS "accountId",
  judged.key_rate_per_second AS "keyRatePerSecond",
  judged.sender,
   judged.earlier_id  AS "earlierId",
  coalesce(answered.replies_unavailable, false) AS "repliesUnavailable",
  coalesce(answered.balance_after, judged.balance)::float8 AS balance
FROM judged
LEFT JOIN answered ON answered.n = judged.n
ORDER BY judged.n;


-- options
WITH request AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $1::uuid[], $2::bytea[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::smallint[], $11::integer[], $12::boolean[], $13::text[], $14::text[], $15::bytea[], $18::boolean[],
    $19::smallint[]
    , $20::timestamptz[], $21::integer[], $22::integer[], $23::uuid[], $24::smallint[], $25::bytea[],
    $26::smallint[]
    , $27::boolean[]
  ) WITH ORDINALITY AS r (
    id, key_hash, address, test, kind, recipient, country, senders, body,
    segments, price, has_url, reference, idempotency_key, body_hash, names_sender, fresh_senders,
    send_at, validity_seconds, dedupe_seconds, dedupe_from_id, hedge_seconds, files_hash, step,
    dry_run, n
  )
),
known AS MATERIALIZED (
  SELECT
    request.*,
    a.id AS account_id,
    a.blocked_at IS NOT NULL AS account_blocked,
    a.delivery_suspended_at IS NOT NULL AS suspended,
    $17::boolean AND a.own_numbers_only AND request.kind <> 'otp' AND NOT EXISTS (
      SELECT 1 FROM verified_numbers v WHERE v.account_id = a.id AND v.recipient = request.recipient
    ) AS foreign_number,
    coalesce(request.country = ANY (a.disabled_countries), false) AS disabled_country,
    coalesce(a.id = ANY (ARRAY(SELECT account_id FROM running_bulks WHERE ends_at > now())), false) AS bulk_runs,
    a.urls_activated,
    a.daily_limit,
    least(k.messages_per_second, a.key_rate_per_second) AS key_rate_per_second,
    c.balance AS balance_seen,
    c.balance - c.frozen AS available_seen,
    CASE WHEN dry_run THEN k.credits_per_day -
      CASE WHEN k.spent_on = (now() AT TIME ZONE 'America/New_York')::date THEN k.spent_that_day ELSE 0 END
    END AS day_left_seen,
    CASE WHEN dry_run THEN k.credits_per_month -
      CASE WHEN date_trunc('month', k.spent_on) = date_trunc('month', (now() AT TIME ZONE 'America/New_York')::date) THEN k.spent_that_month
        ELSE 0 END
    END AS month_left_seen,
    coalesce(d.count + d.scheduled, 0) AS day_count,
    i.message_id AS earlier_id,
    i.body_hash AS earlier_hash,
    EXISTS (SELECT 1 FROM blocked_addresses b WHERE b.address::inet >>= (request.address)::inet) AS address_blocked,
    EXISTS (
      SELECT FROM opt_outs o WHERE o.recipient = request.recipient AND (
        (o.account_id = a.id OR (o.account_id IS NULL
      AND (o.sender = chosen.sender OR (coalesce(o.shared, NOT EXISTS (SELECT FROM numbers own WHERE own.number = o.sender)) AND NOT EXISTS (SELECT FROM numbers own WHERE own.number = chosen.sender)))))
        OR (NOT request.names_sender AND (coalesce(o.shared, NOT EXISTS (SELECT FROM numbers own WHERE own.number = o.sender)) AND EXISTS (
        SELECT FROM account_opt_outs k
        WHERE k.account_id = a.id AND k.recipient = o.recipient AND k.opted_in_at IS NULL
          AND split_part(o.sender, ' ', 1) IN (k.sender, k.service)
      )))
      )
    ) AS opted_out,
    coalesce(
      (SELECT bool_or(own.account_id = a.id AND own.status IN ('active', 'past_due')) FROM numbers own
       WHERE own.number = chosen.sender AND (own.status <> 'released' OR own.released_at > now() - interval '1 hour')),
      NOT EXISTS (
        SELECT FROM numbers given WHERE given.account_id = a.id AND given.origin = 'operator' OFFSET 0
      )
    ) AS may_use_sender,
    chosen.sender,
    chosen.owner_id,
    -- An owner noted recently, or another one with time left, stays while this statement runs.
    coalesce(
      chosen.last_at > now() - CASE
        WHEN chosen.owner_id = a.id THEN interval '1 minutes'
        ELSE make_interval(hours => $16)
      END,
      false
    ) AS owner_stays,
    row_number() OVER (PARTITION BY a.id, request.idempotency_key ORDER BY request.n) AS key_rank
    ,
    k.id AS key_id,
    NOT k.is_default AS key_is_named,
    CASE
    WHEN k.expires_at <= now() THEN 'key_expired'
    WHEN NOT (request.address)::inet <<= ANY (k.addresses) THEN 'key_address'
    WHEN NOT CASE request.kind WHEN 'otp' THEN 'otp' ELSE 'send' END = ANY (k.scopes) THEN 'key_scope'
  END AS key_refusal,
    NOT request.country = ANY (k.countries) AS foreign_country,
    coalesce(k.credits_per_day, k.credits_per_month) IS NOT NULL AS has_budget,
    i.deduplicated AS earlier_deduplicated,
    row_number() OVER (
      PARTITION BY a.id, request.recipient, request.body, request.files_hash, request.dedupe_seconds IS NULL
      ORDER BY request.n
    ) AS twin_rank
  FROM request
  LEFT JOIN LATERAL (
    SELECT * FROM key_secrets WHERE hash = request.key_hash AND (expires_at IS NULL OR expires_at > now()) OFFSET 0
  ) s ON true
  LEFT JOIN LATERAL (SELECT * FROM api_keys WHERE id = s.key_id OFFSET 0) k ON true
  LEFT JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id OFFSET 0) AS a ON true
  LEFT JOIN LATERAL (SELECT * FROM (SELECT account_id, balance, frozen, sent_count, received_count FROM credit_accounts) all_credits WHERE account_id = a.id OFFSET 0) AS c ON true
  LEFT JOIN LATERAL (
    SELECT * FROM daily_counts WHERE account_id = a.id
      AND day = (coalesce(request.send_at, now() ) AT TIME ZONE 'America/New_York')::date OFFSET 0
  ) AS d ON true
  LEFT JOIN LATERAL (
    SELECT c.sender, o.account_id AS owner_id, o.last_at
    FROM unnest(string_to_array(request.senders, ',')) WITH ORDINALITY AS c (sender, place)
    LEFT JOIN conversation_owners o ON o.recipient = request.recipient AND o.sender = c.sender
    ORDER BY
      CASE WHEN o.account_id = a.id THEN o.last_at END DESC NULLS LAST,
      c.place > request.fresh_senders,
      coalesce(o.account_id <> a.id AND o.last_at > now() - make_interval(hours => $16, mins => 1), false),
      c.place
    LIMIT 1
  ) AS chosen ON true
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_keys
    WHERE account_id = a.id AND key = request.idempotency_key AND created_at > now() - interval '24 hours' OFFSET 0
  ) AS i ON true
),
locked AS MATERIALIZED (
  SELECT c.* FROM (SELECT DISTINCT account_id FROM (SELECT account_id FROM known WHERE price IS NOT NULL AND NOT test AND NOT bulk_runs AND NOT dry_run) AS asked ORDER BY account_id) AS wanted
  CROSS JOIN LATERAL (
    SELECT account_id, balance, balance - frozen AS available, ledger_count, sent_count,
      greatest(now(), updated_at) AS at
    FROM credit_accounts WHERE credit_accounts.account_id = wanted.account_id FOR NO KEY UPDATE
  ) AS c),
budget AS MATERIALIZED (
  SELECT
    id AS budget_key,
    day,
    that_day,
    that_month,
    credits_per_day - that_day AS day_left,
    credits_per_month - that_month AS month_left
  FROM (
    SELECT
      k.id,
      k.credits_per_day,
      k.credits_per_month,
      d.day,
      CASE WHEN k.spent_on = d.day THEN k.spent_that_day ELSE 0 END AS that_day,
      CASE WHEN date_trunc('month', k.spent_on) = date_trunc('month', d.day) THEN k.spent_that_month
        ELSE 0 END AS that_month
    FROM api_keys k
    JOIN locked USING (account_id)
    CROSS JOIN LATERAL (SELECT (locked.at AT TIME ZONE 'America/New_York')::date AS day) d
    WHERE k.id IN (SELECT key_id FROM known WHERE has_budget AND price IS NOT NULL AND NOT test)
    ORDER BY k.id
    FOR NO KEY UPDATE OF k
  ) b),
twins AS MATERIALIZED (
  SELECT
    n,
    CASE WHEN files_hash IS NULL
      THEN earlier_message(locked.account_id, recipient, body, dedupe_from_id,
        now() - make_interval(secs => dedupe_seconds))
      ELSE earlier_mms(locked.account_id, recipient, body, files_hash, dedupe_from_id,
        now() - make_interval(secs => dedupe_seconds))
    END AS twin_id
  FROM known JOIN locked ON locked.account_id = known.account_id
  WHERE dedupe_seconds IS NOT NULL AND price IS NOT NULL AND NOT test
),
days AS MATERIALIZED (
  SELECT d.account_id, d.day, d.count + d.scheduled AS day_taken
  FROM daily_counts d
  WHERE (d.account_id, d.day) IN (
    SELECT r.account_id, (r.send_at AT TIME ZONE 'America/New_York')::date FROM known r JOIN locked USING (account_id)
    WHERE r.send_at IS NOT NULL AND r.price IS NOT NULL AND NOT r.test
  )
  ORDER BY d.account_id, d.day
  FOR NO KEY UPDATE),
ended AS MATERIALIZED (
  SELECT key_hash, NOT key_works(key_hash) AS key_ended
  FROM (
    SELECT DISTINCT key_hash FROM known JOIN locked ON locked.account_id = known.account_id
    WHERE send_at IS NOT NULL AND price IS NOT NULL AND NOT test
  ) used
),
judged AS MATERIALIZED (
  SELECT
    known.*,
    coalesce(locked.balance, balance_seen, 0) AS balance,
    locked.available,
    locked.ledger_count,
    locked.sent_count,
    locked.at,
    budget.*, days.day_taken, ended.key_ended, twins.twin_id,
    CASE WHEN dry_run THEN json_build_object(
      'message', CASE
      WHEN price IS NULL THEN NULL
      WHEN foreign_country THEN 'key_country'
      WHEN disabled_country THEN 'country_disabled'
      WHEN NOT may_use_sender THEN 'sender_changed'
      WHEN foreign_number THEN 'number_not_verified'
      WHEN has_url AND NOT urls_activated THEN 'url_not_activated'
      WHEN opted_out THEN 'recipient_opted_out'
      END,
      'account', CASE
      WHEN test THEN NULL
      WHEN NOT test AND suspended THEN 'delivery_suspended'
      WHEN NOT test AND coalesce(locked.balance, balance_seen, 0) = 0 THEN
        CASE WHEN balance_seen IS NULL THEN 'no_credit_account' ELSE 'no_credits' END
      WHEN send_at IS NOT NULL AND key_ended THEN 'unknown_api_key'
      WHEN coalesce(step, 1) = 1 AND coalesce(day_taken, day_count ) >= daily_limit
        THEN 'daily_limit'
      WHEN has_budget AND budget_key IS NULL AND NOT dry_run THEN 'unknown_api_key'
      WHEN coalesce(day_left, day_left_seen) < price THEN 'key_day_budget'
      WHEN coalesce(month_left, month_left_seen) < price THEN 'key_month_budget'
      WHEN coalesce(locked.balance, balance_seen) < price THEN 'insufficient_credits'
      WHEN coalesce(locked.available, available_seen) < price THEN 'credits_frozen'
      END,
      'available', coalesce(locked.available, available_seen, 0)
    ) END AS findings,
    CASE
      WHEN address_blocked THEN 'address_blocked'
      WHEN known.account_id IS NULL THEN 'unknown_api_key'
      WHEN account_blocked THEN 'account_blocked'
      WHEN key_refusal IS NOT NULL THEN key_refusal
      WHEN NOT test AND earlier_id IS NOT NULL THEN
        CASE
          WHEN earlier_hash <> body_hash THEN 'idempotency_conflict'
          WHEN earlier_deduplicated THEN 'deduplicated'
          ELSE 'replayed'
        END
      WHEN bulk_runs AND price IS NOT NULL AND NOT test AND NOT dry_run THEN 'behind_bulk'
      WHEN NOT test AND idempotency_key IS NOT NULL AND key_rank > 1 THEN 'again'
      WHEN twin_id IS NOT NULL THEN 'deduplicated'
      WHEN dedupe_seconds IS NOT NULL AND price IS NOT NULL AND NOT test AND twin_rank > 1 THEN 'again'
      WHEN NOT test AND suspended THEN 'delivery_suspended'
      WHEN NOT test AND coalesce(locked.balance, balance_seen, 0) = 0 THEN
        CASE WHEN balance_seen IS NULL THEN 'no_credit_account' ELSE 'no_credits' END
      WHEN price IS NULL THEN 'approved'
      WHEN foreign_country THEN 'key_country'
      WHEN disabled_country THEN 'country_disabled'
      WHEN NOT may_use_sender THEN 'sender_changed'
      WHEN foreign_number THEN 'number_not_verified'
      WHEN has_url AND NOT urls_activated THEN 'url_not_activated'
      WHEN opted_out THEN 'recipient_opted_out'
      WHEN test THEN 'approved'
      WHEN send_at IS NOT NULL AND key_ended THEN 'unknown_api_key'
      WHEN coalesce(step, 1) = 1 AND coalesce(day_taken, day_count ) >= daily_limit
        THEN 'daily_limit'
      WHEN has_budget AND budget_key IS NULL AND NOT dry_run THEN 'unknown_api_key'
      WHEN coalesce(day_left, day_left_seen) < price THEN 'key_day_budget'
      WHEN coalesce(month_left, month_left_seen) < price THEN 'key_month_budget'
      WHEN coalesce(locked.balance, balance_seen) < price THEN 'insufficient_credits'
      WHEN coalesce(locked.available, available_seen) < price THEN 'credits_frozen'
      WHEN dry_run THEN 'approved'
      ELSE 'candidate'
    END AS verdict
  FROM known
  LEFT JOIN locked ON locked.account_id = known.account_id
  LEFT JOIN budget ON budget_key = known.key_id
  LEFT JOIN days ON days.account_id = known.account_id AND days.day = (send_at AT TIME ZONE 'America/New_York')::date
  LEFT JOIN ended ON ended.key_hash = known.key_hash
  LEFT JOIN twins ON twins.n = known.n
),
affordable AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT
      *,
      sum(price) OVER (PARTITION BY budget_key ORDER BY n) AS key_total,
      row_number() OVER (PARTITION BY account_id, (send_at AT TIME ZONE 'America/New_York')::date ORDER BY n) AS day_rank,
      sum(price) OVER (PARTITION BY account_id ORDER BY n) AS running_total
    FROM judged
    WHERE verdict = 'candidate'
  ) summed
  WHERE running_total <= available AND (budget_key IS NULL OR key_total <= least(day_left, month_left)) AND (send_at IS NULL OR coalesce(day_taken, day_count) + day_rank <= daily_limit)
),
owned AS (
  INSERT INTO conversation_owners AS mine (recipient, sender, account_id, last_at)
  SELECT DISTINCT ON (recipient, sender) recipient, sender, account_id, now()
  FROM affordable
  WHERE NOT owner_stays AND fresh_senders > 0
  ORDER BY recipient, sender, owner_id = account_id DESC NULLS LAST, n
  ON CONFLICT (recipient, sender) DO UPDATE SET
    account_id = CASE WHEN mine.account_id = excluded.account_id OR mine.last_at <= now() - make_interval(hours => $16, mins => 1) THEN excluded.account_id ELSE mine.account_id END,
    last_at = CASE WHEN mine.account_id = excluded.account_id OR mine.last_at <= now() - make_interval(hours => $16, mins => 1) THEN greatest(mine.last_at, excluded.last_at) ELSE mine.last_at END
  RETURNING recipient, sender, account_id
),
won AS MATERIALIZED (
  SELECT affordable.*, owned.account_id AS owned_by
  FROM affordable LEFT JOIN owned USING (recipient, sender)
  WHERE (strpos(senders, ',') > 0 AND owned.account_id <> affordable.account_id
    AND owned.account_id IS DISTINCT FROM affordable.owner_id) IS NOT TRUE
),
remembered AS (
  INSERT INTO idempotency_keys AS mine (account_id, key, body_hash, message_id)
  SELECT account_id, idempotency_key, body_hash, id
  FROM won
  WHERE idempotency_key IS NOT NULL
  ON CONFLICT (account_id, key) DO UPDATE
    SET body_hash = excluded.body_hash, message_id = excluded.message_id, deduplicated = false, created_at = now()
    WHERE mine.created_at <= now() - interval '24 hours'
  RETURNING message_id
),
remembered_twins AS (
  INSERT INTO idempotency_keys AS mine (account_id, key, body_hash, message_id, deduplicated)
  SELECT account_id, idempotency_key, body_hash, twin_id, true
  FROM judged
  WHERE verdict = 'deduplicated' AND earlier_id IS NULL AND idempotency_key IS NOT NULL
  ON CONFLICT (account_id, key) DO UPDATE
    SET body_hash = excluded.body_hash, message_id = excluded.message_id, deduplicated = true, created_at = now()
    WHERE mine.created_at <= now() - interval '24 hours'
  RETURNING account_id, key),
charged AS MATERIALIZED (
  SELECT
    won.*,
    balance - sum(price) OVER earlier AS balance_after,
    ledger_count + row_number() OVER earlier AS ledger_number,
    sent_count + row_number() OVER earlier AS sent_number
  FROM won
  WHERE idempotency_key IS NULL OR id IN (SELECT message_id FROM remembered)
  WINDOW earlier AS (PARTITION BY account_id ORDER BY n)
),
debited AS (
  UPDATE credit_accounts
  SET balance = credit_accounts.balance - spent.total, used = used + spent.total, updated_at = spent.at,
    ledger_count = credit_accounts.ledger_count + spent.count, sent_count = credit_accounts.sent_count + spent.count
  FROM (SELECT account_id, at, sum(price) AS total, count(*) AS count FROM charged GROUP BY account_id, at) spent
  WHERE credit_accounts.account_id = spent.account_id),
entered AS (
  INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
  SELECT account_id, ledger_number, -price, balance_after, CASE kind WHEN 'otp' THEN 'otp'
    ELSE 'message' END, id::text, at
  FROM charged
  ORDER BY n),
spent AS (
  UPDATE api_keys k
  SET spent_on = s.day, spent_that_day = s.that_day + s.total, spent_that_month = s.that_month + s.total
  FROM (
    SELECT budget_key, day, that_day, that_month, sum(price) AS total
    FROM charged WHERE budget_key IS NOT NULL GROUP BY budget_key, day, that_day, that_month
  ) s
  WHERE k.id = s.budget_key),
reserved AS (
  INSERT INTO daily_counts AS d (account_id, day, count, last_granted, scheduled)
  SELECT account_id, (send_at AT TIME ZONE 'America/New_York')::date AS day, 0, 0, count(*) FROM charged WHERE send_at IS NOT NULL
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account_id, day) DO UPDATE SET
    scheduled = d.scheduled + excluded.scheduled,
    count = CASE
      WHEN d.count + d.scheduled + excluded.scheduled <= (SELECT daily_limit FROM accounts
        WHERE id = d.account_id) THEN d.count
      ELSE -1
    END),
answered AS MATERIALIZED (
  SELECT *, coalesce(coalesce(owned_by, owner_id) <> account_id, false) AS replies_unavailable FROM charged
),
stored AS (
  INSERT INTO messages (
    id, account_id, number, kind, recipient, country, sender, body, segments, credits, reference,
      replies_unavailable, created_at
    , status, send_at, expires_at, key_id, hedge_seconds, step, counted_on
  )
  SELECT
    id, account_id, sent_number, kind, recipient, country, sender, body, segments, price, reference,
      replies_unavailable, at
    ,
    CASE WHEN send_at IS NULL THEN 'queued' ELSE 'scheduled' END,
    send_at,
    coalesce(send_at, at) + make_interval(secs => validity_seconds),
    CASE WHEN key_is_named THEN key_id END,
    hedge_seconds,
    step,
    CASE WHEN step > 1 THEN (at AT TIME ZONE 'America/New_York')::date END
  FROM answered
),
planned AS (
  INSERT INTO message_checks (kind, due_at, message_ids, key_id)
  SELECT 'scheduled', send_at, array_agg(id ORDER BY id), key_id
  FROM answered WHERE send_at IS NOT NULL GROUP BY send_at, key_id),
checked AS (
  INSERT INTO message_checks (kind, due_at, message_ids)
  SELECT 'queued', now() + interval '15 seconds', array_agg(id ORDER BY id) FROM answered WHERE send_at IS NULL HAVING count(*) > 0)
SELECT
  CASE
    WHEN answered.id IS NOT NULL THEN 'accepted'
    WHEN judged.verdict = 'candidate' THEN 'again'
    WHEN judged.verdict = 'deduplicated' AND judged.earlier_id IS NULL
      AND judged.idempotency_key IS NOT NULL
      AND (judged.account_id, judged.idempotency_key) NOT IN (SELECT account_id, key FROM remembered_twins) THEN 'again'
    ELSE judged.verdict
  END AS verdict,
  judged.account_id AS "accountId",
  judged.key_rate_per_second AS "keyRatePerSecond",
  judged.sender,
  coalesce(judged.twin_id, judged.earlier_id ) AS "earlierId",
  coalesce(answered.replies_unavailable, false) AS "repliesUnavailable",
  coalesce(answered.balance_after, judged.balance)::float8 AS balance
  , judged.findings
FROM judged
LEFT JOIN answered ON answered.n = judged.n
ORDER BY judged.n;


-- bulk
WITH request AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $1::uuid[], $2::bytea[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::smallint[], $11::integer[], $12::boolean[], $13::text[], $14::text[], $15::bytea[], $18::boolean[],
    $19::smallint[]
    , $20::timestamptz[], $21::integer[], $22::integer[], $23::uuid[], $24::smallint[], $25::bytea[],
    $26::smallint[]
  ) WITH ORDINALITY AS r (
    id, key_hash, address, test, kind, recipient, country, senders, body,
    segments, price, has_url, reference, idempotency_key, body_hash, names_sender, fresh_senders,
    send_at, validity_seconds, dedupe_seconds, dedupe_from_id, hedge_seconds, files_hash, step,
    n
  )
),
known AS MATERIALIZED (
  SELECT
    request.*,
    a.id AS account_id,
    a.blocked_at IS NOT NULL AS account_blocked,
    a.delivery_suspended_at IS NOT NULL AS suspended,
    $17::boolean AND a.own_numbers_only AND request.kind <> 'otp' AND NOT EXISTS (
      SELECT 1 FROM verified_numbers v WHERE v.account_id = a.id AND v.recipient = request.recipient
    ) AS foreign_number,
    coalesce(request.country = ANY (a.disabled_countries), false) AS disabled_country,
    a.urls_activated,
    a.daily_limit,
    least(k.messages_per_second, a.key_rate_per_second) AS key_rate_per_second,
    c.balance AS balance_seen,
    coalesce(d.count + d.scheduled, 0) AS day_count,
    i.message_id AS earlier_id,
    i.body_hash AS earlier_hash,
    EXISTS (SELECT 1 FROM blocked_addresses b WHERE b.address::inet >>= (request.address)::inet) AS address_blocked,
    EXISTS (
      SELECT FROM opt_outs o WHERE o.recipient = request.recipient AND (
        (o.account_id = a.id OR (o.account_id IS NULL
      AND (o.sender = chosen.sender OR (coalesce(o.shared, NOT EXISTS (SELECT FROM numbers own WHERE own.number = o.sender)) AND NOT EXISTS (SELECT FROM numbers own WHERE own.number = chosen.sender)))))
        OR (NOT request.names_sender AND (coalesce(o.shared, NOT EXISTS (SELECT FROM numbers own WHERE own.number = o.sender)) AND EXISTS (
        SELECT FROM account_opt_outs k
        WHERE k.account_id = a.id AND k.recipient = o.recipient AND k.opted_in_at IS NULL
          AND split_part(o.sender, ' ', 1) IN (k.sender, k.service)
      )))
      )
    ) AS opted_out,
    coalesce(
      (SELECT bool_or(own.account_id = a.id AND own.status IN ('active', 'past_due')) FROM numbers own
       WHERE own.number = chosen.sender AND (own.status <> 'released' OR own.released_at > now() - interval '1 hour')),
      NOT EXISTS (
        SELECT FROM numbers given WHERE given.account_id = a.id AND given.origin = 'operator' OFFSET 0
      )
    ) AS may_use_sender,
    chosen.sender,
    chosen.owner_id,
    -- An owner noted recently, or another one with time left, stays while this statement runs.
    coalesce(
      chosen.last_at > now() - CASE
        WHEN chosen.owner_id = a.id THEN interval '1 minutes'
        ELSE make_interval(hours => $16)
      END,
      false
    ) AS owner_stays,
    row_number() OVER (PARTITION BY a.id, request.idempotency_key ORDER BY request.n) AS key_rank
    ,
    k.id AS key_id,
    NOT k.is_default AS key_is_named,
    CASE
    WHEN k.expires_at <= now() THEN 'key_expired'
    WHEN NOT (request.address)::inet <<= ANY (k.addresses) THEN 'key_address'
    WHEN NOT CASE request.kind WHEN 'otp' THEN 'otp' ELSE 'send' END = ANY (k.scopes) THEN 'key_scope'
  END AS key_refusal,
    NOT request.country = ANY (k.countries) AS foreign_country,
    coalesce(k.credits_per_day, k.credits_per_month) IS NOT NULL AS has_budget,
    i.deduplicated AS earlier_deduplicated,
    row_number() OVER (
      PARTITION BY a.id, request.recipient, request.body, request.files_hash, request.dedupe_seconds IS NULL
      ORDER BY request.n
    ) AS twin_rank
  FROM request
  LEFT JOIN LATERAL (
    SELECT * FROM key_secrets WHERE hash = request.key_hash AND (expires_at IS NULL OR expires_at > now()) OFFSET 0
  ) s ON true
  LEFT JOIN LATERAL (SELECT * FROM api_keys WHERE id = s.key_id OFFSET 0) k ON true
  LEFT JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id OFFSET 0) AS a ON true
  LEFT JOIN LATERAL (SELECT * FROM (SELECT account_id, balance, frozen, sent_count, received_count FROM credit_accounts) all_credits WHERE account_id = a.id OFFSET 0) AS c ON true
  LEFT JOIN LATERAL (
    SELECT * FROM daily_counts WHERE account_id = a.id
      AND day = (coalesce(request.send_at, now() ) AT TIME ZONE 'America/New_York')::date OFFSET 0
  ) AS d ON true
  LEFT JOIN LATERAL (
    SELECT c.sender, o.account_id AS owner_id, o.last_at
    FROM unnest(string_to_array(request.senders, ',')) WITH ORDINALITY AS c (sender, place)
    LEFT JOIN conversation_owners o ON o.recipient = request.recipient AND o.sender = c.sender
    ORDER BY
      CASE WHEN o.account_id = a.id THEN o.last_at END DESC NULLS LAST,
      c.place > request.fresh_senders,
      coalesce(o.account_id <> a.id AND o.last_at > now() - make_interval(hours => $16, mins => 1), false),
      c.place
    LIMIT 1
  ) AS chosen ON true
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_keys
    WHERE account_id = a.id AND key = request.idempotency_key AND created_at > now() - interval '24 hours' OFFSET 0
  ) AS i ON true
),
locked AS MATERIALIZED (
  SELECT c.* FROM (SELECT DISTINCT account_id FROM (SELECT account_id FROM known WHERE price IS NOT NULL AND NOT test ) AS asked ORDER BY account_id) AS wanted
  CROSS JOIN LATERAL (
    SELECT account_id, balance, balance - frozen AS available, ledger_count, sent_count,
      greatest(now(), updated_at) AS at
    FROM credit_accounts WHERE credit_accounts.account_id = wanted.account_id FOR NO KEY UPDATE
  ) AS c),
budget AS MATERIALIZED (
  SELECT
    id AS budget_key,
    day,
    that_day,
    that_month,
    credits_per_day - that_day AS day_left,
    credits_per_month - that_month AS month_left
  FROM (
    SELECT
      k.id,
      k.credits_per_day,
      k.credits_per_month,
      d.day,
      CASE WHEN k.spent_on = d.day THEN k.spent_that_day ELSE 0 END AS that_day,
      CASE WHEN date_trunc('month', k.spent_on) = date_trunc('month', d.day) THEN k.spent_that_month
        ELSE 0 END AS that_month
    FROM api_keys k
    JOIN locked USING (account_id)
    CROSS JOIN LATERAL (SELECT (locked.at AT TIME ZONE 'America/New_York')::date AS day) d
    WHERE k.id IN (SELECT key_id FROM known WHERE has_budget AND price IS NOT NULL AND NOT test)
    ORDER BY k.id
    FOR NO KEY UPDATE OF k
  ) b),
twins AS MATERIALIZED (
  SELECT
    n,
    CASE WHEN files_hash IS NULL
      THEN earlier_message(locked.account_id, recipient, body, dedupe_from_id,
        now() - make_interval(secs => dedupe_seconds))
      ELSE earlier_mms(locked.account_id, recipient, body, files_hash, dedupe_from_id,
        now() - make_interval(secs => dedupe_seconds))
    END AS twin_id
  FROM known JOIN locked ON locked.account_id = known.account_id
  WHERE dedupe_seconds IS NOT NULL AND price IS NOT NULL AND NOT test
),
days AS MATERIALIZED (
  SELECT d.account_id, d.day, d.count + d.scheduled AS day_taken
  FROM daily_counts d
  WHERE (d.account_id, d.day) IN (
    SELECT r.account_id, (r.send_at AT TIME ZONE 'America/New_York')::date FROM known r JOIN locked USING (account_id)
    WHERE r.send_at IS NOT NULL AND r.price IS NOT NULL AND NOT r.test
  )
  ORDER BY d.account_id, d.day
  FOR NO KEY UPDATE),
ended AS MATERIALIZED (
  SELECT key_hash, NOT key_works(key_hash) AS key_ended
  FROM (
    SELECT DISTINCT key_hash FROM known JOIN locked ON locked.account_id = known.account_id
    WHERE send_at IS NOT NULL AND price IS NOT NULL AND NOT test
  ) used
),
judged AS MATERIALIZED (
  SELECT
    known.*,
    coalesce(locked.balance, balance_seen, 0) AS balance,
    locked.available,
    locked.ledger_count,
    locked.sent_count,
    locked.at,
    budget.*, days.day_taken, ended.key_ended, twins.twin_id,
    CASE
      WHEN address_blocked THEN 'address_blocked'
      WHEN known.account_id IS NULL THEN 'unknown_api_key'
      WHEN account_blocked THEN 'account_blocked'
      WHEN key_refusal IS NOT NULL THEN key_refusal
      WHEN NOT test AND earlier_id IS NOT NULL THEN
        CASE
          WHEN earlier_hash <> body_hash THEN 'idempotency_conflict'
          WHEN earlier_deduplicated THEN 'deduplicated'
          ELSE 'replayed'
        END
      WHEN NOT test AND idempotency_key IS NOT NULL AND key_rank > 1 THEN 'again'
      WHEN twin_id IS NOT NULL THEN 'deduplicated'
      WHEN dedupe_seconds IS NOT NULL AND price IS NOT NULL AND NOT test AND twin_rank > 1 THEN 'again'
      WHEN NOT test AND suspended THEN 'delivery_suspended'
      WHEN NOT test AND coalesce(locked.balance, balance_seen, 0) = 0 THEN
        CASE WHEN balance_seen IS NULL THEN 'no_credit_account' ELSE 'no_credits' END
      WHEN price IS NULL THEN 'approved'
      WHEN foreign_country THEN 'key_country'
      WHEN disabled_country THEN 'country_disabled'
      WHEN NOT may_use_sender THEN 'sender_changed'
      WHEN foreign_number THEN 'number_not_verified'
      WHEN has_url AND NOT urls_activated THEN 'url_not_activated'
      WHEN opted_out THEN 'recipient_opted_out'
      WHEN test THEN 'approved'
      WHEN send_at IS NOT NULL AND key_ended THEN 'unknown_api_key'
      WHEN coalesce(step, 1) = 1 AND coalesce(day_taken, day_count ) >= daily_limit
        THEN 'daily_limit'
      WHEN has_budget AND budget_key IS NULL THEN 'unknown_api_key'
      WHEN day_left < price THEN 'key_day_budget'
      WHEN month_left < price THEN 'key_month_budget'
      WHEN locked.balance < price THEN 'insufficient_credits'
      WHEN locked.available < price THEN 'credits_frozen'
      ELSE 'candidate'
    END AS verdict
  FROM known
  LEFT JOIN locked ON locked.account_id = known.account_id
  LEFT JOIN budget ON budget_key = known.key_id
  LEFT JOIN days ON days.account_id = known.account_id AND days.day = (send_at AT TIME ZONE 'America/New_York')::date
  LEFT JOIN ended ON ended.key_hash = known.key_hash
  LEFT JOIN twins ON twins.n = known.n
),
affordable AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT
      *,
      sum(price) OVER (PARTITION BY budget_key ORDER BY n) AS key_total,
      row_number() OVER (PARTITION BY account_id, (send_at AT TIME ZONE 'America/New_York')::date ORDER BY n) AS day_rank,
      sum(price) OVER (PARTITION BY account_id ORDER BY n) AS running_total
    FROM judged
    WHERE verdict = 'candidate'
  ) summed
  WHERE running_total <= available AND (budget_key IS NULL OR key_total <= least(day_left, month_left)) AND (send_at IS NULL OR coalesce(day_taken, day_count) + day_rank <= daily_limit)
),
owned AS (
  INSERT INTO conversation_owners AS mine (recipient, sender, account_id, last_at)
  SELECT DISTINCT ON (recipient, sender) recipient, sender, account_id, now()
  FROM affordable
  WHERE NOT owner_stays AND fresh_senders > 0
  ORDER BY recipient, sender, owner_id = account_id DESC NULLS LAST, n
  ON CONFLICT (recipient, sender) DO UPDATE SET
    account_id = CASE WHEN mine.account_id = excluded.account_id OR mine.last_at <= now() - make_interval(hours => $16, mins => 1) THEN excluded.account_id ELSE mine.account_id END,
    last_at = CASE WHEN mine.account_id = excluded.account_id OR mine.last_at <= now() - make_interval(hours => $16, mins => 1) THEN greatest(mine.last_at, excluded.last_at) ELSE mine.last_at END
  RETURNING recipient, sender, account_id
),
won AS MATERIALIZED (
  SELECT affordable.*, owned.account_id AS owned_by
  FROM affordable LEFT JOIN owned USING (recipient, sender)
  WHERE (strpos(senders, ',') > 0 AND owned.account_id <> affordable.account_id
    AND owned.account_id IS DISTINCT FROM affordable.owner_id) IS NOT TRUE
),
remembered AS (
  INSERT INTO idempotency_keys AS mine (account_id, key, body_hash, message_id)
  SELECT account_id, idempotency_key, body_hash, id
  FROM won
  WHERE idempotency_key IS NOT NULL
  ON CONFLICT (account_id, key) DO UPDATE
    SET body_hash = excluded.body_hash, message_id = excluded.message_id, deduplicated = false, created_at = now()
    WHERE mine.created_at <= now() - interval '24 hours'
  RETURNING message_id
),
remembered_twins AS (
  INSERT INTO idempotency_keys AS mine (account_id, key, body_hash, message_id, deduplicated)
  SELECT account_id, idempotency_key, body_hash, twin_id, true
  FROM judged
  WHERE verdict = 'deduplicated' AND earlier_id IS NULL AND idempotency_key IS NOT NULL
  ON CONFLICT (account_id, key) DO UPDATE
    SET body_hash = excluded.body_hash, message_id = excluded.message_id, deduplicated = true, created_at = now()
    WHERE mine.created_at <= now() - interval '24 hours'
  RETURNING account_id, key),
charged AS MATERIALIZED (
  SELECT
    won.*,
    balance - sum(price) OVER earlier AS balance_after,
    ledger_count + row_number() OVER earlier AS ledger_number,
    sent_count + row_number() OVER earlier AS sent_number
  FROM won
  WHERE idempotency_key IS NULL OR id IN (SELECT message_id FROM remembered)
  WINDOW earlier AS (PARTITION BY account_id ORDER BY n)
),
debited AS (
  UPDATE credit_accounts
  SET balance = credit_accounts.balance - spent.total, used = used + spent.total, updated_at = spent.at,
    ledger_count = credit_accounts.ledger_count + spent.count, sent_count = credit_accounts.sent_count + spent.count
  FROM (SELECT account_id, at, sum(price) AS total, count(*) AS count FROM charged GROUP BY account_id, at) spent
  WHERE credit_accounts.account_id = spent.account_id),
entered AS (
  INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
  SELECT account_id, ledger_number, -price, balance_after, CASE kind WHEN 'otp' THEN 'otp'
    ELSE 'message' END, id::text, at
  FROM charged
  ORDER BY n),
spent AS (
  UPDATE api_keys k
  SET spent_on = s.day, spent_that_day = s.that_day + s.total, spent_that_month = s.that_month + s.total
  FROM (
    SELECT budget_key, day, that_day, that_month, sum(price) AS total
    FROM charged WHERE budget_key IS NOT NULL GROUP BY budget_key, day, that_day, that_month
  ) s
  WHERE k.id = s.budget_key),
reserved AS (
  INSERT INTO daily_counts AS d (account_id, day, count, last_granted, scheduled)
  SELECT account_id, (send_at AT TIME ZONE 'America/New_York')::date AS day, 0, 0, count(*) FROM charged WHERE send_at IS NOT NULL
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account_id, day) DO UPDATE SET
    scheduled = d.scheduled + excluded.scheduled,
    count = CASE
      WHEN d.count + d.scheduled + excluded.scheduled <= (SELECT daily_limit FROM accounts
        WHERE id = d.account_id) THEN d.count
      ELSE -1
    END),
answered AS MATERIALIZED (
  SELECT *, coalesce(coalesce(owned_by, owner_id) <> account_id, false) AS replies_unavailable FROM charged
),
stored AS (
  INSERT INTO messages (
    id, account_id, number, kind, recipient, country, sender, body, segments, credits, reference,
      replies_unavailable, created_at
    , status, send_at, expires_at, key_id, hedge_seconds, step, counted_on
  )
  SELECT
    id, account_id, sent_number, kind, recipient, country, sender, body, segments, price, reference,
      replies_unavailable, at
    ,
    CASE WHEN send_at IS NULL THEN 'queued' ELSE 'scheduled' END,
    send_at,
    coalesce(send_at, at) + make_interval(secs => validity_seconds),
    CASE WHEN key_is_named THEN key_id END,
    hedge_seconds,
    step,
    CASE WHEN step > 1 THEN (at AT TIME ZONE 'America/New_York')::date END
  FROM answered
),
planned AS (
  INSERT INTO message_checks (kind, due_at, message_ids, key_id)
  SELECT 'scheduled', send_at, array_agg(id ORDER BY id), key_id
  FROM answered WHERE send_at IS NOT NULL GROUP BY send_at, key_id),
checked AS (
  INSERT INTO message_checks (kind, due_at, message_ids)
  SELECT 'queued', now() + interval '15 seconds', array_agg(id ORDER BY id) FROM answered WHERE send_at IS NULL HAVING count(*) > 0)
SELECT
  CASE
    WHEN answered.id IS NOT NULL THEN 'accepted'
    WHEN judged.verdict = 'candidate' THEN 'again'
    WHEN judged.verdict = 'deduplicated' AND judged.earlier_id IS NULL
      AND judged.idempotency_key IS NOT NULL
      AND (judged.account_id, judged.idempotency_key) NOT IN (SELECT account_id, key FROM remembered_twins) THEN 'again'
    ELSE judged.verdict
  END AS verdict,
  judged.account_id AS "accountId",
  judged.key_rate_per_second AS "keyRatePerSecond",
  judged.sender,
  coalesce(judged.twin_id, judged.earlier_id ) AS "earlierId",
  coalesce(answered.replies_unavailable, false) AS "repliesUnavailable",
  coalesce(answered.balance_after, judged.balance)::float8 AS balance
FROM judged
LEFT JOIN answered ON answered.n = judged.n
ORDER BY judged.n;
