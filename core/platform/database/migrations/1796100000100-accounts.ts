import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts, how people sign in to them, and what is logged and erased about them. */
export class Accounts1796100000100 implements MigrationInterface {
  readonly name = 'Accounts1796100000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // RFC 9562, section 5.7: the first 48 bits of a UUIDv7 are the Unix time in milliseconds.
  `CREATE FUNCTION uuid_v7_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
     SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
   $$`,
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
   END
   $$`,
  // Leaves at most half of the characters: country and area.
  `CREATE FUNCTION masked_number(number text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
     SELECT left(number, least(5, length(number) / 2)) || repeat('•', length(number) - least(5, length(number) / 2))
   $$`,
  // Gmail ignores dots; Google's mail servers ignore what follows a +.
  // https://support.google.com/mail/answer/7436150
  // https://support.google.com/a/users/answer/9282734
  `CREATE FUNCTION person_of(email text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
     SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com') THEN replace(name, '.', '') || '@gmail.com'
       ELSE name || '@' || domain END
     FROM (
       SELECT split_part(split_part(lower(email), '@', 1), '+', 1) AS name, split_part(lower(email), '@', 2) AS domain
     ) parts
   $$`,

  // google_subject is Google's `sub`: at most 255 characters, never reused (OpenID Connect Core,
  // section 2). welcome_mail_due_at is when the welcome e-mail has to be queued again, null once it
  // is queued. delivery_suspended_at is explained by delivery_suspensions.
  `CREATE TABLE accounts (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     email text NOT NULL,
     email_verified_at timestamptz,
     display_name text NOT NULL DEFAULT '',
     password_hash text,
     google_subject text UNIQUE CHECK (length(google_subject) BETWEEN 1 AND 255),
     sign_in_type text NOT NULL CHECK (sign_in_type IN ('google', 'custom')),
     daily_limit integer NOT NULL DEFAULT 100 CHECK (daily_limit >= 0),
     key_rate_per_second integer CHECK (key_rate_per_second > 0),
     urls_activated boolean NOT NULL DEFAULT false,
     own_numbers_only boolean NOT NULL DEFAULT false,
     disabled_countries text[] NOT NULL DEFAULT '{}',
     muted_notices text[] NOT NULL DEFAULT '{}',
     blocked_at timestamptz,
     delivery_suspended_at timestamptz,
     flagged_at timestamptz,
     flagged_reason text,
     welcome_mail_due_at timestamptz,
     delete_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE UNIQUE INDEX accounts_email ON accounts (lower(email))`,
  `CREATE INDEX accounts_welcome_mail_due ON accounts (welcome_mail_due_at) WHERE welcome_mail_due_at IS NOT NULL`,
  `CREATE INDEX accounts_delete_at ON accounts (delete_at) WHERE delete_at IS NOT NULL`,

  `CREATE TABLE sessions (
     token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
     id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
     account_id uuid NOT NULL REFERENCES accounts (id),
     device text NOT NULL DEFAULT '',
     address text NOT NULL DEFAULT '',
     method text NOT NULL CHECK (method IN ('google', 'password')),
     authenticated_at timestamptz NOT NULL DEFAULT now(),
     created_at timestamptz NOT NULL DEFAULT now(),
     seen_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX sessions_account ON sessions (account_id)`,
  `CREATE INDEX sessions_seen ON sessions (seen_at)`,

  `CREATE TABLE account_devices (
     account_id uuid NOT NULL REFERENCES accounts (id),
     device_hash bytea NOT NULL CHECK (octet_length(device_hash) = 32),
     seen_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, device_hash)
   )`,
  `CREATE INDEX account_devices_seen ON account_devices (seen_at)`,

  `CREATE TABLE email_links (
     token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
     account_id uuid NOT NULL REFERENCES accounts (id),
     purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX email_links_account ON email_links (account_id)`,
  `CREATE INDEX email_links_expires ON email_links (expires_at)`,

  `CREATE TABLE sign_ups (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     address text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX sign_ups_address ON sign_ups (address, created_at)`,

  // A hash: it outlives the account, so that deleting one does not bring free credits again.
  `CREATE TABLE free_credit_grants (
     person bytea PRIMARY KEY,
     account_id uuid NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,

  `CREATE TABLE blocked_addresses (
     address text PRIMARY KEY,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX blocked_addresses_network ON blocked_addresses USING gist ((address::inet) inet_ops)`,

  // An operator is named: operator:ada.
  `CREATE TABLE audit_entries (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     actor text NOT NULL CHECK (actor ~ '^(account|provider|operator(:[a-z][a-z0-9._-]{0,39})?)$'),
     account_id uuid,
     action text NOT NULL,
     details jsonb NOT NULL DEFAULT '{}',
     address inet,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX audit_entries_account ON audit_entries (account_id, id DESC)`,
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,

  // How far each rule has erased, by UUIDv7 and so by time. `account_id`, here and in other tables
  // whose rows do not name an account or stand for several, is the column by which Citus splits
  // them. It is empty in a plain database (docs/scaling.md).
  `CREATE TABLE retention_progress (
     rule text PRIMARY KEY,
     up_to uuid NOT NULL,
     account_id uuid
   )`,
  // Rows that were still in progress when their rule came to them.
  `CREATE TABLE retention_waiting (
     rule text NOT NULL,
     row_id uuid NOT NULL,
     account_id uuid,
     PRIMARY KEY (rule, row_id)
   )`,
];

const back = [
  `DROP TABLE retention_waiting, retention_progress, audit_entries, blocked_addresses, free_credit_grants, sign_ups,
     email_links, account_devices, sessions, accounts`,
  `DROP FUNCTION person_of, masked_number, refuse_change, uuid_v7_floor`,
];
