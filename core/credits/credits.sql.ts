import type { LedgerKind } from '#contract/histories.js';

/**
 * SQL on balances and ledger. Only this folder names the tables `credit_accounts`, `credit_holds`
 * and `ledger_entries`; a feature that needs them in its own statement composes it from the
 * fragments of this file.
 */

/** Relation with one row per credit account, for reading. */
export const creditAccounts = '(SELECT account_id, balance, frozen, sent_count, received_count FROM credit_accounts)';

/** Relation with the credits of each account that are held, for reading. */
export const heldCredits = '(SELECT account_id, sum(credits)::bigint AS held FROM credit_holds GROUP BY account_id)';

/**
 * Relation with each account's number of ledger entries and the time of the newest, for reading.
 */
export const ledgerCounts = '(SELECT account_id, ledger_count, updated_at FROM credit_accounts)';

/** Relation with all ledger entries, for reading them by account and number. */
export const numberedEntries = '(SELECT account_id, number, kind, source_id, amount, created_at FROM ledger_entries)';

/** Ledger entries that spend credits or give them back: their sum is `used`. */
export const spendingKinds = `'message', 'otp', 'inbound', 'refund', 'number_rent', 'number_setup'`;

/** Relation with the ledger entries of these kinds, for reading. */
export function entriesOf(...kinds: readonly LedgerKind[]): string {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  return `(SELECT account_id, kind, source_id, amount FROM ledger_entries WHERE kind IN (${list}))`;
}

/**
 * Scalar: the balance after a message was charged; null if it was not charged. `message` is its
 * alias.
 */
export function balanceAfterCharge(message: string): string {
  return `(
    SELECT balance_after FROM ledger_entries
    WHERE kind = CASE ${message}.kind WHEN 'otp' THEN 'otp' ELSE 'message' END AND source_id = ${message}.id::text
  )`;
}

/**
 * Locks credit accounts in a fixed order, singly, so that two transactions cannot deadlock.
 * `available` credits can be spent: the others are frozen by a dispute or held. `at` is a time that
 * never goes back within an account, not even when the clock does: histories rely on it.
 */
export function lockedAccounts(accountIds: string): string {
  return `
  SELECT c.* FROM (SELECT DISTINCT account_id FROM (${accountIds}) AS asked ORDER BY account_id) AS wanted
  CROSS JOIN LATERAL (
    SELECT account_id, balance, balance - frozen AS available, ledger_count, sent_count,
      greatest(now(), updated_at) AS at
    FROM credit_accounts WHERE credit_accounts.account_id = wanted.account_id FOR NO KEY UPDATE
  ) AS c`;
}

/**
 * Debits the locked accounts of `charges`: a relation of one row per message with account_id, price
 * and `at`. Moves `used`, and takes the next numbers of ledger entries and sent messages.
 */
export function debitAccounts(charges: string): string {
  return `
  UPDATE credit_accounts
  SET balance = credit_accounts.balance - spent.total, used = used + spent.total, updated_at = spent.at,
    ledger_count = credit_accounts.ledger_count + spent.count, sent_count = credit_accounts.sent_count + spent.count
  FROM (SELECT account_id, at, sum(price) AS total, count(*) AS count FROM ${charges} GROUP BY account_id, at) spent
  WHERE credit_accounts.account_id = spent.account_id`;
}

/**
 * Writes the ledger entries of `charges`: a relation with id, account_id, kind, ledger_number,
 * price, balance_after, at, n.
 */
export function enterCharges(charges: string): string {
  return `
  INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
  SELECT account_id, ledger_number, -price, balance_after, CASE kind WHEN 'otp' THEN 'otp'
    ELSE 'message' END, id::text, at
  FROM ${charges}
  ORDER BY n`;
}

/**
 * Posts movements. Parameters are arrays: account, amount, kind, source, note. Accounts are locked
 * in a fixed order. Spending and refunds move `used`, other kinds move `purchased`: CHECKs hold
 * balance = purchased - used and balance >= frozen >= 0. Entries are numbered under that lock, and
 * their time never goes back: histories rely on both. Returns the accounts that were found.
 */
