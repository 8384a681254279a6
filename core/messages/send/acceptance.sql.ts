import { creditAccounts, debitAccounts, enterCharges, lockedAccounts } from '../../credits/credits.sql.js';
import { isBlocked } from '../../accounts/blocked-addresses.js';
import { OWNER_NOTED_MINUTES, ownedSince } from '../conversations/conversations.repository.js';
import type { RefusalCode } from './decision.js';

/** Whether the row's own account sends again, or the owner's time is over. */
const isFree = `mine.account_id = excluded.account_id OR mine.last_at <= ${ownedSince('$16')}`;

/**
 * The acceptance statement: one round trip decides, charges and stores a whole batch. Any number of processes may run it at the
 * same time. Its parts on balances and ledger are those of core/credits.
 *
 * `request` is the batch; `known` adds what the database knows about each request; `locked` locks the credit accounts of the
 * batch; `judged` gives each request the first case of the error table that applies; `summed` adds up the candidates of an
 * account in order of arrival; `charged` are those that the balance covers and whose idempotency key is free, with their numbers
 * in the account's histories; `owned` makes their accounts the owners of their conversations, unless another account owns one,
 * and returns the owners; the rest writes. A request whose decision depends on a neighbor in the batch is returned as
 * `again` and decided once more, alone.
 *
 * Parameters are arrays of equal length, one element per request, and settings: see
 * {@link acceptanceValues}.
 */
