import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which key has scheduled messages, and schedules that are being canceled with their key. */
export class KeySchedules1796000005000 implements MigrationInterface {
  readonly name = 'KeySchedules1796000005000';

  async up(runner: QueryRunner): Promise<void> {
    // key_id: the named key, or the account for its first key; null in schedules of the previous release. canceled: the messages do
    // not leave; a worker cancels them one by one and deletes the row.
    await runner.query(
      `ALTER TABLE message_schedules ADD COLUMN key_id uuid, ADD COLUMN canceled boolean NOT NULL DEFAULT false`,
    );
    await runner.query(`CREATE INDEX message_schedules_key ON message_schedules (key_id) WHERE key_id IS NOT NULL`);
    await runner.query(`CREATE INDEX message_schedules_canceled ON message_schedules (send_at) WHERE canceled`);
    // Like `earlier_message`, it sees what was committed until it runs. So an acceptance that waited for the account's lock
    // notices when its key was ended by the transaction that held the lock.
    await runner.query(
      `CREATE FUNCTION key_works(hash bytea) RETURNS boolean
       LANGUAGE plpgsql VOLATILE AS $$
       BEGIN
         RETURN EXISTS (
             SELECT 1 FROM api_keys k
             WHERE k.key_hash = hash AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
           )
           OR EXISTS (SELECT 1 FROM named_keys k WHERE k.key_hash = hash)
           OR EXISTS (SELECT 1 FROM old_key_secrets o WHERE o.key_hash = hash AND o.expires_at > clock_timestamp());
       END
       $$`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION key_works');
    await runner.query(`ALTER TABLE message_schedules DROP COLUMN key_id, DROP COLUMN canceled`);
  }
}
