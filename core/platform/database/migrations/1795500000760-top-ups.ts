import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Automatic top-up: its settings with the saved card, and every attempt to charge it. */
export class TopUps1795500000760 implements MigrationInterface {
  readonly name = 'TopUps1795500000760';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE top_ups, auto_top_ups`);
  }
}

const statements = [
  // card_at: when the session that saved the card was opened, or when the card was removed. Older sessions change nothing.
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
];