export const postStatement = {
  name: 'ledger-post-2',
  text: `
WITH posting AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[])
    WITH ORDINALITY AS p (account_id, amount, kind, source_id, note, n)
),
locked AS MATERIALIZED (${lockedAccounts('SELECT account_id FROM posting')}),
moved AS (
  UPDATE credit_accounts c
  SET balance = c.balance + m.brought + m.spent, purchased = c.purchased + m.brought, used = c.used - m.spent,
    ledger_count = c.ledger_count + m.entries, updated_at = greatest(now(), c.updated_at)
  FROM (
    SELECT
      account_id,
      count(*) AS entries,
      coalesce(sum(amount) FILTER (WHERE kind NOT IN (${spendingKinds})), 0) AS brought,
      coalesce(sum(amount) FILTER (WHERE kind IN (${spendingKinds})), 0) AS spent
    FROM posting GROUP BY account_id
  ) m
  WHERE c.account_id = m.account_id
)
INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, note, created_at)
SELECT account_id, ledger_count + row_number() OVER earlier, amount, balance + sum(amount) OVER earlier,
  kind, source_id, note, at
FROM posting JOIN locked USING (account_id)
WINDOW earlier AS (PARTITION BY account_id ORDER BY n)
ORDER BY n
RETURNING account_id AS "accountId"`,
} as const;

/**
 * Credits taken back by an account's chargebacks, less returned credits. Parameters: account,
 * prefix of their sources.
 */
export const takenBackStatement = {
  name: 'credits-taken-back-1',
  text: `
SELECT coalesce(-sum(amount), 0)::float8 AS taken
FROM ledger_entries WHERE account_id = $1 AND kind = 'chargeback' AND starts_with(source_id, $2)`,
} as const;

/**
 * Creates an account's credit account unless it exists; waits for another transaction that is
 * creating it. Parameter: account.
 */
export const openStatement = {
  name: 'credits-open-1',
  text: `
INSERT INTO credit_accounts (account_id, balance, purchased, used) VALUES ($1, 0, 0, 0)
ON CONFLICT DO NOTHING RETURNING account_id AS "accountId"`,
} as const;

/**
 * Locks the balances of these accounts, in a fixed order, and returns their credits that can be
 * spent. Parameter: accounts.
 */
export const lockBalancesStatement = {
  name: 'credits-lock-2',
  text: `
SELECT account_id AS "accountId", available::float8 AS available
FROM (${lockedAccounts('SELECT unnest($1::uuid[]) AS account_id')}) AS locked`,
} as const;

/**
 * Freezes credits of a locked account, or releases them when the number is negative. Parameters:
 * account, credits.
 */
export const freezeStatement = {
  name: 'credits-freeze-1',
  text: `
UPDATE credit_accounts SET frozen = frozen + $2, updated_at = greatest(now(), updated_at) WHERE account_id = $1`,
} as const;

/** Parameters: account, source, credits. */
export const insertHoldStatement = {
  name: 'credits-hold-1',
  text: 'INSERT INTO credit_holds (account_id, source_id, credits) VALUES ($1, $2, $3)',
} as const;

/** Notes that a dispute lacks credits that are held. Parameters: locked account, credits. */
export const claimHeldStatement = {
  name: 'credits-claim-held-1',
  text: `
UPDATE credit_holds h SET claimed = h.claimed + least(o.free, $2 - o.others)
FROM (
  SELECT source_id, credits - claimed AS free,
    sum(credits - claimed) OVER (ORDER BY source_id) - (credits - claimed) AS others
  FROM credit_holds WHERE account_id = $1
) o
WHERE h.account_id = $1 AND h.source_id = o.source_id AND o.free > 0 AND o.others < $2`,
} as const;

/**
 * Ends a hold and returns its credits, and the credits of them that disputes claim; no row without
 * a hold. Parameters: account, source.
 */
export const endHoldStatement = {
  name: 'credits-end-hold-1',
  text: `
DELETE FROM credit_holds WHERE account_id = $1 AND source_id = $2
RETURNING credits::float8 AS credits, claimed::float8 AS claimed`,
} as const;

/**
 * Takes numbers of received messages. Parameters are arrays: account, count. Returns the first
 * number of each account and a time.
 */
export const numberReceivedStatement = {
  name: 'credits-number-received-1',
  text: `
UPDATE credit_accounts c
SET received_count = c.received_count + more.count, updated_at = greatest(now(), c.updated_at)
FROM unnest($1::uuid[], $2::integer[]) AS more (account_id, count)
WHERE c.account_id = more.account_id
RETURNING c.account_id AS "accountId", (c.received_count - more.count + 1)::float8 AS first, c.updated_at AS at`,
} as const;

/**
 * Returns an account's used credits at an instant. Parameters: account, instant. Times of entries
 * never go back within an account, so the entries from that instant on are found by bisecting their
 * numbers.
 */
