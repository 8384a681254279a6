import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes that bring credits, and who has redeemed them. */
export class RedeemCodes1795312800200 implements MigrationInterface {
  readonly name = 'RedeemCodes1795312800200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE redeem_codes (
         code text PRIMARY KEY,
         credits integer NOT NULL CHECK (credits > 0),
         uses_max integer NOT NULL CHECK (uses_max > 0),
         uses integer NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND uses_max),
         expires_at timestamptz,
         created_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    // The id is the source of the ledger entry, so that the ledger does not show codes that still work.
    await runner.query(
      `CREATE TABLE redemptions (
         account_id uuid NOT NULL REFERENCES accounts (id),
         code text NOT NULL REFERENCES redeem_codes (code),
         id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
         created_at timestamptz NOT NULL DEFAULT now(),
         PRIMARY KEY (account_id, code)
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE redemptions, redeem_codes`);
  }
}
