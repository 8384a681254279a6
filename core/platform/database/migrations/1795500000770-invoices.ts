import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices and credit notes with numbers without gaps, and what customers want on them. */
export class Invoices1795500000770 implements MigrationInterface {
  readonly name = 'Invoices1795500000770';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE invoices, invoice_counter, invoice_details`);
    await runner.query(`DROP INDEX payments_to_invoice`);
    await runner.query(`ALTER TABLE payments DROP COLUMN credited_cents, DROP COLUMN invoiced_at`);
  }
}

const statements = [
  `CREATE TABLE invoice_details (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     company text NOT NULL,
     address text NOT NULL,
     vat_id text NOT NULL
   )`,

  // One row: who holds its lock takes the next numbers.
  `CREATE TABLE invoice_counter (id boolean PRIMARY KEY DEFAULT true CHECK (id), last bigint NOT NULL)`,
  `INSERT INTO invoice_counter (last) VALUES (0)`,

  // seller and buyer are as they were when the invoice was issued. credited_cents is the payment's total of credit notes.
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

  `ALTER TABLE payments
     ADD COLUMN invoiced_at timestamptz,
     ADD COLUMN credited_cents integer NOT NULL DEFAULT 0`,
  `CREATE INDEX payments_to_invoice ON payments (id) WHERE invoiced_at IS NULL OR credited_cents < refunded_cents`,
];
