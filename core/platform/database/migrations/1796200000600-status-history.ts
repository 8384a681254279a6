import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long each component was measured, degraded and out on each day, for the status page. */
export class StatusHistory1796200000600 implements MigrationInterface {
  readonly name = 'StatusHistory1796200000600';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // Days in UTC. Time without measurements counts nowhere: the rest of `measured_seconds` to a whole
  // day is not known.
  `CREATE TABLE component_days (
     day date NOT NULL,
     component text NOT NULL,
     measured_seconds integer NOT NULL CHECK (measured_seconds BETWEEN 0 AND 86400),
     degraded_seconds integer NOT NULL CHECK (degraded_seconds >= 0),
     outage_seconds integer NOT NULL CHECK (outage_seconds >= 0),
     PRIMARY KEY (day, component),
     CHECK (degraded_seconds + outage_seconds <= measured_seconds)
   )`,

  // One row: when a server last reported that it answers. The worker reads it.
  `CREATE TABLE server_presence (
     id boolean PRIMARY KEY DEFAULT true CHECK (id),
     answered_at timestamptz NOT NULL
   )`,
];

const back = [`DROP TABLE server_presence, component_days`];
