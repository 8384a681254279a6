import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time passwords: codes by their keyed hash, what bounds guessing them, and texts that are shown to nobody. */
export class OneTimePasswords1795400000400 implements MigrationInterface {
  readonly name = 'OneTimePasswords1795400000400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sealed_texts, otp_codes, otp_guards`);
  }
}

const statements = [
  // Locked by whoever reserves or verifies a code of the account, so that bounds hold among all processes.
  `CREATE TABLE otp_guards (
     account_id uuid PRIMARY KEY,
     wrong_guesses integer NOT NULL DEFAULT 0 CHECK (wrong_guesses >= 0),
     window_ends_at timestamptz NOT NULL DEFAULT now()
   ) WITH (fillfactor = 40)`,

  // id is the message's. 'over' has died of wrong tries, or given its code to a newer one after its end. Only housekeeping asks
  // for forget_at: an index on expires_at would lure the planner away from the recipient when few codes seem to live.
  `CREATE TABLE otp_codes (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     recipient text NOT NULL,
     code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
     digits smallint NOT NULL CHECK (digits BETWEEN 4 AND 8),
     reference text,
     state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'used', 'over')),
     wrong_tries smallint NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL,
     ended_at timestamptz,
     forget_at timestamptz NOT NULL,
     CHECK ((state = 'live') = (ended_at IS NULL))
   )`,
  `CREATE UNIQUE INDEX otp_codes_live ON otp_codes (account_id, code_hash) WHERE state = 'live'`,
  `CREATE INDEX otp_codes_known ON otp_codes (account_id, code_hash)`,
  `CREATE INDEX otp_codes_recipient ON otp_codes (account_id, recipient, created_at)`,
  `CREATE INDEX otp_codes_count ON otp_codes (account_id, digits, expires_at) WHERE state = 'live'`,
  `CREATE INDEX otp_codes_forget ON otp_codes (forget_at)`,

  // The text that is really sent, encrypted, while messages.body holds what may be shown.
  `CREATE TABLE sealed_texts (
     message_id uuid PRIMARY KEY,
     sealed bytea NOT NULL,
     encryption_key_id text NOT NULL,
     useful_until timestamptz NOT NULL
   )`,
  `CREATE INDEX sealed_texts_useful ON sealed_texts (useful_until)`,
];
