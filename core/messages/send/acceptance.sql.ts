import {
  balanceAfterCharge,
  creditAccounts,
  debitAccounts,
  enterCharges,
  lockedAccounts,
} from '../../credits/credits.sql.js';
import type { MessageKind } from '#contract/messages.js';
import { isBlocked, joinKey, joinSecret, keyRefusal } from '../../keys/callers.sql.js';
import { mayUse } from '../../numbers/numbers.sql.js';
import { chosenSender, OWNER_NOTED_MINUTES, ownedSince } from '../senders/conversation-owners.repository.js';
import { holdsFor, isGoneRound } from '../store/opt-outs.sql.js';
import { insertQueuedChecks, insertSchedules } from '../store/checks.sql.js';
import { lockedDays, newYorkDayOf, reserveDays } from '../store/day-reservations.sql.js';
import type { RefusalCode } from './decision.js';

/** SQL condition: the row's own account sends again, or the owner's time is over. */
const isFree = `mine.account_id = excluded.account_id OR mine.last_at <= ${ownedSince('$16')}`;

/**
 * SQL condition: another account has become the owner of the chosen conversation since the choice,
 * and there are other senders. An earlier owner is accepted, because all senders were taken.
 */
const isLost = `strpos(senders, ',') > 0 AND owned.account_id <> affordable.account_id
    AND owned.account_id IS DISTINCT FROM affordable.owner_id`;

const scope = `CASE request.kind WHEN 'otp' THEN 'otp' ELSE 'send' END`;

/**
 * Optional parts of the statement: options (a message's time, validity or deduplication, and the
 * limits of a named key), shared batches of accounts, and dry runs. Each keeps SQL or omits it.
 */
interface Variant {
  readonly options: (sql: string) => string;
  readonly shared: (sql: string) => string;
  readonly dryRun: (sql: string) => string;
}

const timedColumns = `,
    CASE WHEN send_at IS NULL THEN 'queued' ELSE 'scheduled' END,
    send_at,
    coalesce(send_at, at) + make_interval(secs => validity_seconds),
    CASE WHEN key_is_named THEN key_id END,
    hedge_seconds,
    step,
    CASE WHEN step > 1 THEN ${newYorkDayOf('at')} END`;

/** SQL: credits that a key has spent on a day, and in its month. */
const spentOnDay = (day: string) => `CASE WHEN k.spent_on = ${day} THEN k.spent_that_day ELSE 0 END`;
const spentInMonth = (day: string) =>
  `CASE WHEN date_trunc('month', k.spent_on) = date_trunc('month', ${day}) THEN k.spent_that_month
        ELSE 0 END`;

/**
 * Credits left in the budgets on the New York day and in the month of the charge, whose time never
 * goes back.
 */
const lockedBudgets = `
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
      ${spentOnDay('d.day')} AS that_day,
      ${spentInMonth('d.day')} AS that_month
    FROM api_keys k
    JOIN locked USING (account_id)
    CROSS JOIN LATERAL (SELECT (locked.at AT TIME ZONE 'America/New_York')::date AS day) d
    WHERE k.id IN (SELECT key_id FROM known WHERE has_budget AND price IS NOT NULL AND NOT test)
    ORDER BY k.id
    FOR NO KEY UPDATE OF k
  ) b`;

/** Stores the answers of `twins` for their idempotency keys. */
const rememberTwins = `
  INSERT INTO idempotency_keys AS mine (account_id, key, body_hash, message_id, deduplicated)
  SELECT account_id, idempotency_key, body_hash, twin_id, true
  FROM judged
  WHERE verdict = 'deduplicated' AND earlier_id IS NULL AND idempotency_key IS NOT NULL
  ON CONFLICT (account_id, key) DO UPDATE
    SET body_hash = excluded.body_hash, message_id = excluded.message_id, deduplicated = true, created_at = now()
    WHERE mine.created_at <= now() - interval '24 hours'
  RETURNING account_id, key`;

/** SQL condition: another request took the idempotency key. */
const isTwinForgotten = `judged.verdict = 'deduplicated' AND judged.earlier_id IS NULL
      AND judged.idempotency_key IS NOT NULL
      AND (judged.account_id, judged.idempotency_key) NOT IN (SELECT account_id, key FROM remembered_twins)`;

