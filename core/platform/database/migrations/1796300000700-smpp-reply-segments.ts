import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Segments of long replies by SMPP, which are acknowledged once they are stored. */
export class SmppReplySegments1796300000700 implements MigrationInterface {
  readonly name = 'SmppReplySegments1796300000700';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE smpp_reply_segments, smpp_long_replies');
  }
}

const statements = [
  // A reply of several segments. carrier: the bind's number. sender, recipient: as the peer writes
  // them. reference, total: of the segments' headers. closed_at: no segment joins it any more,
  // because it is whole or has waited long enough. given_at: it was handed over.
  `CREATE TABLE smpp_long_replies (
     id uuid PRIMARY KEY,
     carrier smallint NOT NULL,
     sender text NOT NULL,
     recipient text NOT NULL,
     reference integer NOT NULL,
     total smallint NOT NULL CHECK (total > 1),
     data_coding smallint NOT NULL,
     begun_at timestamptz NOT NULL DEFAULT now(),
     closed_at timestamptz,
     given_at timestamptz CHECK (given_at IS NULL OR closed_at IS NOT NULL)
   )`,
  `CREATE INDEX smpp_long_replies_of ON smpp_long_replies (carrier, sender, recipient, reference, total)`,
  `CREATE INDEX smpp_long_replies_open ON smpp_long_replies (carrier, begun_at) WHERE closed_at IS NULL`,
  `CREATE INDEX smpp_long_replies_due ON smpp_long_replies (carrier, id)
     WHERE closed_at IS NOT NULL AND given_at IS NULL`,
  `CREATE INDEX smpp_long_replies_given ON smpp_long_replies (carrier, given_at) WHERE given_at IS NOT NULL`,
  `CREATE INDEX smpp_long_replies_age ON smpp_long_replies (begun_at)`,
  // digest: SHA-256 of the octets, by which a repeated segment is recognized when they are deleted:
  // as soon as the reply has been handed over.
  `CREATE TABLE smpp_reply_segments (
     reply_id uuid NOT NULL,
     number smallint NOT NULL CHECK (number > 0),
     digest bytea NOT NULL,
     octets bytea,
     stored_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (reply_id, number)
   )`,
  `CREATE INDEX smpp_reply_segments_age ON smpp_reply_segments (stored_at)`,
];
