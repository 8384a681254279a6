import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Free credits once per person, sign-ups per network address, and accounts that send to verified numbers only. */
export class FreeCredits1795500000240 implements MigrationInterface {
  readonly name = 'FreeCredits1795500000240';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE verified_numbers, sign_ups, free_credit_grants`);
    await runner.query(`DROP FUNCTION person_of`);
    await runner.query(`ALTER TABLE accounts DROP COLUMN own_numbers_only`);
  }
}

const statements = [
  // Gmail ignores dots; Google's mail servers ignore what follows a +.
  // https://support.google.com/mail/answer/7436150, https://support.google.com/a/users/answer/9282734
  `CREATE FUNCTION person_of(email text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
     SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com') THEN replace(name, '.', '') || '@gmail.com'
       ELSE name || '@' || domain END
     FROM (
       SELECT split_part(split_part(lower(email), '@', 1), '+', 1) AS name, split_part(lower(email), '@', 2) AS domain
     ) parts
   $$`,
  // A hash: it outlives the account, so that deleting one does not bring free credits again.
  `CREATE TABLE free_credit_grants (
     person bytea PRIMARY KEY,
     account_id uuid NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `INSERT INTO free_credit_grants (person, account_id)
   SELECT sha256(convert_to(person_of(email), 'UTF8')), id FROM accounts ON CONFLICT DO NOTHING`,
  `CREATE TABLE sign_ups (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     address text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX sign_ups_address ON sign_ups (address, created_at)`,
  `ALTER TABLE accounts ADD COLUMN own_numbers_only boolean NOT NULL DEFAULT false`,
  `CREATE TABLE verified_numbers (
     account_id uuid NOT NULL,
     recipient text NOT NULL,
     verified_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, recipient)
   )`,
];