const withinBudget = 'AND (budget_key IS NULL OR key_total <= least(day_left, month_left))';

const withinDay = 'AND (send_at IS NULL OR coalesce(day_taken, day_count) + day_rank <= daily_limit)';

/**
 * The refusals of `judged` in the order of the error table, which the verdict and a dry run share:
 * first refusals of the account, then of the message, then of limits and money. A test gets only
 * refusals of the message.
 */
const accountRefusals = `WHEN NOT test AND suspended THEN 'delivery_suspended'
      WHEN NOT test AND coalesce(locked.balance, balance_seen, 0) = 0 THEN
        CASE WHEN balance_seen IS NULL THEN 'no_credit_account' ELSE 'no_credits' END`;

const messageRefusals = (on: Variant) => `${on.options("WHEN foreign_country THEN 'key_country'")}
      WHEN disabled_country THEN 'country_disabled'
      WHEN NOT may_use_sender THEN 'sender_changed'
      WHEN foreign_number THEN 'number_not_verified'
      WHEN has_url AND NOT urls_activated THEN 'url_not_activated'
      WHEN opted_out THEN 'recipient_opted_out'`;

/** A dry run locks nothing, so it uses the unlocked values. */
const lockedOrSeen = (on: Variant, locked: string, seen: string) =>
  `${on.dryRun('coalesce(')}${locked}${on.dryRun(`, ${seen})`)}`;

const moneyRefusals = (on: Variant) => `${on.options("WHEN send_at IS NOT NULL AND key_ended THEN 'unknown_api_key'")}
      WHEN ${on.options('coalesce(step, 1) = 1 AND coalesce(day_taken,')} day_count ${on.options(')')} >= daily_limit
        THEN 'daily_limit'
      ${on.options(`
      WHEN has_budget AND budget_key IS NULL${on.dryRun(' AND NOT dry_run')} THEN 'unknown_api_key'
      WHEN ${lockedOrSeen(on, 'day_left', 'day_left_seen')} < price THEN 'key_day_budget'
      WHEN ${lockedOrSeen(on, 'month_left', 'month_left_seen')} < price THEN 'key_month_budget'`)}
      WHEN ${lockedOrSeen(on, 'locked.balance', 'balance_seen')} < price THEN 'insufficient_credits'
      WHEN ${lockedOrSeen(on, 'locked.available', 'available_seen')} < price THEN 'credits_frozen'`;

/** Findings of a dry run besides its verdict: see {@link DryRunFindings}. */
const findings = (on: Variant) => `
    CASE WHEN dry_run THEN json_build_object(
      'message', CASE
      WHEN price IS NULL THEN NULL
      ${messageRefusals(on)}
      END,
      'account', CASE
      WHEN test THEN NULL
      ${accountRefusals}
      ${moneyRefusals(on)}
      END,
      'available', coalesce(locked.available, available_seen, 0)
    ) END AS findings,`;

/** Charges budgets; a refund does not restore them. */
const spendBudgets = `
  UPDATE api_keys k
  SET spent_on = s.day, spent_that_day = s.that_day + s.total, spent_that_month = s.that_month + s.total
  FROM (
    SELECT budget_key, day, that_day, that_month, sum(price) AS total
    FROM charged WHERE budget_key IS NOT NULL GROUP BY budget_key, day, that_day, that_month
  ) s
  WHERE k.id = s.budget_key`;

