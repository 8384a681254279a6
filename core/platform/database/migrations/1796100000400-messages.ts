import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ensuresMonths } from './partitions.js';

/** Outgoing messages, what bounds them, and how they are dispatched. */
export class Messages1796100000400 implements MigrationInterface {
  readonly name = 'Messages1796100000400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // `number` counts the account's messages 1, 2, 3 … `expires_at`: not handed to the carrier after
  // this time. `replies_unavailable` marks a message whose conversation belonged to another account
  // when it was accepted. `key_id` is the named key that sent it, null for the account's own key.
  // Every message that ends without being delivered has an `error_code`.
  `CREATE TABLE messages (
     id uuid NOT NULL,
     account_id uuid NOT NULL,
     number bigint NOT NULL CHECK (number > 0),
     kind text NOT NULL CHECK (kind IN ('sms', 'otp')),
     recipient text NOT NULL,
     country text NOT NULL,
     sender text NOT NULL,
     body text NOT NULL,
     segments smallint NOT NULL CHECK (segments > 0),
     credits integer NOT NULL CHECK (credits > 0),
     reference text,
     status text NOT NULL DEFAULT 'queued' CHECK (
       status IN ('scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'canceled')
     ),
     attempts integer NOT NULL DEFAULT 0,
     counted_on date,
     carrier_id text,
     error_code text,
     carrier_error integer,
     refunded integer NOT NULL DEFAULT 0 CHECK (refunded IN (0, credits)),
     replies_unavailable boolean NOT NULL DEFAULT false,
     send_at timestamptz,
     expires_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     claimed_at timestamptz,
     sent_at timestamptz,
     finished_at timestamptz,
     key_id uuid,
     PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX messages_account ON messages (account_id, id DESC)`,
  `CREATE INDEX messages_number ON messages (account_id, number)`,
  `CREATE INDEX messages_recipient ON messages (recipient, id DESC)`,
  `CREATE INDEX messages_reference ON messages (account_id, reference, id) WHERE reference IS NOT NULL`,
  // Few messages end so: a search for them would read all others.
  `CREATE INDEX messages_failed ON messages (account_id, number) WHERE error_code IS NOT NULL`,
  // Finds the scheduled messages that wait for their time. No update changes `send_at`.
  `CREATE INDEX messages_send_at ON messages (account_id, send_at) WHERE send_at IS NOT NULL`,
  // Free room in each page keeps updates of a message off the indexes.
  ensuresMonths('ensure_message_partitions', 'messages', 'WITH (fillfactor = 60)'),
  `CREATE TABLE messages_default PARTITION OF messages DEFAULT WITH (fillfactor = 60)`,
  `SELECT ensure_message_partitions((now() AT TIME ZONE 'UTC')::date, 3)`,

  // The queries of a volatile function see what was committed until they run, not only until its
  // statement began. So the acceptance statement, which calls it after it has locked the account,
  // misses no message of an acceptance that it waited for.
  `CREATE FUNCTION earlier_message(of_account uuid, of_recipient text, of_body text, from_id uuid, since timestamptz)
   RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
   DECLARE found_id uuid;
   BEGIN
     SELECT m.id INTO found_id
     FROM messages m
     WHERE m.recipient = of_recipient AND m.id >= from_id AND m.account_id = of_account AND m.kind = 'sms'
       AND m.body = of_body AND m.created_at > since AND m.status NOT IN ('undelivered', 'failed', 'canceled')
     ORDER BY m.id DESC
     LIMIT 1;
     RETURN found_id;
   END
   $$`,

  // deduplicated: the first answer with the key named a message of an earlier request.
  `CREATE TABLE idempotency_keys (
     account_id uuid NOT NULL,
     key text NOT NULL,
     body_hash bytea NOT NULL,
     message_id uuid NOT NULL,
     deduplicated boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, key)
   )`,
  `CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at)`,

  // By New York day. scheduled: messages that will leave on that day, besides those counted.
  `CREATE TABLE daily_counts (
     account_id uuid NOT NULL,
     day date NOT NULL,
     count integer NOT NULL CHECK (count >= 0),
     last_granted integer NOT NULL CHECK (last_granted >= 0),
     scheduled integer NOT NULL DEFAULT 0,
     PRIMARY KEY (account_id, day)
   ) WITH (fillfactor = 40)`,

  // How many of the messages that an account accepted on a New York day have each of these states;
  // those still queued or sending are the rest of the day's. Counted by the statement that moves
  // messages on. Updated once per batch of receipts: free room in every page keeps those updates
  // off the index.
  `CREATE TABLE message_days (
     account_id uuid NOT NULL,
     day date NOT NULL,
     sent bigint NOT NULL,
     delivered bigint NOT NULL,
     undelivered bigint NOT NULL,
     failed bigint NOT NULL,
     canceled bigint NOT NULL DEFAULT 0,
     PRIMARY KEY (account_id, day)
   ) WITH (fillfactor = 40)`,
  // Finds the accounts with many undelivered messages.
  `CREATE INDEX message_days_day ON message_days (day)`,

  // How many of the messages that an account accepted on a New York day were delivered (reason '') or
  // not, and why: the carrier's code, else ours. Counted by the statement that ends messages. A zero
  // key is the account's own. Free room keeps updates off the index.
  `CREATE TABLE delivery_days (
     account_id uuid NOT NULL,
     day date NOT NULL,
     country text NOT NULL,
     key_id uuid NOT NULL,
     reason text NOT NULL,
     messages bigint NOT NULL CHECK (messages > 0),
     PRIMARY KEY (account_id, day, country, key_id, reason)
   ) WITH (fillfactor = 60)`,

