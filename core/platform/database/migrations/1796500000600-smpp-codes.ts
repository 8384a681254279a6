import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What SMPP peers say about a segment: why it was not delivered, and how a reply's segment is coded. */
export class SmppCodes1796500000600 implements MigrationInterface {
  readonly name = 'SmppCodes1796500000600';

  async up(runner: QueryRunner): Promise<void> {
    // error: the peer's own code in the receipt; null for none.
    await runner.query('ALTER TABLE smpp_segments ADD COLUMN error integer');
    await runner.query('ALTER TABLE smpp_early_receipts ADD COLUMN error integer');
    // Null where an earlier release stored the segment: that of its reply.
    await runner.query('ALTER TABLE smpp_reply_segments ADD COLUMN data_coding smallint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE smpp_reply_segments DROP COLUMN data_coding');
    await runner.query('ALTER TABLE smpp_early_receipts DROP COLUMN error');
    await runner.query('ALTER TABLE smpp_segments DROP COLUMN error');
  }
}
