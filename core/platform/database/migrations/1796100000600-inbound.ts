import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ensuresMonths } from './partitions.js';

/** Replies: what came in, and what the carrier has brought already. */
export class Inbound1796100000600 implements MigrationInterface {
  readonly name = 'Inbound1796100000600';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // sender is the person's number, recipient is ours. received_at is when it was charged and
  // forwarded: null while it is held. limited: beyond the hourly limit of a person.
  `CREATE TABLE inbound_messages (
     id uuid NOT NULL,
     account_id uuid NOT NULL,
     number bigint NOT NULL CHECK (number > 0),
     carrier_id text NOT NULL,
     sender text NOT NULL,
     recipient text NOT NULL,
     body text NOT NULL,
     segments smallint NOT NULL CHECK (segments > 0),
     credits integer NOT NULL CHECK (credits >= 0),
     status text NOT NULL CHECK (status IN ('held', 'received', 'limited')),
     created_at timestamptz NOT NULL DEFAULT now(),
     received_at timestamptz,
     PRIMARY KEY (id),
     CHECK ((status = 'received') = (credits > 0)),
     CHECK ((status = 'received') = (received_at IS NOT NULL))
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX inbound_messages_number ON inbound_messages (account_id, number)`,
  `CREATE INDEX inbound_messages_account_sender ON inbound_messages (account_id, sender, number)`,
  `CREATE INDEX inbound_messages_held ON inbound_messages (account_id, number) WHERE status = 'held'`,
  `CREATE TABLE inbound_messages_default PARTITION OF inbound_messages DEFAULT`,
  ensuresMonths('ensure_inbound_partitions', 'inbound_messages'),
  `SELECT ensure_inbound_partitions((now() AT TIME ZONE 'UTC')::date, 3)`,

  // A partitioned table cannot keep the carrier's ids unique; this one does, for as long as a repeat
  // may come. It has what became of each, and nothing of what it said.
  `CREATE TABLE inbound_receipts (
     carrier_id text PRIMARY KEY,
     outcome text NOT NULL DEFAULT 'received'
       CHECK (outcome IN ('received', 'held', 'limited', 'unrouted', 'off', 'full')),
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX inbound_receipts_created ON inbound_receipts (created_at)`,
];

const back = [`DROP TABLE inbound_receipts, inbound_messages`, `DROP FUNCTION ensure_inbound_partitions`];