  // `rejected` is kept for the repeated answer of an idempotent request: index, code and detail, not
  // the number.
  `CREATE TABLE batches (
     account_id uuid NOT NULL REFERENCES accounts (id),
     first_number bigint NOT NULL,
     messages integer NOT NULL CHECK (messages > 0),
     id uuid NOT NULL UNIQUE,
     credits bigint NOT NULL CHECK (credits > 0),
     rejected jsonb,
     created_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, first_number)
   )`,
  `CREATE INDEX batches_rejected ON batches (created_at) WHERE rejected IS NOT NULL`,
  `CREATE TABLE running_bulks (
     batch_id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     ends_at timestamptz NOT NULL
   )`,

  // When a worker looks at messages that are not final, one row for many. Most rows live for
  // seconds. claim: the number of the messages' last claim when the check was written; an earlier
  // check leaves a message to that of a later claim. key_id: the key that scheduled the messages.
  // canceled: they do not leave; a worker cancels them one by one and deletes the row.
  `CREATE TABLE message_checks (
     kind text NOT NULL CHECK (kind IN ('queued', 'claimed', 'retry', 'settle', 'scheduled')),
     due_at timestamptz NOT NULL,
     id bigint GENERATED ALWAYS AS IDENTITY,
     claim integer NOT NULL DEFAULT 0 CHECK (claim >= 0),
     message_ids uuid[] NOT NULL,
     key_id uuid CHECK (kind = 'scheduled' OR key_id IS NULL),
     canceled boolean NOT NULL DEFAULT false CHECK (kind = 'scheduled' OR NOT canceled),
     account_id uuid,
     PRIMARY KEY (kind, due_at, id)
   )`,
  `CREATE INDEX message_checks_key ON message_checks (key_id) WHERE key_id IS NOT NULL`,
  `CREATE INDEX message_checks_canceled ON message_checks (due_at) WHERE canceled`,

  // Updated by every message: free room in the pages keeps those updates off the index.
  `CREATE TABLE conversation_owners (
     recipient text NOT NULL,
     sender text NOT NULL,
     account_id uuid NOT NULL,
     last_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (recipient, sender)
   ) WITH (fillfactor = 70)`,
  // With several senders: the one by which a recipient knows an account.
  `CREATE TABLE conversations (
     account_id uuid NOT NULL,
     recipient text NOT NULL,
     sender text NOT NULL,
     last_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, recipient)
   )`,
  `CREATE INDEX conversations_recipient ON conversations (recipient)`,
  `CREATE TABLE account_senders (
     sender text PRIMARY KEY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX account_senders_account ON account_senders (account_id)`,
  `CREATE TABLE verified_numbers (
     account_id uuid NOT NULL,
     recipient text NOT NULL,
     verified_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, recipient)
   )`,
  `CREATE TABLE opt_outs (
     recipient text NOT NULL,
     sender text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (recipient, sender)
   )`,

  // The text that is really sent, encrypted, while messages.body holds what may be shown.
  `CREATE TABLE sealed_texts (
     message_id uuid PRIMARY KEY,
     sealed bytea NOT NULL,
     encryption_key_id text NOT NULL,
     useful_until timestamptz NOT NULL,
     account_id uuid
   )`,
  `CREATE INDEX sealed_texts_useful ON sealed_texts (useful_until)`,

  // Few rows: a message is matched only after a lost response whose status callback did not arrive
  // either.
  `CREATE TABLE carrier_matches (
     carrier_id text PRIMARY KEY,
     message_id uuid NOT NULL,
     matched_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX carrier_matches_age ON carrier_matches (matched_at)`,

  `CREATE TABLE dispatch_pauses (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     message_id uuid NOT NULL,
     http_status integer NOT NULL,
     carrier_error integer,
     paused_at timestamptz NOT NULL DEFAULT now(),
     probes integer NOT NULL DEFAULT 0,
     next_probe_at timestamptz NOT NULL,
     resumed_at timestamptz
   )`,
  // At most one pause is open.
  `CREATE UNIQUE INDEX dispatch_pauses_open ON dispatch_pauses ((true)) WHERE resumed_at IS NULL`,
  `CREATE INDEX dispatch_pauses_message ON dispatch_pauses (message_id)`,

  // Accounts that may not send because most of their recipients were not reached.
  `CREATE TABLE delivery_suspensions (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     recipients integer NOT NULL CHECK (recipients > 0),
     undelivered integer NOT NULL CHECK (undelivered BETWEEN 1 AND recipients),
     suspended_at timestamptz NOT NULL DEFAULT now(),
     lifted_at timestamptz,
     lifted_by text CHECK (lifted_by IN ('account', 'operator')),
     CHECK ((lifted_at IS NULL) = (lifted_by IS NULL))
   )`,
  `CREATE UNIQUE INDEX delivery_suspensions_open ON delivery_suspensions (account_id) WHERE lifted_at IS NULL`,
  `CREATE INDEX delivery_suspensions_account ON delivery_suspensions (account_id, lifted_at)`,
];

const back = [
  `DROP TABLE delivery_suspensions, dispatch_pauses, carrier_matches, sealed_texts, opt_outs, verified_numbers,
     account_senders, conversations, conversation_owners, message_checks, running_bulks, batches,
     delivery_days, message_days, daily_counts, idempotency_keys, messages`,
  `DROP FUNCTION earlier_message, ensure_message_partitions`,
];
