import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages by several carriers, each with pauses of its own. */
export class Carriers1796300000100 implements MigrationInterface {
  readonly name = 'Carriers1796300000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE carrier_pauses');
    await runner.query('ALTER TABLE messages DROP COLUMN carrier');
  }
}

const statements = [
  // Number of the carrier that the message was last handed to; null is 1, the first one that the
  // product had.
  `ALTER TABLE messages ADD COLUMN carrier smallint`,
  // In place of `dispatch_pauses`, which allows one open pause. The release before still uses that
  // table: it is dropped one release later. http_status: null if the carrier does not speak HTTP.
  `CREATE TABLE carrier_pauses (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     carrier smallint NOT NULL,
     message_id uuid NOT NULL,
     http_status integer,
     carrier_error integer,
     paused_at timestamptz NOT NULL DEFAULT now(),
     probes integer NOT NULL DEFAULT 0,
     next_probe_at timestamptz NOT NULL,
     resumed_at timestamptz
   )`,
  // At most one pause of a carrier is open.
  `CREATE UNIQUE INDEX carrier_pauses_open ON carrier_pauses (carrier) WHERE resumed_at IS NULL`,
  `CREATE INDEX carrier_pauses_message ON carrier_pauses (message_id)`,
  `INSERT INTO carrier_pauses
     (carrier, message_id, http_status, carrier_error, paused_at, probes, next_probe_at, resumed_at)
   SELECT 1, message_id, http_status, carrier_error, paused_at, probes, next_probe_at, resumed_at
   FROM dispatch_pauses ORDER BY id`,
];
