import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of accounts that listen to them (GET /api/events), kept for some days, and who listens until when. */
export class EventStreams1795500000950 implements MigrationInterface {
  readonly name = 'EventStreams1795500000950';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account_events, event_listeners');
  }
}

const statements = [
  // last_number is updated with every batch of events: free room keeps that off the indexes.
  `CREATE TABLE event_listeners (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     last_number bigint NOT NULL DEFAULT 0,
     listening_since timestamptz NOT NULL DEFAULT now(),
     listening_until timestamptz NOT NULL,
     receiving_until timestamptz NOT NULL
   ) WITH (fillfactor = 50)`,
  // Numbered per account under the lock of its listener, so that the order of the numbers is the order of the commits.
  `CREATE TABLE account_events (
     account_id uuid NOT NULL,
     number bigint NOT NULL,
     id uuid NOT NULL,
     type text NOT NULL,
     source_id text NOT NULL,
     body text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, number),
     UNIQUE (account_id, type, source_id)
   )`,
  `CREATE INDEX account_events_created_at ON account_events (created_at)`,
];
