import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the operator sets of countries, and what carriers charge. */
export class RegionSettings1796300000500 implements MigrationInterface {
  readonly name = 'RegionSettings1796300000500';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE region_settings, message_costs, carrier_days');
  }
}

const statements = [
  // ISO 3166-1 alpha-3. Null, like a region without a row, is the region table of the release.
  `CREATE TABLE region_settings (
     code text PRIMARY KEY CHECK (code ~ '^[A-Z]{3}$'),
     active boolean,
     otp boolean,
     credits smallint CHECK (credits > 0),
     CHECK (num_nonnulls(active, otp, credits) > 0)
   )`,
  // What a carrier told that it charged for a message, in millionths of a US dollar. day: as in
  // carrier_days, where it is added up; then the row is deleted.
  `CREATE TABLE message_costs (
     account_id uuid NOT NULL,
     message_id uuid NOT NULL,
     carrier smallint NOT NULL,
     day date NOT NULL,
     country text NOT NULL,
     cost_microusd bigint NOT NULL CHECK (cost_microusd >= 0),
     PRIMARY KEY (account_id, message_id, carrier)
   )`,
  `CREATE INDEX message_costs_day ON message_costs (day)`,
  // An account's messages by country and carrier, and by the New York day of acceptance, or of the
  // time for which they were scheduled. messages: last handed to the carrier. credits: charged for
  // these and not refunded. real_microusd: told by the carrier, for real_messages. estimated_segments:
  // of the others; their cost by the price of the route when the day was added up, null if there was
  // none. The latest day is how far days are added up.
  `CREATE TABLE carrier_days (
     account_id uuid NOT NULL,
     day date NOT NULL,
     country text NOT NULL,
     carrier smallint NOT NULL,
     messages bigint NOT NULL CHECK (messages >= 0),
     credits bigint NOT NULL CHECK (credits >= 0),
     real_messages bigint NOT NULL CHECK (real_messages >= 0),
     real_microusd bigint NOT NULL CHECK (real_microusd >= 0),
     estimated_segments bigint NOT NULL CHECK (estimated_segments >= 0),
     estimated_microusd bigint CHECK (estimated_microusd >= 0),
     PRIMARY KEY (account_id, day, country, carrier)
   )`,
  `CREATE INDEX carrier_days_day ON carrier_days (day)`,
];
