import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Purchases by card, refunds and disputes, automatic top-ups, invoices, and codes for credits. */
export class Billing1796100000800 implements MigrationInterface {
  readonly name = 'Billing1796100000800';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  `CREATE TABLE checkout_sessions (
     session_id text PRIMARY KEY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     pack text NOT NULL,
     credits integer NOT NULL CHECK (credits > 0),
     amount_cents integer NOT NULL CHECK (amount_cents > 0),
     status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'failed')),
     created_at timestamptz NOT NULL DEFAULT now(),
     paid_at timestamptz
   )`,
  `CREATE INDEX checkout_sessions_account ON checkout_sessions (account_id, created_at)`,

  // credits_reversed: the part of the credits whose money went back and that has been dealt with,
  // taken or flagged. credits_disputed: the share of the credits in open disputes; credits_frozen:
  // the part of it that was not spent yet. credited_cents: the total of the credit notes.
  `CREATE TABLE payments (
     id bigint GENERATED ALWAYS AS IDENTITY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     session_id text NOT NULL UNIQUE REFERENCES checkout_sessions (session_id),
     card_payment_id text UNIQUE,
     amount_cents integer NOT NULL CHECK (amount_cents > 0),
     credits integer NOT NULL CHECK (credits > 0),
     method text NOT NULL,
     receipt_url text,
     refunded_cents integer NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
     credits_reversed integer NOT NULL DEFAULT 0 CHECK (credits_reversed BETWEEN 0 AND credits),
     disputed_at timestamptz,
     credits_disputed integer NOT NULL DEFAULT 0 CHECK (credits_disputed BETWEEN 0 AND credits),
     credits_frozen integer NOT NULL DEFAULT 0,
     invoiced_at timestamptz,
     credited_cents integer NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, id),
     CONSTRAINT payments_frozen_check CHECK (credits_frozen BETWEEN 0 AND credits_disputed)
   )`,
  `CREATE INDEX payments_to_invoice ON payments (id) WHERE invoiced_at IS NULL OR credited_cents < refunded_cents`,

  // These three are kept by the payment's id alone: an event of a refund or a dispute may come
  // before the event of the payment. A refund that fails gives the credits back.
  `CREATE TABLE payment_reversals (
     card_payment_id text PRIMARY KEY,
     refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
     updated_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE TABLE payment_refunds (
     refund_id text PRIMARY KEY,
     card_payment_id text NOT NULL,
     amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
     failed boolean NOT NULL,
     updated_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX payment_refunds_payment ON payment_refunds (card_payment_id)`,
  `CREATE TABLE payment_disputes (
     dispute_id text PRIMARY KEY,
     card_payment_id text NOT NULL,
     amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
     reason text NOT NULL,
     status text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
     updated_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX payment_disputes_payment ON payment_disputes (card_payment_id)`,

  // card_at: when the session that saved the card was opened, or when the card was removed. Older
  // sessions change nothing.
  `CREATE TABLE auto_top_ups (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     customer_id text UNIQUE,
     payment_method_id text,
     card_brand text,
     card_last4 text,
     card_expires text,
     card_at timestamptz,
     enabled boolean NOT NULL DEFAULT false,
     threshold bigint NOT NULL DEFAULT 50 CHECK (threshold > 0),
     pack text NOT NULL DEFAULT 'basic',
     per_month_max integer NOT NULL DEFAULT 3 CHECK (per_month_max > 0),
     failures integer NOT NULL DEFAULT 0,
     retry_at timestamptz,
     off_reason text CHECK (off_reason IN ('declined', 'not_confirmed')),
     seen_at timestamptz NOT NULL DEFAULT now(),
     CHECK (NOT enabled OR payment_method_id IS NOT NULL)
   )`,
  `CREATE INDEX auto_top_ups_watched ON auto_top_ups (seen_at) WHERE enabled`,

