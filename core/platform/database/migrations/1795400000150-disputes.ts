import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Disputes one by one, with how they end; and the payment provider as somebody who does things. */
export class Disputes1795400000150 implements MigrationInterface {
  readonly name = 'Disputes1795400000150';

  async up(runner: QueryRunner): Promise<void> {
    // Kept by the payment's id: news of a dispute may come before the news of the payment.
    await runner.query(
      `CREATE TABLE payment_disputes (
         dispute_id text PRIMARY KEY,
         card_payment_id text NOT NULL,
         amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
         reason text NOT NULL,
         status text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
         updated_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query(`CREATE INDEX payment_disputes_payment ON payment_disputes (card_payment_id)`);
    // A dispute told before this has marked its payment and account already; the news of its end brings its id.
    await runner.query(`ALTER TABLE payment_reversals DROP COLUMN dispute_reason`);
    await setActors(runner, `'account', 'operator', 'provider'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await setActors(runner, `'account', 'operator'`);
    await runner.query(`ALTER TABLE payment_reversals ADD COLUMN dispute_reason text`);
    await runner.query(`DROP TABLE payment_disputes`);
  }
}

/** Not validated: a scan would hold the table's lock, and the log keeps what is in it. */
async function setActors(runner: QueryRunner, actors: string): Promise<void> {
  await runner.query(
    `ALTER TABLE audit_entries
       DROP CONSTRAINT audit_entries_actor_check,
       ADD CONSTRAINT audit_entries_actor_check CHECK (actor IN (${actors})) NOT VALID`,
  );
}