export const acceptanceStatement = {
  name: 'acceptance-8',
  text: `
WITH request AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $1::uuid[], $2::bytea[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::smallint[], $11::integer[], $12::boolean[], $13::text[], $14::text[], $15::bytea[]
  ) WITH ORDINALITY AS r (
    id, key_hash, address, test, kind, recipient, country, sender, body,
    segments, price, has_url, reference, idempotency_key, body_hash, n
  )
),
known AS MATERIALIZED (
  SELECT
    request.*,
    a.id AS account_id,
    a.blocked_at IS NOT NULL AS account_blocked,
    a.delivery_suspended_at IS NOT NULL AS suspended,
    $17::boolean AND a.own_numbers_only AND request.kind = 'sms' AND NOT EXISTS (
      SELECT 1 FROM verified_numbers v WHERE v.account_id = a.id AND v.recipient = request.recipient
    ) AS foreign_number,
    a.urls_activated,
    a.daily_limit,
    a.key_rate_per_second,
    c.balance AS balance_seen,
    coalesce(d.count, 0) AS day_count,
    i.message_id AS earlier_id,
    i.body_hash AS earlier_hash,
    ${isBlocked('request.address')} AS address_blocked,
    EXISTS (SELECT 1 FROM opt_outs o WHERE o.recipient = request.recipient AND o.sender = request.sender) AS opted_out,
    coalesce(
      (SELECT bool_or(s.sender = request.sender) FROM account_senders s WHERE s.account_id = a.id),
      NOT EXISTS (SELECT 1 FROM account_senders s WHERE s.sender = request.sender)
    ) AS may_use_sender,
    o.account_id AS owner_id,
    -- An owner noted recently, or another one with time left, stays while this statement runs.
    coalesce(
      o.last_at > now() - CASE
        WHEN o.account_id = a.id THEN interval '${OWNER_NOTED_MINUTES} minutes'
        ELSE make_interval(hours => $16)
      END,
      false
    ) AS owner_stays,
    row_number() OVER (PARTITION BY a.id, request.idempotency_key ORDER BY request.n) AS key_rank
  FROM request
  LEFT JOIN api_keys k ON k.key_hash = request.key_hash AND (k.expires_at IS NULL OR k.expires_at > now())
  LEFT JOIN accounts a ON a.id = k.account_id
  LEFT JOIN ${creditAccounts} c ON c.account_id = a.id
  LEFT JOIN daily_counts d ON d.account_id = a.id AND d.day = (now() AT TIME ZONE 'America/New_York')::date
  LEFT JOIN conversation_owners o ON o.recipient = request.recipient AND o.sender = request.sender
  LEFT JOIN idempotency_keys i
    ON i.account_id = a.id AND i.key = request.idempotency_key AND i.created_at > now() - interval '24 hours'
),
locked AS MATERIALIZED (${lockedAccounts('SELECT account_id FROM known WHERE price IS NOT NULL AND NOT test')}),
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
        CASE WHEN earlier_hash = body_hash THEN 'replayed' ELSE 'idempotency_conflict' END
      WHEN NOT test AND idempotency_key IS NOT NULL AND key_rank > 1 THEN 'again'
      WHEN NOT test AND suspended THEN 'delivery_suspended'
      WHEN NOT test AND coalesce(locked.balance, balance_seen, 0) = 0 THEN
        CASE WHEN balance_seen IS NULL THEN 'no_credit_account' ELSE 'no_credits' END
      WHEN price IS NULL THEN 'approved'
      WHEN NOT may_use_sender THEN 'sender_changed'
      WHEN foreign_number THEN 'number_not_verified'
      WHEN has_url AND NOT urls_activated THEN 'url_not_activated'
      WHEN opted_out THEN 'recipient_opted_out'
      WHEN test THEN 'approved'
      WHEN day_count >= daily_limit THEN 'daily_limit'
      WHEN locked.balance < price THEN 'insufficient_credits'
      WHEN locked.available < price THEN 'credits_frozen'
      ELSE 'candidate'
    END AS verdict
  FROM known
  LEFT JOIN locked ON locked.account_id = known.account_id
),
summed AS MATERIALIZED (
  SELECT *, sum(price) OVER (PARTITION BY account_id ORDER BY n) AS running_total
  FROM judged
  WHERE verdict = 'candidate'
),
remembered AS (
  INSERT INTO idempotency_keys AS mine (account_id, key, body_hash, message_id)
  SELECT account_id, idempotency_key, body_hash, id
  FROM summed
  WHERE running_total <= available AND idempotency_key IS NOT NULL
  ON CONFLICT (account_id, key) DO UPDATE
    SET body_hash = excluded.body_hash, message_id = excluded.message_id, created_at = now()
    WHERE mine.created_at <= now() - interval '24 hours'
  RETURNING message_id
),
charged AS MATERIALIZED (
  SELECT
    *,
    balance - sum(price) OVER earlier AS balance_after,
    ledger_count + row_number() OVER earlier AS ledger_number,
    sent_count + row_number() OVER earlier AS sent_number
  FROM summed
  WHERE running_total <= available
    AND (idempotency_key IS NULL OR id IN (SELECT message_id FROM remembered))
  WINDOW earlier AS (PARTITION BY account_id ORDER BY n)
),
debited AS (${debitAccounts('charged')}),
entered AS (${enterCharges('charged')}),
owned AS (
  INSERT INTO conversation_owners AS mine (recipient, sender, account_id, last_at)
  SELECT DISTINCT ON (recipient, sender) recipient, sender, account_id, now()
  FROM charged
  WHERE NOT owner_stays
  ORDER BY recipient, sender, owner_id = account_id DESC NULLS LAST, n
  ON CONFLICT (recipient, sender) DO UPDATE SET
    account_id = CASE WHEN ${isFree} THEN excluded.account_id ELSE mine.account_id END,
    last_at = CASE WHEN ${isFree} THEN greatest(mine.last_at, excluded.last_at) ELSE mine.last_at END
  RETURNING recipient, sender, account_id
),
answered AS MATERIALIZED (
  SELECT charged.*, coalesce(coalesce(owned.account_id, owner_id) <> charged.account_id, false) AS replies_unavailable
  FROM charged LEFT JOIN owned USING (recipient, sender)
),
stored AS (
  INSERT INTO messages (
    id, account_id, number, kind, recipient, country, sender, body, segments, credits, reference, replies_unavailable,
    due_at, created_at
  )
  SELECT
    id, account_id, sent_number, kind, recipient, country, sender, body, segments, price, reference, replies_unavailable,
    now() + interval '15 seconds', at
  FROM answered
)
SELECT
  CASE WHEN answered.id IS NOT NULL THEN 'accepted' WHEN judged.verdict = 'candidate' THEN 'again' ELSE judged.verdict END
    AS verdict,
  judged.account_id AS "accountId",
  judged.key_rate_per_second AS "keyRatePerSecond",
  judged.earlier_id AS "earlierId",
  coalesce(answered.replies_unavailable, false) AS "repliesUnavailable"
FROM judged
LEFT JOIN answered ON answered.n = judged.n
ORDER BY judged.n
`,
} as const;