/**
 * The acceptance statement: one round trip decides, charges and stores a whole batch. Any number of
 * processes may run it at the same time. Its parts on balances and ledger come from core/credits.
 *
 * `request` is the batch; `known` adds what the database knows about each request; `locked` locks
 * the credit accounts of the batch; `judged` gives each request the first case of the error table
 * that applies; `affordable` adds up the candidates of an account in order of arrival and keeps
 * those that the balance covers; `owned` makes their accounts the owners of their conversations,
 * unless another account owns one, and returns the owners; `won` omits requests that lost a
 * conversation to another account meanwhile and have another sender; `charged` are the requests
 * whose idempotency key is free, with their numbers in the account's histories; the rest writes. A
 * request whose decision depends on a neighbor in the batch is returned as `again` and decided once
 * more, alone.
 *
 * For a batch with named keys, `budget` locks the keys with a budget, after their accounts' locks,
 * and returns the credits left; `spent` counts the credits that they spend. An account's default
 * key has no limits and skips this.
 *
 * For a batch with messages to be deduplicated, `twins` finds the earlier message with the same
 * recipient, text and files. It begins after the account is locked and sees all earlier commits
 * (see the functions `earlier_message` and `earlier_mms`), so that of simultaneous requests only
 * one is accepted, in any number of processes. It counts messages of every request, also without
 * `dedupe`.
 *
 * Where accounts share batches, a message of an account whose bulk is being accepted is returned as
 * `behind_bulk`, undecided: otherwise all would wait for the bulk's lock.
 *
 * For a batch with scheduled or expiring messages, `days` locks the days on which they leave and
 * returns the number of taken places, `reserved` takes their places one by one, and `planned`
 * writes their schedules. `ended` checks each key again after the account is locked (see the
 * function `key_works`). A transaction that ended the key meanwhile may have canceled the key's
 * scheduled messages and missed this message.
 *
 * Later steps of a one-time password do not count against the daily limit, which counts a code once.
 *
 * A dry run is decided like any other request, by committed data: it locks nothing, waits for
 * nothing, and is `approved` where another request would be a candidate. It also returns the first
 * refusal of its message and of its account.
 *
 * Parameters are arrays of equal length, one element per request, and settings: see {@link
 * acceptanceValues}. OFFSET makes Postgres find the rows of each request by their keys: with a plan
 * from when tables were small, a join reads all rows.
 */
