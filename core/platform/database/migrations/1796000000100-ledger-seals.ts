import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Signed seals over the ledger, and the keys that sign them. */
export class LedgerSeals1796000000100 implements MigrationInterface {
  readonly name = 'LedgerSeals1796000000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger_seals, ledger_keys');
  }
}

const statements = [
  // Ed25519 keys. The id is the RFC 7638 thumbprint, x the public key in base64url; the private key is encrypted.
  `CREATE TABLE ledger_keys (
     id text PRIMARY KEY CHECK (length(id) = 43),
     x text NOT NULL CHECK (length(x) = 43),
     private_key bytea NOT NULL,
     encryption_key_id text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     retired_at timestamptz
   )`,
  `CREATE UNIQUE INDEX ledger_keys_current ON ledger_keys ((true)) WHERE retired_at IS NULL`,

  // Seal n of an account covers its entries first..last. entries_hash and the hash of the seal before it are signed;
  // fingerprints has 4 bytes of the hash of each entry, to find the one that was changed.
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
