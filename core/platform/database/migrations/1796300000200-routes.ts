import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the messages to a country are shared among carriers. */
export class Routes1796300000200 implements MigrationInterface {
  readonly name = 'Routes1796300000200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE routes, route_modes, route_changes');
  }
}

const statements = [
  // Countries are ISO 3166-1 alpha-2, carriers numbers as in messages.carrier. A country without rows
  // is served by the senders of every carrier. manual_weight: the operator's, in place of weight
  // until it is released. cost_microusd: of a segment; null is unknown.
  `CREATE TABLE routes (
     country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
     carrier smallint NOT NULL,
     resting_weight smallint NOT NULL CHECK (resting_weight BETWEEN 0 AND 100),
     weight smallint NOT NULL CHECK (weight BETWEEN 0 AND 100),
     manual_weight smallint CHECK (manual_weight BETWEEN 0 AND 100),
     cost_microusd integer CHECK (cost_microusd >= 0),
     sender_policy text NOT NULL DEFAULT 'any' CHECK (sender_policy IN ('any', 'own')),
     receipt_level text NOT NULL DEFAULT 'handset' CHECK (receipt_level IN ('handset', 'network', 'none')),
     active boolean NOT NULL DEFAULT true,
     PRIMARY KEY (country, carrier)
   )`,
  // Countries that choose otherwise than by weights.
  `CREATE TABLE route_modes (
     country text PRIMARY KEY CHECK (country ~ '^[A-Z]{2}$'),
     mode text NOT NULL CHECK (mode IN ('weights', 'cheapest'))
   )`,
  // from and to: the weights of the country's routes before and after, by the carrier's name; null
  // is a paused route.
  `CREATE TABLE route_changes (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT now(),
     country text NOT NULL,
     "from" jsonb NOT NULL,
     "to" jsonb NOT NULL,
     cause text NOT NULL,
     figures jsonb NOT NULL
   )`,
  `CREATE INDEX route_changes_country ON route_changes (country, id)`,
];