const acceptanceText = (on: Variant) => `
WITH request AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $1::uuid[], $2::bytea[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::smallint[], $11::integer[], $12::boolean[], $13::text[], $14::text[], $15::bytea[], $18::boolean[],
    $19::smallint[]
    ${on.options(`, $20::timestamptz[], $21::integer[], $22::integer[], $23::uuid[], $24::smallint[], $25::bytea[],
    $26::smallint[]`)}
    ${on.dryRun(', $27::boolean[]')}
  ) WITH ORDINALITY AS r (
    id, key_hash, address, test, kind, recipient, country, senders, body,
    segments, price, has_url, reference, idempotency_key, body_hash, names_sender, fresh_senders,
    ${on.options('send_at, validity_seconds, dedupe_seconds, dedupe_from_id, hedge_seconds, files_hash, step,')}
    ${on.dryRun('dry_run, ')}n
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
    ${on.shared(
      'coalesce(a.id = ANY (ARRAY(SELECT account_id FROM running_bulks WHERE ends_at > now())), false) AS bulk_runs,',
    )}
    a.urls_activated,
    a.daily_limit,
    ${on.options('least(k.messages_per_second, ')}a.key_rate_per_second${on.options(')')} AS key_rate_per_second,
    c.balance AS balance_seen,
    ${on.dryRun(`c.balance - c.frozen AS available_seen,
    CASE WHEN dry_run THEN k.credits_per_day -
      ${spentOnDay(newYorkDayOf('now()'))}
    END AS day_left_seen,
    CASE WHEN dry_run THEN k.credits_per_month -
      ${spentInMonth(newYorkDayOf('now()'))}
    END AS month_left_seen,`)}
    coalesce(d.count + d.scheduled, 0) AS day_count,
    i.message_id AS earlier_id,
    i.body_hash AS earlier_hash,
    ${isBlocked('request.address')} AS address_blocked,
    EXISTS (
      SELECT FROM opt_outs o WHERE o.recipient = request.recipient AND (
        ${holdsFor('o', { account: 'a.id', sender: 'chosen.sender' })}
        OR (NOT request.names_sender AND ${isGoneRound('o', 'a.id')})
      )
    ) AS opted_out,
    ${mayUse('a.id', 'chosen.sender')} AS may_use_sender,
    chosen.sender,
    chosen.owner_id,
    -- An owner noted recently, or another one with time left, stays while this statement runs.
    coalesce(
      chosen.last_at > now() - CASE
        WHEN chosen.owner_id = a.id THEN interval '${OWNER_NOTED_MINUTES} minutes'
        ELSE make_interval(hours => $16)
      END,
      false
    ) AS owner_stays,
    row_number() OVER (PARTITION BY a.id, request.idempotency_key ORDER BY request.n) AS key_rank
    ${on.options(`,
    k.id AS key_id,
    NOT k.is_default AS key_is_named,
    ${keyRefusal('k', { address: 'request.address', scope })} AS key_refusal,
    NOT request.country = ANY (k.countries) AS foreign_country,
    coalesce(k.credits_per_day, k.credits_per_month) IS NOT NULL AS has_budget,
    i.deduplicated AS earlier_deduplicated,
    row_number() OVER (
      PARTITION BY a.id, request.recipient, request.body, request.files_hash, request.dedupe_seconds IS NULL
      ORDER BY request.n
    ) AS twin_rank`)}
  FROM request
  ${joinSecret('request.key_hash')}
  ${on.options(joinKey)}
  LEFT JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id OFFSET 0) AS a ON true
  LEFT JOIN LATERAL (SELECT * FROM ${creditAccounts} all_credits WHERE account_id = a.id OFFSET 0) AS c ON true
  LEFT JOIN LATERAL (
    SELECT * FROM daily_counts WHERE account_id = a.id
      AND day = ${newYorkDayOf(`${on.options('coalesce(request.send_at,')} now() ${on.options(')')}`)} OFFSET 0
  ) AS d ON true
  LEFT JOIN LATERAL (${chosenSender({ request: 'request', account: 'a.id', hours: '$16' })}) AS chosen ON true
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_keys
    WHERE account_id = a.id AND key = request.idempotency_key AND created_at > now() - interval '24 hours' OFFSET 0
  ) AS i ON true
),
locked AS MATERIALIZED (${lockedAccounts(
  `SELECT account_id FROM known WHERE price IS NOT NULL AND NOT test ${on.shared('AND NOT bulk_runs')}${on.dryRun(
    ' AND NOT dry_run',
  )}`,
)}),
${on.options(`budget AS MATERIALIZED (${lockedBudgets}),
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
days AS MATERIALIZED (${lockedDays('known', 'locked')}),
ended AS MATERIALIZED (
  SELECT key_hash, NOT key_works(key_hash) AS key_ended
  FROM (
    SELECT DISTINCT key_hash FROM known JOIN locked ON locked.account_id = known.account_id
    WHERE send_at IS NOT NULL AND price IS NOT NULL AND NOT test
  ) used
),`)}
judged AS MATERIALIZED (
  SELECT
    known.*,
    coalesce(locked.balance, balance_seen, 0) AS balance,
    locked.available,
    locked.ledger_count,
    locked.sent_count,
    locked.at,
    ${on.options('budget.*, days.day_taken, ended.key_ended, twins.twin_id,')}
    ${on.dryRun(findings(on))}
    CASE
      WHEN address_blocked THEN 'address_blocked'
      WHEN known.account_id IS NULL THEN 'unknown_api_key'
      WHEN account_blocked THEN 'account_blocked'
      ${on.options('WHEN key_refusal IS NOT NULL THEN key_refusal')}
      WHEN NOT test AND earlier_id IS NOT NULL THEN
        CASE
          WHEN earlier_hash <> body_hash THEN 'idempotency_conflict'
          ${on.options(`WHEN earlier_deduplicated THEN 'deduplicated'`)}
          ELSE 'replayed'
        END
      ${on.shared(
        `WHEN bulk_runs AND price IS NOT NULL AND NOT test${on.dryRun(' AND NOT dry_run')} THEN 'behind_bulk'`,
      )}
      WHEN NOT test AND idempotency_key IS NOT NULL AND key_rank > 1 THEN 'again'
      ${on.options(`
      WHEN twin_id IS NOT NULL THEN 'deduplicated'
      WHEN dedupe_seconds IS NOT NULL AND price IS NOT NULL AND NOT test AND twin_rank > 1 THEN 'again'`)}
      ${accountRefusals}
      WHEN price IS NULL THEN 'approved'
      ${messageRefusals(on)}
      WHEN test THEN 'approved'
      ${moneyRefusals(on)}
      ${on.dryRun("WHEN dry_run THEN 'approved'")}
      ELSE 'candidate'
    END AS verdict
  FROM known
  LEFT JOIN locked ON locked.account_id = known.account_id
  ${on.options(`LEFT JOIN budget ON budget_key = known.key_id
  LEFT JOIN days ON days.account_id = known.account_id AND days.day = ${newYorkDayOf('send_at')}
  LEFT JOIN ended ON ended.key_hash = known.key_hash
  LEFT JOIN twins ON twins.n = known.n`)}
),
affordable AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT
      *,
      ${on.options(`sum(price) OVER (PARTITION BY budget_key ORDER BY n) AS key_total,
      row_number() OVER (PARTITION BY account_id, ${newYorkDayOf('send_at')} ORDER BY n) AS day_rank,`)}
      sum(price) OVER (PARTITION BY account_id ORDER BY n) AS running_total
    FROM judged
    WHERE verdict = 'candidate'
  ) summed
  WHERE running_total <= available ${on.options(`${withinBudget} ${withinDay}`)}
),
owned AS (
  INSERT INTO conversation_owners AS mine (recipient, sender, account_id, last_at)
  SELECT DISTINCT ON (recipient, sender) recipient, sender, account_id, now()
  FROM affordable
  WHERE NOT owner_stays AND fresh_senders > 0
  ORDER BY recipient, sender, owner_id = account_id DESC NULLS LAST, n
  ON CONFLICT (recipient, sender) DO UPDATE SET
    account_id = CASE WHEN ${isFree} THEN excluded.account_id ELSE mine.account_id END,
    last_at = CASE WHEN ${isFree} THEN greatest(mine.last_at, excluded.last_at) ELSE mine.last_at END
  RETURNING recipient, sender, account_id
),
won AS MATERIALIZED (
  SELECT affordable.*, owned.account_id AS owned_by
  FROM affordable LEFT JOIN owned USING (recipient, sender)
  WHERE (${isLost}) IS NOT TRUE
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
${on.options(`remembered_twins AS (${rememberTwins}),`)}
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
debited AS (${debitAccounts('charged')}),
entered AS (${enterCharges('charged')}),
${on.options(`spent AS (${spendBudgets}),
reserved AS (${reserveDays('charged')}),`)}
answered AS MATERIALIZED (
  SELECT *, coalesce(coalesce(owned_by, owner_id) <> account_id, false) AS replies_unavailable FROM charged
),
stored AS (
  INSERT INTO messages (
    id, account_id, number, kind, recipient, country, sender, body, segments, credits, reference,
      replies_unavailable, created_at
    ${on.options(', status, send_at, expires_at, key_id, hedge_seconds, step, counted_on')}
  )
  SELECT
    id, account_id, sent_number, kind, recipient, country, sender, body, segments, price, reference,
      replies_unavailable, at
    ${on.options(timedColumns)}
  FROM answered
),
${on.options(`planned AS (${insertSchedules('answered')}),`)}
checked AS (${insertQueuedChecks(`answered ${on.options('WHERE send_at IS NULL')}`)})
SELECT
  CASE
    WHEN answered.id IS NOT NULL THEN 'accepted'
    WHEN judged.verdict = 'candidate' THEN 'again'
    ${on.options(`WHEN ${isTwinForgotten} THEN 'again'`)}
    ELSE judged.verdict
  END AS verdict,
  judged.account_id AS "accountId",
  judged.key_rate_per_second AS "keyRatePerSecond",
  judged.sender,
  ${on.options('coalesce(judged.twin_id,')} judged.earlier_id ${on.options(')')} AS "earlierId",
  coalesce(answered.replies_unavailable, false) AS "repliesUnavailable",
  coalesce(answered.balance_after, judged.balance)::float8 AS balance
  ${on.dryRun(', judged.findings')}
FROM judged
LEFT JOIN answered ON answered.n = judged.n
ORDER BY judged.n
`;

