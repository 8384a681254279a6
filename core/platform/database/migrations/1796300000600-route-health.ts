import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How each route does, which the weights follow; opt-outs from every shared sender. */
export class RouteHealth1796300000600 implements MigrationInterface {
  readonly name = 'RouteHealth1796300000600';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  `ALTER TABLE route_modes DROP CONSTRAINT route_modes_mode_check,
     ADD CONSTRAINT route_modes_mode_check CHECK (mode IN ('weights', 'cheapest', 'best'))`,
  // Too few of the codes that its receipts report as delivered are entered.
  `ALTER TABLE routes ADD COLUMN doubtful_receipts boolean NOT NULL DEFAULT false`,
  `CREATE INDEX route_changes_at ON route_changes (at)`,

  // The latest measurement of every route. messages and bad: those handed over in the last ten
  // minutes; hour_messages and hour_delivered in the last hour. Times are from the hand-over to the
  // receipt.
  `CREATE TABLE route_health (
     country text NOT NULL,
     carrier smallint NOT NULL,
     messages integer NOT NULL,
     bad integer NOT NULL CHECK (bad BETWEEN 0 AND messages),
     hour_messages integer NOT NULL,
     hour_delivered integer NOT NULL CHECK (hour_delivered BETWEEN 0 AND hour_messages),
     p50_ms bigint,
     p95_ms bigint,
     measured_at timestamptz NOT NULL,
     PRIMARY KEY (country, carrier)
   )`,

  // One-time passwords that took a route at random, by the UTC day on which they were sent: those that
  // a receipt reported as delivered, and of them, those that were entered.
  `CREATE TABLE route_code_days (
     country text NOT NULL,
     carrier smallint NOT NULL,
     day date NOT NULL,
     delivered integer NOT NULL,
     verified integer NOT NULL CHECK (verified BETWEEN 0 AND delivered),
     PRIMARY KEY (country, carrier, day)
   )`,
  // One row: the codes that were sent before this time have been counted.
  `CREATE TABLE route_codes_counted (
     id boolean PRIMARY KEY DEFAULT true CHECK (id),
     until timestamptz NOT NULL
   )`,

  // Whether it holds for every sender that no account has to itself; null for a row of a release that
  // did not know, where the sender itself decides.
  `ALTER TABLE opt_outs ADD COLUMN shared boolean`,
  // Numbers of a messaging service that an account has to itself: stored with it in one moment.
  `UPDATE opt_outs o SET shared = false
   FROM opt_outs s JOIN account_senders a ON a.sender = s.sender
   WHERE s.sender LIKE 'MG%' AND o.recipient = s.recipient AND o.created_at = s.created_at`,

  // One-time passwords of the day in New York, over all accounts; null until they are counted.
  `ALTER TABLE delivery_quality ADD COLUMN otp_accounts integer, ADD COLUMN otps bigint, ADD COLUMN verified bigint`,
];

const back = [
  `ALTER TABLE delivery_quality DROP COLUMN otp_accounts, DROP COLUMN otps, DROP COLUMN verified`,
  `ALTER TABLE opt_outs DROP COLUMN shared`,
  `DROP TABLE route_codes_counted, route_code_days, route_health`,
  `DROP INDEX route_changes_at`,
  `ALTER TABLE routes DROP COLUMN doubtful_receipts`,
  `DELETE FROM route_modes WHERE mode = 'best'`,
  `ALTER TABLE route_modes DROP CONSTRAINT route_modes_mode_check,
     ADD CONSTRAINT route_modes_mode_check CHECK (mode IN ('weights', 'cheapest'))`,
];
