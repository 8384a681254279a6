import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index of the references that customers give their messages. Runs outside a transaction, because the partitions' indexes are
 * built while messages are accepted. Safe to repeat after an interruption.
 */
export class MessageReferences1795500000920 implements MigrationInterface {
  readonly name = 'MessageReferences1795500000920';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Partitions that are created from now on have the index; those that exist get theirs one by one.
    await runner.query(`CREATE INDEX IF NOT EXISTS messages_reference ON ONLY messages ${columns}`);
    const partitions: { name: string }[] = await runner.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1`,
    );
    for (const { name } of partitions) {
      const [attached] = await runner.query(
        `SELECT 1 FROM pg_inherits WHERE inhparent = 'messages_reference'::regclass
           AND inhrelid IN (SELECT indexrelid FROM pg_index WHERE indrelid = '${name}'::regclass)`,
      );
      if (attached) continue;
      const index = `${name}_reference`;
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${name} ${columns}`);
      await runner.query(`ALTER INDEX messages_reference ATTACH PARTITION ${index}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX messages_reference`);
  }
}

const columns = `(account_id, reference, id) WHERE reference IS NOT NULL`;
