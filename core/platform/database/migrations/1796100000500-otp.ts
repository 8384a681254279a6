import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time passwords: codes by their keyed hash, and what bounds sending and guessing them. */
export class Otp1796100000500 implements MigrationInterface {
  readonly name = 'Otp1796100000500';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // Locked by what reserves or verifies a code of the account, so that bounds hold among all
  // processes.
  `CREATE TABLE otp_guards (
     account_id uuid PRIMARY KEY,
     wrong_guesses integer NOT NULL DEFAULT 0 CHECK (wrong_guesses >= 0),
     short_guesses integer NOT NULL DEFAULT 0,
     window_ends_at timestamptz NOT NULL DEFAULT now(),
     recipient_required boolean NOT NULL DEFAULT false,
     breaker_reset_at timestamptz
   ) WITH (fillfactor = 40)`,

  // id is the message's. 'over' has died of wrong tries, or given its code to a newer one after its
  // end. wording is encrypted, and null once the code has ended. chances counts the guesses that
  // could have been the code, named or not; tried_at is the time of the last one. Only housekeeping
  // asks for forget_at, a fixed time after expires_at: an index on expires_at would lure the planner
  // away from the recipient when few codes seem to live.
  `CREATE TABLE otp_codes (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     recipient text NOT NULL,
     code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
     digits smallint NOT NULL CHECK (digits BETWEEN 4 AND 8),
     reference text,
     wording bytea,
     encryption_key_id text,
     state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'used', 'over')),
     wrong_tries smallint NOT NULL DEFAULT 0,
     chances smallint NOT NULL DEFAULT 0,
     tried_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL,
     ended_at timestamptz,
     forget_at timestamptz NOT NULL,
     CHECK ((state = 'live') = (ended_at IS NULL))
   )`,
  `CREATE UNIQUE INDEX otp_codes_live ON otp_codes (account_id, code_hash) WHERE state = 'live'`,
  `CREATE INDEX otp_codes_known ON otp_codes (account_id, code_hash)`,
  `CREATE INDEX otp_codes_recipient ON otp_codes (account_id, recipient, created_at)`,
  `CREATE INDEX otp_codes_reference ON otp_codes (account_id, reference, created_at) WHERE reference IS NOT NULL`,
  `CREATE INDEX otp_codes_count ON otp_codes (account_id, digits, expires_at) WHERE state = 'live'`,
  `CREATE INDEX otp_codes_forget ON otp_codes (forget_at)`,
  `CREATE INDEX otp_codes_live_forget ON otp_codes (forget_at) WHERE state = 'live'`,

  // attempts_left and created_at are those of the answer, which a repeated request gets again.
  `CREATE TABLE otp_resends (
     message_id uuid PRIMARY KEY,
     code_id uuid NOT NULL REFERENCES otp_codes (id) ON DELETE CASCADE,
     number smallint NOT NULL CHECK (number > 0),
     attempts_left smallint NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     account_id uuid,
     UNIQUE (code_id, number)
   )`,

  // A rule refuses a message when its subject has had sends_max within the window. With
  // verified_percent_min it counts codes, and refuses only while fewer of them than that are
  // verified.
  `CREATE TABLE otp_rules (
     rule text PRIMARY KEY,
     subject text NOT NULL CHECK (subject IN ('recipient', 'ip', 'device', 'block')),
     sends_max integer NOT NULL CHECK (sends_max BETWEEN 1 AND 1000),
     window_seconds integer NOT NULL CHECK (window_seconds BETWEEN 1 AND 86400),
     verified_percent_min smallint CHECK (verified_percent_min BETWEEN 1 AND 100)
   )`,
  `INSERT INTO otp_rules VALUES
     ('recipient_hour', 'recipient', 5, 3600, NULL),
     ('recipient_day', 'recipient', 10, 86400, NULL),
     ('ip_hour', 'ip', 20, 3600, NULL),
     ('device_hour', 'device', 20, 3600, NULL),
     ('block_hour', 'block', 100, 3600, NULL),
     ('conversion_hour', 'block', 30, 3600, 20)`,

  // One row for each subject of a message with a code. key is a keyed hash of the subject; except
  // for recipients, with the account.
  `CREATE TABLE otp_sends (
     key uuid NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     message_id uuid NOT NULL,
     subject text NOT NULL,
     account_id uuid,
     PRIMARY KEY (key, created_at, message_id)
   )`,
  `CREATE INDEX otp_sends_message ON otp_sends (message_id)`,

  // since is the start of the hour, or the reset after it: a rule is reported once for each.
  `CREATE TABLE otp_blocks (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     rule text NOT NULL,
     key uuid NOT NULL,
     since timestamptz NOT NULL,
     recipient text NOT NULL,
     country text NOT NULL,
     reference text,
     sent integer NOT NULL,
     verified integer,
     refused integer NOT NULL DEFAULT 1,
     created_at timestamptz NOT NULL DEFAULT now(),
     last_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (account_id, rule, key, since)
   )`,
  `CREATE INDEX otp_blocks_last ON otp_blocks (account_id, last_at)`,
];

const back = [`DROP TABLE otp_blocks, otp_sends, otp_rules, otp_resends, otp_codes, otp_guards`];
