import type { CarriedMessage } from '../../../../tools/testkit/carrier.js';
import { carriedById, type KeptMessage } from '../../../../tools/testkit/invariants.js';
import { query } from '../../../../tools/testkit/postgres.js';
import type { Run } from '../run.js';

export interface MessageRow extends KeptMessage {
  readonly account: string;
}

interface ReplyRow {
  readonly carrierId: string;
  readonly account: string;
  readonly body: string;
  readonly status: string;
}

interface EntryRow {
  readonly kind: string;
  readonly account: string;
  readonly sourceId: string;
  readonly amount: number;
}

export interface BalanceRow {
  readonly account: string;
  readonly balance: number;
  readonly purchased: number;
  readonly used: number;
}

/** Records of the product and the carrier at quiescence. Accounts are named by email address. */
export interface Evidence {
  readonly messages: readonly MessageRow[];
  readonly replies: readonly ReplyRow[];
  readonly entries: readonly EntryRow[];
  readonly balances: readonly BalanceRow[];
  readonly verifiedCodes: number;
  /** Messages that the carrier accepted, by our id. */
  readonly carried: ReadonlyMap<string, readonly CarriedMessage[]>;
}

export async function gather({ stage, carrier }: Run): Promise<Evidence> {
  const rows = <Row extends object>(text: string) => query<Row>(stage.databaseUrl, text);
  const [codes] = await rows<{ count: number }>(`SELECT count(*)::int AS count FROM otp_codes WHERE state = 'used'`);
  return {
    carried: carriedById(await carrier.messages()),
    verifiedCodes: codes?.count ?? 0,
    messages: await rows(
      `SELECT 'SM' || replace(m.id::text, '-', '') AS id, a.email AS account, m.reference, m.status,
        m.error_code AS "errorCode",
         m.credits, m.refunded
       FROM messages m JOIN accounts a ON a.id = m.account_id`,
    ),
    replies: await rows(
      `SELECT i.carrier_id AS "carrierId", a.email AS account, i.body, i.status
       FROM inbound_messages i JOIN accounts a ON a.id = i.account_id`,
    ),
    entries: await rows(
      `SELECT l.kind, a.email AS account, l.source_id AS "sourceId", l.amount::float8 AS amount
       FROM ledger_entries l JOIN accounts a ON a.id = l.account_id`,
    ),
    balances: await rows(
      `SELECT a.email AS account, c.balance::float8 AS balance, c.purchased::float8 AS purchased, c.used::float8 AS used
       FROM credit_accounts c JOIN accounts a ON a.id = c.account_id`,
    ),
  };
}
