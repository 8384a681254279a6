import type { Client } from 'pg';

/** What the database says of money and messages. Credits add up when `used` is both `charged` and `priced`. */
export interface Books {
  readonly messages: number;
  readonly delivered: number;
  readonly charges: number;
  readonly used: number;
  readonly charged: number;
  readonly priced: number;
}

/** Reads messages, charges and balances in one snapshot. */
export async function readBooks(client: Client): Promise<Books> {
  const { rows } = await client.query<Books>(
    `SELECT
       m.messages, m.delivered, m.priced, l.charges, l.charged,
       (SELECT sum(used) FROM credit_accounts)::float8 AS used
     FROM
       (SELECT count(*)::int AS messages, count(*) FILTER (WHERE status = 'delivered')::int AS delivered,
          coalesce(sum(credits - refunded), 0)::float8 AS priced FROM messages) m,
       (SELECT count(*) FILTER (WHERE kind IN ('message', 'otp'))::int AS charges,
          -coalesce(sum(amount) FILTER (WHERE kind <> 'signup'), 0)::float8 AS charged FROM ledger_entries) l`,
  );
  const [books] = rows;
  if (!books) throw new Error('The books answer one row');
  return books;
}

/** Whether there is one charge for each message and every balance shows it. */
export function isBalanced({ messages, charges, used, charged, priced }: Books): boolean {
  return charges === messages && used === charged && used === priced;
}
