import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the welcome e-mail of an account has to be queued again; null once it is queued. */
export class WelcomeMails1795500000110 implements MigrationInterface {
  readonly name = 'WelcomeMails1795500000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts ADD COLUMN welcome_mail_due_at timestamptz`);
    await runner.query(
      `CREATE INDEX accounts_welcome_mail_due ON accounts (welcome_mail_due_at) WHERE welcome_mail_due_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts DROP COLUMN welcome_mail_due_at`);
  }
}
