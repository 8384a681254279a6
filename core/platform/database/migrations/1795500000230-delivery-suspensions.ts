import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts that may not send because most of their recipients were not reached. */
export class DeliverySuspensions1795500000230 implements MigrationInterface {
  readonly name = 'DeliverySuspensions1795500000230';

  async up(runner: QueryRunner): Promise<void> {
    // Read by acceptance and claims; the table below explains it.
    await runner.query(`ALTER TABLE accounts ADD COLUMN delivery_suspended_at timestamptz`);
    await runner.query(
      `CREATE TABLE delivery_suspensions (
         id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         account_id uuid NOT NULL REFERENCES accounts (id),
         recipients integer NOT NULL CHECK (recipients > 0),
         undelivered integer NOT NULL CHECK (undelivered BETWEEN 1 AND recipients),
         suspended_at timestamptz NOT NULL DEFAULT now(),
         lifted_at timestamptz,
         lifted_by text CHECK (lifted_by IN ('account', 'operator')),
         CHECK ((lifted_at IS NULL) = (lifted_by IS NULL))
       )`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX delivery_suspensions_open ON delivery_suspensions (account_id) WHERE lifted_at IS NULL`,
    );
    await runner.query(`CREATE INDEX delivery_suspensions_account ON delivery_suspensions (account_id, lifted_at)`);
    // Finds the accounts with many undelivered messages.
    await runner.query(`CREATE INDEX message_days_day ON message_days (day)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX message_days_day`);
    await runner.query(`DROP TABLE delivery_suspensions`);
    await runner.query(`ALTER TABLE accounts DROP COLUMN delivery_suspended_at`);
  }
}
