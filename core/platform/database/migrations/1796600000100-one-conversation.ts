import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sender by which a recipient knows an account is read from `conversation_owners`, which has a row for each
 * sender. The release before goes on to write `conversations`; the table goes with a later release. Until its last
 * worker has ended, it deletes owners that were noted more than 72 hours ago, so that older rows are copied as of 71
 * hours ago: for an hour their accounts own these conversations again.
 */
export class OneConversation1796600000100 implements MigrationInterface {
  readonly name = 'OneConversation1796600000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO conversation_owners (recipient, sender, account_id, last_at)
      SELECT recipient, sender, account_id, greatest(last_at, now() - interval '71 hours')
      FROM conversations ORDER BY recipient, sender, last_at DESC
      ON CONFLICT (recipient, sender) DO NOTHING
    `);
  }

  async down(): Promise<void> {
    // The rows do no harm: the release before looks at recent ones only.
  }
}
