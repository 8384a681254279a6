import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What acceptance needs to answer a message with an earlier one of the same text to the same recipient. */
export class Deduplication1795500000650 implements MigrationInterface {
  readonly name = 'Deduplication1795500000650';

  async up(runner: QueryRunner): Promise<void> {
    // The first answer with the key named a message of an earlier request.
    await runner.query(`ALTER TABLE idempotency_keys ADD COLUMN deduplicated boolean NOT NULL DEFAULT false`);
    // The queries of a volatile function see what was committed until they run, not only until its statement began. So the
    // acceptance statement, which calls it after it has locked the account, misses no message of an acceptance that it waited for.
    await runner.query(
      `CREATE FUNCTION earlier_message(of_account uuid, of_recipient text, of_body text, from_id uuid, since timestamptz) RETURNS uuid
       LANGUAGE plpgsql VOLATILE AS $$
       DECLARE found_id uuid;
       BEGIN
         SELECT m.id INTO found_id
         FROM messages m
         WHERE m.recipient = of_recipient AND m.id >= from_id AND m.account_id = of_account AND m.kind = 'sms'
           AND m.body = of_body AND m.created_at > since AND m.status NOT IN ('undelivered', 'failed', 'canceled')
         ORDER BY m.id DESC
         LIMIT 1;
         RETURN found_id;
       END
       $$`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION earlier_message');
    await runner.query('ALTER TABLE idempotency_keys DROP COLUMN deduplicated');
  }
}