  // An open attempt is the only one of its account. due_at is when recovery looks at it.
  `CREATE TABLE top_ups (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     pack text NOT NULL,
     credits integer NOT NULL CHECK (credits > 0),
     amount_cents integer NOT NULL CHECK (amount_cents > 0),
     status text NOT NULL DEFAULT 'pending'
       CHECK (status IN ('pending', 'action_required', 'paid', 'declined', 'expired', 'failed')),
     customer_id text NOT NULL,
     payment_method_id text NOT NULL,
     card_last4 text NOT NULL,
     card_payment_id text UNIQUE,
     reason text,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz,
     due_at timestamptz,
     CHECK ((status IN ('pending', 'action_required')) = (finished_at IS NULL))
   )`,
  `CREATE UNIQUE INDEX top_ups_open ON top_ups (account_id) WHERE status IN ('pending', 'action_required')`,
  `CREATE INDEX top_ups_account ON top_ups (account_id, id DESC)`,
  `CREATE INDEX top_ups_due ON top_ups (due_at) WHERE due_at IS NOT NULL`,

  `CREATE TABLE invoice_details (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     company text NOT NULL,
     address text NOT NULL,
     vat_id text NOT NULL
   )`,
  // One row: what holds its lock takes the next numbers.
  `CREATE TABLE invoice_counter (id boolean PRIMARY KEY DEFAULT true CHECK (id), last bigint NOT NULL)`,
  `INSERT INTO invoice_counter (last) VALUES (0)`,
  // seller and buyer are as they were when the invoice was issued. credited_cents is the payment's
  // total of credit notes.
  `CREATE TABLE invoices (
     number bigint PRIMARY KEY CHECK (number > 0),
     account_id uuid NOT NULL REFERENCES accounts (id),
     session_id text NOT NULL REFERENCES payments (session_id),
     corrects bigint REFERENCES invoices (number),
     credited_cents integer NOT NULL DEFAULT 0,
     amount_cents integer NOT NULL CHECK (amount_cents > 0),
     credits integer NOT NULL,
     method text NOT NULL,
     seller jsonb NOT NULL,
     buyer jsonb NOT NULL,
     paid_at timestamptz NOT NULL,
     issued_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (session_id, credited_cents),
     CHECK ((corrects IS NULL) = (credited_cents = 0))
   )`,
  `CREATE INDEX invoices_account ON invoices (account_id, number DESC)`,

  `CREATE TABLE redeem_codes (
     code text PRIMARY KEY,
     credits integer NOT NULL CHECK (credits > 0),
     uses_max integer NOT NULL CHECK (uses_max > 0),
     uses integer NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND uses_max),
     expires_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  // The id is the source of the ledger entry, so that the ledger does not show codes that still
  // work.
  `CREATE TABLE redemptions (
     account_id uuid NOT NULL REFERENCES accounts (id),
     code text NOT NULL REFERENCES redeem_codes (code),
     id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, code)
   )`,

  // Credits that operators give and take. `applied`: the operator may move them alone; `waiting`: a
  // second one decides. No foreign key to the account, as in audit_entries.
  `CREATE TABLE credit_requests (
     id uuid PRIMARY KEY,
     kind text NOT NULL CHECK (kind IN ('adjustment', 'account', 'code')),
     account_id uuid,
     credits integer NOT NULL CHECK (credits <> 0),
     uses integer NOT NULL CHECK (uses > 0),
     code_expires_at timestamptz,
     why text,
     status text NOT NULL CHECK (status IN ('applied', 'waiting', 'approved', 'rejected')),
     requested_by text NOT NULL,
     requested_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz,
     decided_by text,
     decided_at timestamptz,
     CHECK ((kind = 'code') = (account_id IS NULL)),
     CHECK ((status = 'applied') = (expires_at IS NULL)),
     CHECK ((status IN ('approved', 'rejected')) = (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
     CONSTRAINT credit_requests_two_people CHECK (status <> 'approved' OR decided_by <> requested_by)
   )`,
  `CREATE INDEX credit_requests_alone ON credit_requests (requested_by, requested_at) WHERE status = 'applied'`,
  `CREATE INDEX credit_requests_waiting ON credit_requests (requested_at) WHERE status = 'waiting'`,
];

const back = [
  `DROP TABLE credit_requests, redemptions, redeem_codes, invoices, invoice_counter, invoice_details, top_ups,
     auto_top_ups, payment_disputes, payment_refunds, payment_reversals, payments, checkout_sessions`,
];
