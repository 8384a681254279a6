import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Delivery by day and country, and states and incidents of the service, for the public pages; the
 * newest verified backup, for the operator.
 */
export class Quality1796100001100 implements MigrationInterface {
  readonly name = 'Quality1796100001100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // Days of acceptance in UTC, over all accounts. Accounts and messages are those of final messages;
  // times are null when none was delivered.
  `CREATE TABLE delivery_quality (
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
   )`,

  // `candidate` is a state that was measured once and is taken over when it is measured again.
  `CREATE TABLE component_states (
     component text PRIMARY KEY,
     state text NOT NULL CHECK (state IN ('operational', 'degraded', 'outage')),
     candidate text CHECK (candidate IN ('operational', 'degraded', 'outage') AND candidate <> state),
     candidate_at timestamptz,
     measured_at timestamptz NOT NULL,
     CHECK ((candidate IS NULL) = (candidate_at IS NULL))
   )`,
  `CREATE TABLE status_incidents (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     component text NOT NULL,
     state text NOT NULL CHECK (state IN ('degraded', 'outage')),
     started_at timestamptz NOT NULL,
     ended_at timestamptz CHECK (ended_at >= started_at)
   )`,
  `CREATE UNIQUE INDEX status_incidents_open ON status_incidents (component) WHERE ended_at IS NULL`,

  // One row: the newest dump that was restored and found in order (database/verify-backup.ts).
  `CREATE TABLE verified_backups (
     id boolean PRIMARY KEY DEFAULT true CHECK (id),
     file text NOT NULL,
     dumped_at timestamptz NOT NULL,
     verified_at timestamptz NOT NULL
   )`,
];

const back = [`DROP TABLE verified_backups, status_incidents, component_states, delivery_quality`];
