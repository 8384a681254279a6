import type { MigrationInterface, QueryRunner } from 'typeorm';

/** States of the service's components and their incidents, for the public status page. */
export class ServiceStatus1796000002500 implements MigrationInterface {
  readonly name = 'ServiceStatus1796000002500';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE status_incidents, component_states');
  }
}

// `candidate` is a state that was measured once and is taken over when it is measured again.
const statements = [
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
];
