import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pictures and other files of messages: what is stored of each, and what waits for them. */
export class Media1796400000100 implements MigrationInterface {
  readonly name = 'Media1796400000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // One file of a reply, or one that an account has uploaded. message_id and position: the reply that
  // it came with, and which of its files it is. pending: not stored yet; failed: it cannot be stored,
  // for `reason`; expired: it has been deleted. The file's name in the store is its account and
  // sha256, which are set before it is written: several rows may have one file. source_url: the
  // carrier's copy, until that has been deleted. due_at: when recovery looks at the row. claimed: a
  // worker copies the file, or deletes the carrier's copy, until then. attempts: the number of the
  // last claim. failures: since the file is pending, or since it is stored.
  `CREATE TABLE media (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     direction text NOT NULL CHECK (direction IN ('inbound', 'outbound')),
     message_id uuid,
     position smallint CHECK (position >= 0),
     state text NOT NULL CHECK (state IN ('pending', 'stored', 'failed', 'expired')),
     reason text CHECK ((reason IS NOT NULL) = (state = 'failed')),
     type text,
     bytes bigint CHECK (bytes >= 0),
     sha256 bytea CHECK (length(sha256) = 32),
     has_thumbnail boolean NOT NULL DEFAULT false,
     carrier smallint,
     source_url text,
     claimed boolean NOT NULL DEFAULT false,
     attempts integer NOT NULL DEFAULT 0,
     failures smallint NOT NULL DEFAULT 0,
     due_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     stored_at timestamptz,
     expires_at timestamptz,
     CHECK (state <> 'stored' OR (type IS NOT NULL AND bytes IS NOT NULL AND sha256 IS NOT NULL
       AND stored_at IS NOT NULL AND expires_at IS NOT NULL)),
     CHECK ((message_id IS NULL) = (position IS NULL))
   )`,
  `CREATE UNIQUE INDEX media_message ON media (account_id, message_id, position) WHERE message_id IS NOT NULL`,
  `CREATE INDEX media_files ON media (account_id, sha256) WHERE sha256 IS NOT NULL`,
  `CREATE INDEX media_day ON media (account_id, direction, stored_at) WHERE stored_at IS NOT NULL`,
  `CREATE INDEX media_due ON media (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX media_expiring ON media (expires_at) WHERE state = 'stored'`,
  `CREATE INDEX media_kept ON media (created_at) WHERE state IN ('pending', 'stored')`,

  // Files that no row names any more. deleting: a worker may be deleting it, so that it must not be
  // stored again until the row is gone.
  `CREATE TABLE media_deletions (
     account_id uuid NOT NULL,
     sha256 bytea NOT NULL,
     deleting boolean NOT NULL DEFAULT false,
     due_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, sha256)
   )`,
  `CREATE INDEX media_deletions_due ON media_deletions (due_at)`,

  // The number of files that a reply came with.
  `ALTER TABLE inbound_messages ADD COLUMN media_count smallint NOT NULL DEFAULT 0 CHECK (media_count >= 0)`,

  // Replies whose files are not all settled. forward_at: when the reply is forwarded without those
  // that are missing. forwarded: it has been, so that another event follows.
  `CREATE TABLE replies_awaiting_media (
     account_id uuid NOT NULL,
     reply_id uuid NOT NULL,
     forward_at timestamptz NOT NULL,
     forwarded boolean NOT NULL DEFAULT false,
     due_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, reply_id)
   )`,
  `CREATE INDEX replies_awaiting_media_due ON replies_awaiting_media (due_at)`,
];

const back = [
  `DROP TABLE replies_awaiting_media`,
  `ALTER TABLE inbound_messages DROP COLUMN media_count`,
  `DROP TABLE media_deletions, media`,
];
