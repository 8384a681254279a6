import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Balances, the ledger of what changed them, and signed seals over the ledger. */
export class Credits1796100000300 implements MigrationInterface {
  readonly name = 'Credits1796100000300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // The counts are the numbers of the account's latest entry, message and reply. Updated once per
  // acceptance batch: free room in every page keeps those updates off the index.
  `CREATE TABLE credit_accounts (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     balance bigint NOT NULL CHECK (balance >= 0),
     purchased bigint NOT NULL CHECK (purchased >= 0),
     used bigint NOT NULL CHECK (used >= 0),
     frozen bigint NOT NULL DEFAULT 0,
     ledger_count bigint NOT NULL DEFAULT 0,
     sent_count bigint NOT NULL DEFAULT 0,
     received_count bigint NOT NULL DEFAULT 0,
     updated_at timestamptz NOT NULL DEFAULT now(),
     CHECK (balance = purchased - used),
     CONSTRAINT credit_accounts_frozen_check CHECK (frozen BETWEEN 0 AND balance)
   ) WITH (fillfactor = 40)`,

  // Numbered 1, 2, 3 … in each account, in the order of its balance changes; `created_at` rises with
  // the number, so that a span of time is a span of numbers. No foreign key to the account: its
  // share lock on the hottest row of the product would cost every message.
  `CREATE TABLE ledger_entries (
     account_id uuid NOT NULL,
     number bigint NOT NULL CHECK (number > 0),
     amount bigint NOT NULL CHECK (amount <> 0),
     balance_after bigint NOT NULL CHECK (balance_after >= 0),
     kind text NOT NULL CHECK (
       kind IN ('signup', 'purchase', 'redeem', 'message', 'otp', 'inbound', 'refund', 'chargeback', 'adjustment')
     ),
     source_id text NOT NULL,
     note text,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, number),
     UNIQUE (kind, source_id)
   )`,
  // Most entries are charges of messages: they are found by number alone, and cost no second index
  // entry.
  `CREATE INDEX ledger_entries_kind ON ledger_entries (account_id, kind, number) WHERE kind <> 'message'`,

  // Ed25519 keys. The id is the RFC 7638 thumbprint, x the public key in base64url; the private key
  // is encrypted.
  `CREATE TABLE ledger_keys (
     id text PRIMARY KEY CHECK (length(id) = 43),
     x text NOT NULL CHECK (length(x) = 43),
     private_key bytea NOT NULL,
     encryption_key_id text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     retired_at timestamptz
   )`,
  `CREATE UNIQUE INDEX ledger_keys_current ON ledger_keys ((true)) WHERE retired_at IS NULL`,

  // Seal n of an account covers its entries first..last. entries_hash and the hash of the seal
  // before it are signed; fingerprints has 4 bytes of the hash of each entry, to find the one that
  // was changed.
  `CREATE TABLE ledger_seals (
     account_id uuid NOT NULL,
     number bigint NOT NULL CHECK (number > 0),
     first bigint NOT NULL CHECK (first > 0),
     last bigint NOT NULL,
     entries_hash bytea NOT NULL CHECK (length(entries_hash) = 32),
     fingerprints bytea NOT NULL,
     previous bytea NOT NULL CHECK (length(previous) = 32),
     hash bytea NOT NULL CHECK (length(hash) = 32),
     sealed_at timestamptz NOT NULL,
     key_id text NOT NULL REFERENCES ledger_keys (id),
     signature bytea NOT NULL CHECK (length(signature) = 64),
     PRIMARY KEY (account_id, number),
     UNIQUE (account_id, last),
     CHECK (last >= first AND length(fingerprints) = 4 * (last - first + 1))
   )`,
  `CREATE TRIGGER ledger_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_seals
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
];

const back = [`DROP TABLE ledger_seals, ledger_keys, ledger_entries, credit_accounts`];
