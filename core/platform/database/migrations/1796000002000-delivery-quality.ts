import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Delivery by day and country over all accounts, for the public page. */
export class DeliveryQuality1796000002000 implements MigrationInterface {
  readonly name = 'DeliveryQuality1796000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE delivery_quality');
  }
}

// Days of acceptance in UTC. Accounts and messages are those of final messages; times are null when none was delivered.
const statement = `
CREATE TABLE delivery_quality (
  day date NOT NULL,
  country text NOT NULL,
  accounts integer NOT NULL CHECK (accounts >= 0),
  messages bigint NOT NULL CHECK (messages >= accounts),
  delivered bigint NOT NULL CHECK (delivered BETWEEN 0 AND messages),
  median_ms bigint CHECK (median_ms >= 0),
  p95_ms bigint CHECK (p95_ms >= median_ms),
  computed_at timestamptz NOT NULL,
  PRIMARY KEY (day, country),
  CHECK ((delivered = 0) = (median_ms IS NULL) AND (median_ms IS NULL) = (p95_ms IS NULL))
)`;
