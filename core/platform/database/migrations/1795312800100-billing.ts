import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Card payments, what became of them, and the flag of accounts whose money went back. */
export class Billing1795312800100 implements MigrationInterface {
  readonly name = 'Billing1795312800100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE payment_reversals, payments, checkout_sessions`);
    await runner.query(`ALTER TABLE accounts DROP COLUMN flagged_reason, DROP COLUMN flagged_at`);
    await runner.query(`ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check`);
    await runner.query(
      `ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind_check
       CHECK (kind IN ('signup', 'purchase', 'redeem', 'message', 'otp', 'inbound', 'refund', 'adjustment')) NOT VALID`,
    );
  }
}

const statements = [
  `ALTER TABLE accounts ADD COLUMN flagged_at timestamptz, ADD COLUMN flagged_reason text`,

  // Not validated: the rows there are satisfied a narrower check, and a scan would hold the ledger's lock.
  `ALTER TABLE ledger_entries
     DROP CONSTRAINT ledger_entries_kind_check,
     ADD CONSTRAINT ledger_entries_kind_check
       CHECK (kind IN ('signup', 'purchase', 'redeem', 'message', 'otp', 'inbound', 'refund', 'chargeback', 'adjustment'))
       NOT VALID`,

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

  // credits_reversed: the part of the credits whose money went back and that has been dealt with, taken or flagged.
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
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, id)
   )`,

  // Kept by the payment's id alone: news of a refund may come before the news of the payment.
  `CREATE TABLE payment_reversals (
     card_payment_id text PRIMARY KEY,
     refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
     dispute_reason text,
     updated_at timestamptz NOT NULL DEFAULT now()
   )`,
];
