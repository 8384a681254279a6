import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refunds one by one: one that fails gives the credits back. */
export class PaymentRefunds1796000004000 implements MigrationInterface {
  readonly name = 'PaymentRefunds1796000004000';

  async up(runner: QueryRunner): Promise<void> {
    // Kept by the payment's id: an event of a refund may come before the event of the payment.
    await runner.query(
      `CREATE TABLE payment_refunds (
         refund_id text PRIMARY KEY,
         card_payment_id text NOT NULL,
         amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
         failed boolean NOT NULL,
         updated_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query(`CREATE INDEX payment_refunds_payment ON payment_refunds (card_payment_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE payment_refunds`);
  }
}
