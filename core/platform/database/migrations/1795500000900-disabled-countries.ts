import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Countries that an account has switched off. A constant default rewrites no row. */
export class DisabledCountries1795500000900 implements MigrationInterface {
  readonly name = 'DisabledCountries1795500000900';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts ADD COLUMN disabled_countries text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts DROP COLUMN disabled_countries`);
  }
}
