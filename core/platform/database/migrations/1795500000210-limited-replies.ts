import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replies beyond the hourly limit of a person: stored, neither charged nor forwarded. */
export class LimitedReplies1795500000210 implements MigrationInterface {
  readonly name = 'LimitedReplies1795500000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(dropped);
    await runner.query(`ALTER TABLE inbound_messages
      ADD CONSTRAINT inbound_messages_status_check CHECK (status IN ('held', 'received', 'limited')) NOT VALID,
      ADD CONSTRAINT inbound_messages_check CHECK ((status = 'received') = (credits > 0)) NOT VALID,
      ADD CONSTRAINT inbound_messages_check1 CHECK ((status = 'received') = (received_at IS NOT NULL)) NOT VALID`);
    await setOutcomes(runner, `'received', 'held', 'limited', 'unrouted', 'off', 'full'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropped);
    await runner.query(`ALTER TABLE inbound_messages
      ADD CONSTRAINT inbound_messages_status_check CHECK (status IN ('held', 'received')) NOT VALID,
      ADD CONSTRAINT inbound_messages_check CHECK ((status = 'held') = (credits = 0)) NOT VALID,
      ADD CONSTRAINT inbound_messages_check1 CHECK ((status = 'held') = (received_at IS NULL)) NOT VALID`);
    await setOutcomes(runner, `'received', 'held', 'unrouted', 'off', 'full'`);
  }
}

const dropped = `ALTER TABLE inbound_messages DROP CONSTRAINT inbound_messages_status_check,
  DROP CONSTRAINT inbound_messages_check, DROP CONSTRAINT inbound_messages_check1`;

/** Not validated: a scan would hold the table's lock, and existing rows satisfy the constraint. */
async function setOutcomes(runner: QueryRunner, outcomes: string): Promise<void> {
  await runner.query(`ALTER TABLE inbound_receipts DROP CONSTRAINT inbound_receipts_outcome_check,
    ADD CONSTRAINT inbound_receipts_outcome_check CHECK (outcome IN (${outcomes})) NOT VALID`);
}
