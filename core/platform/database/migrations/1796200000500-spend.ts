import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an account's credits were spent on. */
export class Spend1796200000500 implements MigrationInterface {
  readonly name = 'Spend1796200000500';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE spend_days, spend_progress');
  }
}

const statements = [
  // Charges and refunds of an account's ledger by New York day, up to the entry `last` of
  // spend_progress. A zero key is the account's own, and replies have it too; country '' is unknown.
  // Free room keeps updates off the index.
  `CREATE TABLE spend_days (
     account_id uuid NOT NULL,
     day date NOT NULL,
     kind text NOT NULL CHECK (kind IN ('message', 'otp', 'reply')),
     country text NOT NULL,
     key_id uuid NOT NULL,
     messages bigint NOT NULL CHECK (messages >= 0),
     charged bigint NOT NULL CHECK (charged >= 0),
     refunded bigint NOT NULL CHECK (refunded >= 0),
     PRIMARY KEY (account_id, day, kind, country, key_id)
   ) WITH (fillfactor = 60)`,
  // Ledger entries 1 to `last` are in spend_days. Empty at first: the worker counts what older
  // releases wrote as it counts what comes later.
  `CREATE TABLE spend_progress (
     account_id uuid PRIMARY KEY,
     last bigint NOT NULL CHECK (last > 0)
   ) WITH (fillfactor = 40)`,
];
