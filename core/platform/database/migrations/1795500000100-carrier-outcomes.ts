import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Carrier messages that were matched to ours by comparison, and the times when the carrier refused our account. */
export class CarrierOutcomes1795500000100 implements MigrationInterface {
  readonly name = 'CarrierOutcomes1795500000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE carrier_matches, dispatch_pauses`);
  }
}

const statements = [
  // Few rows: a message is matched only after a lost response whose status callback did not arrive either.
  `CREATE TABLE carrier_matches (
     carrier_id text PRIMARY KEY,
     message_id uuid NOT NULL,
     matched_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX carrier_matches_age ON carrier_matches (matched_at)`,

  `CREATE TABLE dispatch_pauses (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     message_id uuid NOT NULL,
     http_status integer NOT NULL,
     carrier_error integer,
     paused_at timestamptz NOT NULL DEFAULT now(),
     probes integer NOT NULL DEFAULT 0,
     next_probe_at timestamptz NOT NULL,
     resumed_at timestamptz
   )`,
  // At most one pause is open.
  `CREATE UNIQUE INDEX dispatch_pauses_open ON dispatch_pauses ((true)) WHERE resumed_at IS NULL`,
  `CREATE INDEX dispatch_pauses_message ON dispatch_pauses (message_id)`,
];
