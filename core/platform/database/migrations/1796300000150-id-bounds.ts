import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The id that a time begins with, also for times that no UUIDv7 has: the first or the last id. */
export class IdBounds1796300000150 implements MigrationInterface {
  readonly name = 'IdBounds1796300000150';

  async up(runner: QueryRunner): Promise<void> {
    // RFC 9562, section 5.7: 48 bits of milliseconds since 1970. A negative number is ffffffff… in hex.
    await runner.query(floorOf('least(greatest(floor(extract(epoch FROM at) * 1000), 0), 281474976710655)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(floorOf('floor(extract(epoch FROM at) * 1000)'));
  }
}

const floorOf = (milliseconds: string) =>
  `CREATE OR REPLACE FUNCTION uuid_v7_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
     SELECT (lpad(to_hex(${milliseconds}::bigint), 12, '0') || '70008000000000000000')::uuid
   $$`;