export const usedBeforeStatement = {
  name: 'credits-used-before-2',
  text: `
WITH RECURSIVE bisected AS (
  SELECT account_id, used, 0::bigint AS low, ledger_count::bigint AS high FROM credit_accounts WHERE account_id = $1
  UNION ALL
  SELECT b.account_id, b.used,
    CASE WHEN l.created_at < $2 THEN l.number ELSE b.low END,
    CASE WHEN l.created_at < $2 THEN b.high ELSE l.number - 1 END
  FROM bisected b
  JOIN ledger_entries l ON l.account_id = b.account_id AND l.number = (b.low + b.high + 1) / 2
  WHERE b.low < b.high
)
SELECT (used + coalesce((
  SELECT sum(amount) FROM ledger_entries l
  WHERE l.account_id = b.account_id AND l.number > b.low AND l.kind IN (${spendingKinds})
), 0))::float8 AS "usedBefore"
FROM bisected b WHERE low >= high`,
} as const;

/**
 * Returns an account's credits, and its use since two instants, after refunds. Parameters: account,
 * the later instant, the earlier instant. Entries before an instant are found by bisecting the
 * numbers of the entries; since then, used = balance then + added credits - balance now, and few
 * entries add credits.
 */
export const creditStateStatement = {
  name: 'credits-state-1',
  text: `
WITH RECURSIVE bisected AS (
  SELECT s.since, 0::bigint AS low, c.ledger_count::bigint AS high
  FROM credit_accounts c CROSS JOIN (VALUES ($2::timestamptz), ($3::timestamptz)) AS s (since)
  WHERE c.account_id = $1
  UNION ALL
  SELECT b.since,
    CASE WHEN l.created_at < b.since THEN l.number ELSE b.low END,
    CASE WHEN l.created_at < b.since THEN b.high ELSE l.number - 1 END
  FROM bisected b
  JOIN ledger_entries l ON l.account_id = $1 AND l.number = (b.low + b.high + 1) / 2
  WHERE b.low < b.high
),
used AS (
  SELECT b.since,
    coalesce((SELECT balance_after FROM ledger_entries l WHERE l.account_id = $1 AND l.number = b.low), 0)
      + coalesce((
        SELECT sum(amount) FROM ledger_entries l
        WHERE l.account_id = $1 AND l.number > b.low
          AND l.kind IN ('signup', 'purchase', 'redeem', 'chargeback', 'adjustment')
      ), 0) AS had
  FROM bisected b WHERE b.low >= b.high
)
SELECT c.balance::float8 AS balance, c.purchased::float8 AS purchased, c.frozen::float8 AS frozen,
  c.updated_at AS "updatedAt",
  (SELECT created_at FROM ledger_entries l WHERE l.account_id = $1 AND l.number = 1) AS "firstAt",
  ((SELECT had FROM used WHERE since = $2) - c.balance)::float8 AS "usedInWeek",
  ((SELECT had FROM used WHERE since = $3) - c.balance)::float8 AS "usedInMonth"
FROM credit_accounts c WHERE c.account_id = $1`,
} as const;

export const balancesStatement = {
  name: 'credits-balances-2',
  text: `
SELECT account_id AS "accountId", balance::float8 AS balance, purchased::float8 AS purchased, used::float8 AS used,
  frozen::float8 AS frozen, updated_at AS "updatedAt"
FROM credit_accounts WHERE account_id = ANY($1::uuid[])`,
} as const;

/**
 * Counts accounts whose balance is not the sum of their entries or not purchased - used, or whose
 * numbers have gaps.
 */
export const checkStatement = {
  name: 'ledger-check-2',
  text: `
WITH sums AS (SELECT account_id, sum(amount) AS total, count(*) AS entries, max(number) AS last
  FROM ledger_entries GROUP BY account_id)
SELECT
  (SELECT count(*) FROM credit_accounts)::int AS accounts,
  (SELECT coalesce(sum(entries), 0) FROM sums)::int AS entries,
  (SELECT count(*) FROM credit_accounts c FULL JOIN sums s USING (account_id)
    WHERE coalesce(c.balance, 0) <> coalesce(s.total, 0) OR coalesce(c.balance <> c.purchased - c.used, false)
      OR coalesce(c.ledger_count, 0) <> coalesce(s.entries, 0)
        OR coalesce(s.last, 0) <> coalesce(s.entries, 0))::int AS mismatches`,
} as const;
