import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SMPP binds: which worker holds each, and what their peers have taken. */
export class SmppBinds1796300000400 implements MigrationInterface {
  readonly name = 'SmppBinds1796300000400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM carrier_pauses WHERE message_id IS NULL');
    await runner.query('ALTER TABLE carrier_pauses ALTER COLUMN message_id SET NOT NULL');
    await runner.query('DROP TABLE smpp_binds, smpp_submits, smpp_segments, smpp_early_receipts');
  }
}

const statements = [
  // Null where no message has met the carrier's refusal: the connection was lost.
  `ALTER TABLE carrier_pauses ALTER COLUMN message_id DROP NOT NULL`,
  // carrier: the bind's number, as in messages.carrier; the row of a bind that was removed keeps it.
  // holder: the worker that has the bind; null when the last one has given it back. unbound_since:
  // null while the peer has accepted the bind.
  `CREATE TABLE smpp_binds (
     carrier smallint PRIMARY KEY,
     name text NOT NULL UNIQUE,
     holder text,
     held_until timestamptz NOT NULL,
     unbound_since timestamptz
   )`,
  // A message that is about to be submitted, or was. One without this row certainly was not.
  `CREATE TABLE smpp_submits (
     message_id uuid PRIMARY KEY,
     carrier smallint NOT NULL,
     begun_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX smpp_submits_age ON smpp_submits (begun_at)`,
  // A segment that a peer has taken, until its message is final. id: of the response, without case
  // and leading zeros. carrier_id: that of the message's first segment, as the peer wrote it.
  // phone_end: the last digits of the recipient. status: of the segment's receipt, which only
  // messages of several segments wait with.
  `CREATE TABLE smpp_segments (
     carrier smallint NOT NULL,
     id text NOT NULL,
     message_id uuid NOT NULL,
     account_id uuid NOT NULL,
     segments smallint NOT NULL,
     carrier_id text NOT NULL,
     phone_end text NOT NULL,
     status text CHECK (status IN ('delivered', 'undelivered')),
     taken_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (carrier, id)
   )`,
  `CREATE INDEX smpp_segments_message ON smpp_segments (message_id)`,
  `CREATE INDEX smpp_segments_age ON smpp_segments (taken_at)`,
  // Receipts that came before the response to their submit_sm. id: as in smpp_segments, but in the
  // receipt's own base.
  `CREATE TABLE smpp_early_receipts (
     carrier smallint NOT NULL,
     id text NOT NULL,
     phone_end text NOT NULL,
     status text NOT NULL CHECK (status IN ('delivered', 'undelivered')),
     received_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (carrier, id)
   )`,
  `CREATE INDEX smpp_early_receipts_age ON smpp_early_receipts (received_at)`,
];
