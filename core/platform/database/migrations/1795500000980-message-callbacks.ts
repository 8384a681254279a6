import type { MigrationInterface, QueryRunner } from 'typeorm';

const formats = `('twilio', 'textbelt')`;

/**
 * Callbacks that a single message asks for (Twilio's StatusCallback, Textbelt's replyWebhookUrl), and their deliveries. These have a
 * table of their own, because workers of the previous release would post them to the account's webhook.
 */
export class MessageCallbacks1795500000980 implements MigrationInterface {
  readonly name = 'MessageCallbacks1795500000980';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of tables) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE callback_deliveries, message_callbacks, callback_keys');
    await runner.query(
      'ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_format, DROP COLUMN format, DROP COLUMN url, DROP COLUMN key_hash',
    );
  }
}

/** Reads all deliveries while others write them; the constraint makes the next migration short. */
export class CheckDeliveryFormat1795500000981 implements MigrationInterface {
  readonly name = 'CheckDeliveryFormat1795500000981';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_format');
  }

  async down(): Promise<void> {}
}

/** Both kinds of deliveries as one table: claims, retries, retention and history treat them alike. */
export class AllWebhookDeliveries1795500000982 implements MigrationInterface {
  readonly name = 'AllWebhookDeliveries1795500000982';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE all_webhook_deliveries (LIKE webhook_deliveries) PARTITION BY LIST (format)');
    await runner.query(
      `ALTER TABLE all_webhook_deliveries ATTACH PARTITION webhook_deliveries FOR VALUES IN ('standard')`,
    );
    await runner.query(
      `ALTER TABLE all_webhook_deliveries ATTACH PARTITION callback_deliveries FOR VALUES IN ${formats}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['webhook_deliveries', 'callback_deliveries'])
      await runner.query(`ALTER TABLE all_webhook_deliveries DETACH PARTITION ${table}`);
    await runner.query('DROP TABLE all_webhook_deliveries');
  }
}

const tables = [
  `ALTER TABLE webhook_deliveries
     ADD COLUMN format text NOT NULL DEFAULT 'standard',
     ADD COLUMN url text,
     ADD COLUMN key_hash bytea,
     ADD CONSTRAINT webhook_deliveries_format CHECK (format = 'standard') NOT VALID`,

  // Encrypted, because signatures need the key itself. Only keys that have asked for a callback are here.
  `CREATE TABLE callback_keys (
     key_hash bytea PRIMARY KEY,
     account_id uuid NOT NULL,
     secret bytea NOT NULL,
     secret_key_id text NOT NULL,
     used_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX callback_keys_account ON callback_keys (account_id)`,

  `CREATE TABLE message_callbacks (
     message_id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     recipient text NOT NULL,
     format text NOT NULL CHECK (format IN ${formats}),
     url text NOT NULL,
     data text,
     key_hash bytea NOT NULL,
     leaves_at timestamptz NOT NULL
   )`,
  `CREATE INDEX message_callbacks_recipient ON message_callbacks (account_id, recipient, message_id DESC)`,
  `CREATE INDEX message_callbacks_leaves_at ON message_callbacks (leaves_at)`,

  `CREATE TABLE callback_deliveries (
     LIKE webhook_deliveries INCLUDING DEFAULTS,
     PRIMARY KEY (id),
     UNIQUE (type, source_id),
     CHECK (format IN ${formats}),
     CHECK (url IS NOT NULL AND key_hash IS NOT NULL),
     CHECK (status IN ('pending', 'sending', 'waiting', 'paused', 'delivered', 'failed')),
     CHECK ((status IN ('delivered', 'failed')) = (finished_at IS NOT NULL))
   )`,
  `CREATE INDEX callback_deliveries_account ON callback_deliveries (account_id, id DESC)`,
  `CREATE INDEX callback_deliveries_due ON callback_deliveries (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX callback_deliveries_open ON callback_deliveries (account_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX callback_deliveries_finished ON callback_deliveries (finished_at) WHERE finished_at IS NOT NULL`,
];
