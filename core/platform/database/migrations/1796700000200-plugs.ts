import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key through which another product sends its codes: the product, its secrets, and its last call. */
export class Plugs1796700000200 implements MigrationInterface {
  readonly name = 'Plugs1796700000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE api_keys ADD COLUMN plug jsonb, ADD COLUMN plug_secrets bytea,
         ADD COLUMN plug_encryption_key_id text, ADD COLUMN plug_called_at timestamptz, ADD COLUMN plug_result text`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE api_keys DROP COLUMN plug, DROP COLUMN plug_secrets, DROP COLUMN plug_encryption_key_id,
         DROP COLUMN plug_called_at, DROP COLUMN plug_result`,
    );
  }
}
