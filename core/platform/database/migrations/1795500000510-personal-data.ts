import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Retention of texts and numbers, deletion of accounts by their owners, and e-mails of new kinds. */
export class PersonalData1795500000510 implements MigrationInterface {
  readonly name = 'PersonalData1795500000510';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts DROP COLUMN delete_at`);
    await runner.query(`DROP TABLE retention_waiting, retention_progress`);
    await runner.query(`DROP FUNCTION masked_number`);
  }
}

const statements = [
  // How far each rule has erased, by UUIDv7 and so by time.
  `CREATE TABLE retention_progress (
     rule text PRIMARY KEY,
     up_to uuid NOT NULL
   )`,
  // Rows that were still in progress when their rule came to them.
  `CREATE TABLE retention_waiting (
     rule text NOT NULL,
     row_id uuid NOT NULL,
     PRIMARY KEY (rule, row_id)
   )`,
  // Leaves at most half of the characters: country and area.
  `CREATE FUNCTION masked_number(number text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
     SELECT left(number, least(5, length(number) / 2)) || repeat('•', length(number) - least(5, length(number) / 2))
   $$`,

  `ALTER TABLE accounts ADD COLUMN delete_at timestamptz`,
  `CREATE INDEX accounts_delete_at ON accounts (delete_at) WHERE delete_at IS NOT NULL`,

  // The kinds are a type of the program, which several releases extend.
  `ALTER TABLE mails
     DROP CONSTRAINT mails_kind_check,
     ADD CONSTRAINT mails_kind_check CHECK (kind ~ '^[a-z_]{1,40}$') NOT VALID`,
];