const included = (sql: string) => sql;
const omitted = () => '';
/** Removes the empty lines of omitted parts. */
const finished = (sql: string) => sql.replaceAll(/ +$/gm, '').replaceAll(/\n{2,}/g, '\n');

/** The variants of the statement. Their finished texts are in acceptance.generated.sql. */
export const acceptanceStatements = {
  /** For messages of default keys without options. Their accounts share batches. */
  plain: {
    name: 'acceptance-25',
    text: finished(acceptanceText({ options: omitted, shared: included, dryRun: omitted })),
  },
  options: {
    name: 'acceptance-options-10',
    text: finished(acceptanceText({ options: included, shared: included, dryRun: included })),
  },
  /** For bulks, and for messages that wait for a bulk of their account. */
  bulk: {
    name: 'acceptance-bulk-9',
    text: finished(acceptanceText({ options: included, shared: omitted, dryRun: omitted })),
  },
} as const;

interface FoundAccount {
  readonly accountId: string;
  readonly keyRatePerSecond: number | null;
  /** The chosen sender; null for a message that the rules refused. */
  readonly sender: string | null;
  readonly earlierId: string | null;
  /** Another account owns the conversation, so that replies go there. */
  readonly repliesUnavailable: boolean;
  /** Balance in credits, after the charge. */
  readonly balance: number;
  /** Set for a dry run; missing in variants without dry runs. */
  readonly findings?: DryRunFindings | null;
}