interface FoundAccount {
  readonly accountId: string;
  readonly keyRatePerSecond: number | null;
  readonly earlierId: string | null;
  /** Another account owns the conversation, so that replies go there. */
  readonly repliesUnavailable: boolean;
}

/** The statement's answer to one request, in the order of the batch. */
export type AcceptanceResult =
  | (FoundAccount & { readonly verdict: 'accepted' | 'approved' | 'again' | 'no_credit_account' | 'sender_changed' })
  | (FoundAccount & { readonly verdict: 'replayed'; readonly earlierId: string })
  | (Omit<FoundAccount, 'accountId'> & { readonly verdict: AccountRefusal; readonly accountId: string | null });

type AccountRefusal = Exclude<RefusalCode, 'lost' | 'unknown' | 'failed' | 'idempotency_in_progress'>;

/** Waits for acceptances of these API keys' accounts that hold or await their locks. Parameter: hashes of the keys. */
export const lockCallersStatement = {
  name: 'acceptance-lock-callers-1',
  text: lockedAccounts('SELECT account_id FROM api_keys WHERE key_hash = ANY($1::bytea[])'),
} as const;

export const acceptedStatement = {
  name: 'acceptance-accepted-2',
  text: 'SELECT id, account_id AS "accountId", replies_unavailable AS "repliesUnavailable" FROM messages WHERE id = ANY($1::uuid[])',
} as const;

/** A message that acceptance has stored. */
export interface AcceptedRow {
  readonly id: string;
  readonly accountId: string;
  readonly repliesUnavailable: boolean;
}

/** One request of a batch. Everything from `kind` to `price` is null when the rules refused the message. */
export interface AcceptanceRow {
  readonly id: string;
  readonly keyHash: Buffer;
  readonly address: string;
  readonly test: boolean;
  readonly kind: 'sms' | 'otp' | null;
  readonly recipient: string | null;
  readonly country: string | null;
  readonly sender: string | null;
  readonly body: string | null;
  readonly segments: number | null;
  readonly price: number | null;
  readonly hasUrl: boolean;
  readonly reference: string | null;
  readonly idempotencyKey: string | null;
  readonly bodyHash: Buffer | null;
}

export interface AcceptanceSettings {
  readonly conversationHours: number;
  /** Whether free credits send to verified numbers only. */
  readonly ownNumbersOnly: boolean;
}

/** The statement's parameters for a batch. */
export function acceptanceValues(
  batch: readonly AcceptanceRow[],
  { conversationHours, ownNumbersOnly }: AcceptanceSettings,
): unknown[] {
  return [
    batch.map(({ id }) => id),
    batch.map(({ keyHash }) => keyHash),
    batch.map(({ address }) => address),
    batch.map(({ test }) => test),
    batch.map(({ kind }) => kind),
    batch.map(({ recipient }) => recipient),
    batch.map(({ country }) => country),
    batch.map(({ sender }) => sender),
    batch.map(({ body }) => body),
    batch.map(({ segments }) => segments),
    batch.map(({ price }) => price),
    batch.map(({ hasUrl }) => hasUrl),
    batch.map(({ reference }) => reference),
    batch.map(({ idempotencyKey }) => idempotencyKey),
    batch.map(({ bodyHash }) => bodyHash),
    conversationHours,
    ownNumbersOnly,
  ];
}
