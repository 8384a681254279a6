import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Alerts about credits: the e-mail about a low balance, and a number of credits per New York day. */
export class CreditAlerts1795500000750 implements MigrationInterface {
  readonly name = 'CreditAlerts1795500000750';

  async up(runner: QueryRunner): Promise<void> {
    // spend_base is what the account had used when spend_day began.
    await runner.query(
      `ALTER TABLE webhook_endpoints
         ADD COLUMN low_credits_mail boolean NOT NULL DEFAULT false,
         ADD COLUMN daily_spend bigint CHECK (daily_spend > 0),
         ADD COLUMN spend_day date,
         ADD COLUMN spend_base bigint,
         ADD COLUMN spend_alerted_on date`,
    );
    // The earlier index stays for the previous release.
    await runner.query(
      `CREATE INDEX webhook_endpoints_alerts ON webhook_endpoints (credits_seen_at)
         WHERE ('credits.low' = ANY (events) AND url IS NOT NULL) OR low_credits_mail OR daily_spend IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX webhook_endpoints_alerts`);
    await runner.query(
      `ALTER TABLE webhook_endpoints DROP COLUMN spend_alerted_on, DROP COLUMN spend_base, DROP COLUMN spend_day,
         DROP COLUMN daily_spend, DROP COLUMN low_credits_mail`,
    );
  }
}
