import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Authenticators of an account's users, with their recovery codes, and how many an account has. */
export class Totp1796700000300 implements MigrationInterface {
  readonly name = 'Totp1796700000300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE totps, totp_counts');
  }
}

const statements = [
  // secret: base32, encrypted. last_step: the newest time step of RFC 6238 whose code was accepted.
  // wrong_tries: since the last accepted code, or the last lock. recovery_hashes: keyed hashes of the
  // codes that can still be used; used_recovery_hashes: of those that were.
  `CREATE TABLE totps (
     account_id uuid NOT NULL REFERENCES accounts (id),
     id uuid NOT NULL,
     label text NOT NULL,
     issuer text,
     secret bytea NOT NULL,
     encryption_key_id text NOT NULL,
     last_step integer,
     wrong_tries smallint NOT NULL DEFAULT 0 CHECK (wrong_tries >= 0),
     locked_until timestamptz,
     recovery_hashes bytea[] NOT NULL DEFAULT '{}',
     used_recovery_hashes bytea[] NOT NULL DEFAULT '{}',
     created_at timestamptz NOT NULL DEFAULT now(),
     verified_at timestamptz,
     last_used_at timestamptz,
     PRIMARY KEY (account_id, id)
   )`,
  `CREATE TABLE totp_counts (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     totps integer NOT NULL CHECK (totps >= 0)
   )`,
];
