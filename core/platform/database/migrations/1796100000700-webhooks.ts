import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropsEnded, ensuresMonths } from './partitions.js';

/** Webhooks and callbacks: where they go, what has to arrive, and every attempt; streams of events. */
export class Webhooks1796100000700 implements MigrationInterface {
  readonly name = 'Webhooks1796100000700';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const callbackFormats = `('twilio', 'textbelt')`;

const statements = [
  // secret and previous_secret are encrypted like the readable copies of API keys; secret is null
  // until it is first needed. spend_base is what the account had used when spend_day began.
  `CREATE TABLE webhook_endpoints (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     url text,
     events text[] NOT NULL DEFAULT '{}',
     secret bytea,
     secret_key_id text,
     previous_secret bytea,
     previous_secret_key_id text,
     previous_secret_ends_at timestamptz,
     failing_since timestamptz,
     disabled_at timestamptz,
     disabled_reason text CHECK (disabled_reason IN ('gone', 'failing', 'operator')),
     low_credits bigint NOT NULL DEFAULT 10 CHECK (low_credits > 0),
     low_credits_mail boolean NOT NULL DEFAULT false,
     credits_are_low boolean NOT NULL DEFAULT false,
     credits_seen_at timestamptz NOT NULL DEFAULT now(),
     daily_spend bigint CHECK (daily_spend > 0),
     spend_day date,
     spend_base bigint,
     spend_alerted_on date,
     created_at timestamptz NOT NULL DEFAULT now(),
     CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
   )`,
  `CREATE INDEX webhook_endpoints_alerts ON webhook_endpoints (credits_seen_at)
     WHERE ('credits.low' = ANY (events) AND url IS NOT NULL) OR low_credits_mail OR daily_spend IS NOT NULL`,

  // The URL that a single message names. Deleted some time after it has left.
  `CREATE TABLE message_callbacks (
     message_id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     recipient text NOT NULL,
     format text NOT NULL CHECK (format IN ${callbackFormats}),
     url text NOT NULL,
     data text,
     key_hash bytea NOT NULL,
     leaves_at timestamptz NOT NULL
   )`,
  `CREATE INDEX message_callbacks_recipient ON message_callbacks (account_id, recipient, message_id DESC)`,
  `CREATE INDEX message_callbacks_leaves_at ON message_callbacks (leaves_at)`,
  // Encrypted, because signatures need the key itself. Only keys that have asked for a callback are
  // here.
  `CREATE TABLE callback_keys (
     key_hash bytea PRIMARY KEY,
     account_id uuid NOT NULL,
     secret bytea NOT NULL,
     secret_key_id text NOT NULL,
     used_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX callback_keys_account ON callback_keys (account_id)`,

  // A call to the account's webhook (format 'standard'), or to the URL that a message named, signed
  // with the key of its request. body is what is sent and signed, byte by byte. attempts numbers the
  // claims, failures counts along the retry schedule. due_at is when recovery looks: until then a
  // worker or the queue has the row in hand.
  `CREATE TABLE webhook_deliveries (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     type text NOT NULL,
     source_id text NOT NULL,
     format text NOT NULL DEFAULT 'standard' CHECK (format = 'standard' OR format IN ${callbackFormats}),
     url text,
     key_hash bytea,
     body text NOT NULL,
     is_test boolean NOT NULL DEFAULT false,
     status text NOT NULL DEFAULT 'pending'
       CHECK (status IN ('pending', 'sending', 'waiting', 'paused', 'delivered', 'failed')),
     attempts integer NOT NULL DEFAULT 0,
     failures integer NOT NULL DEFAULT 0,
     due_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz,
     UNIQUE (type, source_id, format),
     CHECK ((format = 'standard') = (url IS NULL) AND (url IS NULL) = (key_hash IS NULL)),
     CHECK ((status IN ('delivered', 'failed')) = (finished_at IS NOT NULL))
   )`,
  `CREATE INDEX webhook_deliveries_account ON webhook_deliveries (account_id, id DESC)`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_open ON webhook_deliveries (account_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL`,

  `CREATE TABLE webhook_attempts (
     id uuid NOT NULL PRIMARY KEY,
     delivery_id uuid NOT NULL,
     account_id uuid NOT NULL,
     started_at timestamptz NOT NULL,
     duration_ms integer NOT NULL CHECK (duration_ms >= 0),
     status integer,
     answer text NOT NULL,
     error text
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, id)`,
  `CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT`,
  ensuresMonths('ensure_webhook_partitions', 'webhook_attempts'),
  dropsEnded('drop_webhook_partitions', 'webhook_attempts', 'month'),
  `SELECT ensure_webhook_partitions((now() AT TIME ZONE 'UTC')::date, 3)`,

  // last_number is updated with every batch of events: free room keeps that off the indexes.
  `CREATE TABLE event_listeners (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     last_number bigint NOT NULL DEFAULT 0,
     listening_since timestamptz NOT NULL DEFAULT now(),
     listening_until timestamptz NOT NULL,
     receiving_until timestamptz NOT NULL
   ) WITH (fillfactor = 50)`,
  // Numbered per account under the lock of its listener, so that the order of the numbers is the
  // order of the commits.
  `CREATE TABLE account_events (
     account_id uuid NOT NULL,
     number bigint NOT NULL,
     id uuid NOT NULL,
     type text NOT NULL,
     source_id text NOT NULL,
     body text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, number),
     UNIQUE (account_id, type, source_id)
   )`,
  `CREATE INDEX account_events_created_at ON account_events (created_at)`,
];

const back = [
  `DROP TABLE account_events, event_listeners, webhook_attempts, webhook_deliveries, callback_keys, message_callbacks,
     webhook_endpoints`,
  `DROP FUNCTION drop_webhook_partitions, ensure_webhook_partitions`,
];