/** Refusals that a dry run finds for its message and its account, independent of each other. */
export interface DryRunFindings {
  /** Refusal that a test of the message gets; null if the rules have refused the message. */
  readonly message: AccountRefusal | 'sender_changed' | null;
  /**
   * Refusal that a test does not get; the order of checks is that of an otherwise correct message.
   */
  readonly account: AccountRefusal | 'no_credit_account' | null;
  /** Credits of the balance that no dispute has frozen. */
  readonly available: number;
}

/** The statement's answer to one request, in the order of the batch. */
export type AcceptanceResult =
  | (FoundAccount & { readonly verdict: Undecided | 'accepted' | 'approved' | 'sender_changed' })
  | (FoundAccount & { readonly verdict: 'replayed' | 'deduplicated'; readonly earlierId: string })
  | (Omit<FoundAccount, 'accountId'> & { readonly verdict: AccountRefusal; readonly accountId: string | null });

/** The statement has to run once more for the request. */
type Undecided = 'again' | 'behind_bulk' | 'no_credit_account';
type AccountRefusal = Exclude<RefusalCode, 'lost' | 'unknown' | 'failed' | 'idempotency_in_progress' | 'send_day_full'>;

/**
 * Waits for acceptances that hold or await the locks of these API keys' accounts. Parameter: hashes
 * of the keys.
 */
export const lockCallersStatement = {
  name: 'acceptance-lock-callers-5',
  text: lockedAccounts('SELECT account_id FROM key_secrets WHERE hash = ANY($1::bytea[])'),
} as const;

export const acceptedStatement = {
  name: 'acceptance-accepted-6',
  text: `
SELECT m.id, m.account_id AS "accountId", m.sender, m.replies_unavailable AS "repliesUnavailable", m.segments,
  m.credits, m.body, m.reference,
  m.kind, m.send_at AS "sendAt", m.hedge_seconds AS "hedgeSeconds", ${balanceAfterCharge('m')}::float8 AS balance
FROM messages m WHERE m.id = ANY($1::uuid[])`,
} as const;

/** A message that acceptance has stored. */
export interface AcceptedRow {
  readonly id: string;
  readonly accountId: string;
  readonly sender: string;
  readonly repliesUnavailable: boolean;
  readonly segments: number;
  readonly credits: number;
  readonly body: string;
  readonly reference: string | null;
  readonly kind: MessageKind;
  readonly sendAt: Date | null;
  /** The chosen delivery; null for the default. */
  readonly hedgeSeconds: number | null;
  /** Balance in credits, after the charge. */
  readonly balance: number;
}
