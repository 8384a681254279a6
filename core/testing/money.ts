import type { TestDatabase } from './test-database.js';

export interface Money {
  readonly balance: number;
  readonly purchased: number;
  readonly used: number;
  /** Sum of the account's ledger entries. */
  readonly ledger: number;
  readonly entries: number;
  readonly messages: number;
}

/** Returns an account's credits and their explanation. */
export async function moneyOf(database: TestDatabase, accountId: string): Promise<Money> {
  const [money] = await database.sql<Money>(
    `SELECT c.balance::int, c.purchased::int, c.used::int,
       (SELECT coalesce(sum(amount), 0)::int FROM ledger_entries l WHERE l.account_id = c.account_id) AS ledger,
       (SELECT count(*)::int FROM ledger_entries l WHERE l.account_id = c.account_id) AS entries,
       (SELECT count(*)::int FROM messages m WHERE m.account_id = c.account_id) AS messages
     FROM credit_accounts c WHERE c.account_id = $1`,
    [accountId],
  );
  if (!money) throw new Error('The account has no credits record');
  return money;
}

/** Holds up to `credits` of an account without holds, as an undecided purchase does. */
export async function freeze(database: TestDatabase, accountId: string, credits: number): Promise<void> {
  await database.sql(
    `WITH held AS (
       UPDATE credit_accounts SET frozen = least(balance, $2) WHERE account_id = $1 RETURNING account_id, frozen
     )
     INSERT INTO credit_holds (account_id, source_id, credits)
     SELECT account_id, gen_random_uuid(), frozen FROM held WHERE frozen > 0`,
    [accountId, credits],
  );
}

/**
 * Returns all violations of the money's invariants in the whole database: a balance below 0, or
 * unexplained by purchased − used, the ledger's sum or its last entry; a message without exactly
 * one charge of its price; a charge without a message; a refund that differs from its message; a
 * number missing in an account's histories; frozen credits without a dispute or hold; a month of
 * rent that was taken twice, not at all, or for no number. Empty when the money holds.
 */
export async function moneyFaults(database: TestDatabase): Promise<string[]> {
  const rows = await database.sql<{ fault: string }>(`
    WITH sums AS (
      SELECT account_id, sum(amount) AS total, (array_agg(balance_after ORDER BY number DESC))[1] AS last_balance,
        count(*) AS entries, max(number) AS last_number
      FROM ledger_entries GROUP BY account_id
    ),
    charges AS (
      SELECT source_id, account_id, sum(amount) AS amount, count(*) AS times FROM ledger_entries
      WHERE kind IN ('message', 'otp') GROUP BY source_id, account_id
    ),
    rents AS (
      SELECT split_part(source_id, ':', 1) AS number_id, account_id, count(*) AS months, sum(amount) AS amount
      FROM ledger_entries WHERE kind = 'number_rent' GROUP BY 1, 2
    ),
    refunds AS (
      SELECT source_id, account_id, sum(amount) AS amount, count(*) AS times FROM ledger_entries WHERE kind = 'refund'
      GROUP BY source_id, account_id
    )
    SELECT 'balance of ' || c.account_id AS fault FROM credit_accounts c LEFT JOIN sums s USING (account_id)
    WHERE c.balance < 0 OR c.balance <> c.purchased - c.used OR c.balance <> coalesce(s.total, 0)
      OR c.balance <> coalesce(s.last_balance, 0)
    UNION ALL
    SELECT 'numbers of the entries of ' || c.account_id FROM credit_accounts c LEFT JOIN sums s USING (account_id)
    WHERE c.ledger_count <> coalesce(s.entries, 0) OR s.last_number <> s.entries
    UNION ALL
    SELECT 'numbers of the messages of ' || account_id
    FROM (
      SELECT account_id, count(*) AS messages, count(DISTINCT number) AS numbers, max(number) AS last
        FROM messages GROUP BY account_id
    ) m
    FULL JOIN credit_accounts c USING (account_id)
    WHERE coalesce(c.sent_count, 0) <> coalesce(m.messages, 0) OR m.numbers <> m.messages OR m.last <> m.messages
    UNION ALL
    SELECT 'charge of ' || coalesce(m.id::text, c.source_id) FROM messages m
    FULL JOIN charges c ON c.source_id = m.id::text AND c.account_id = m.account_id
    WHERE m.id IS NULL OR c.times IS DISTINCT FROM 1 OR c.amount IS DISTINCT FROM -m.credits
    UNION ALL
    SELECT 'refund of ' || coalesce(m.id::text, r.source_id) FROM messages m
    FULL JOIN refunds r ON r.source_id = m.id::text AND r.account_id = m.account_id
    WHERE m.id IS NULL OR coalesce(r.amount, 0) <> m.refunded OR coalesce(r.times, 0) > 1
    UNION ALL
    SELECT 'frozen credits of ' || c.account_id FROM credit_accounts c
    WHERE c.frozen <> (SELECT coalesce(sum(credits), 0) FROM credit_holds h WHERE h.account_id = c.account_id)
      + (SELECT coalesce(sum(credits_frozen), 0) FROM payments p WHERE p.account_id = c.account_id)
    UNION ALL
    SELECT 'rent of ' || coalesce(n.id::text, r.number_id)
    FROM (SELECT * FROM numbers WHERE credits_per_month > 0 AND months_paid > 0) n
    FULL JOIN rents r ON r.number_id = n.id::text AND r.account_id = n.account_id
    WHERE n.id IS NULL OR r.months IS DISTINCT FROM n.months_paid
      OR r.amount IS DISTINCT FROM -n.months_paid * n.credits_per_month
  `);
  return rows.map(({ fault }) => fault);
}
