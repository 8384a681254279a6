import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages with files. */
export class Mms1796400000200 implements MigrationInterface {
  readonly name = 'Mms1796400000200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

// Not valid: the rows that are there need not be read, because what they may be has only grown.
const withKinds = (kinds: string) => [
  'ALTER TABLE messages DROP CONSTRAINT messages_kind_check',
  `ALTER TABLE messages ADD CONSTRAINT messages_kind_check CHECK (kind IN (${kinds})) NOT VALID`,
];

const statements = [
  ...withKinds(`'sms', 'mms', 'otp'`),

  // The files of a message, in their order: as they were given, and as they are sent, which is another
  // file for a picture that was made smaller. files_hash: SHA-256 over the contents that were given.
  `CREATE TABLE message_media (
     account_id uuid NOT NULL,
     message_id uuid PRIMARY KEY,
     given_ids uuid[] NOT NULL CHECK (cardinality(given_ids) > 0),
     sent_ids uuid[] NOT NULL CHECK (cardinality(sent_ids) = cardinality(given_ids)),
     transcode boolean NOT NULL,
     files_hash bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX message_media_account ON message_media (account_id)`,

  // original_id: the picture that this one was made of, to have at most fitted_to bytes. It counts
  // against no limit. kept_until: a message needs the file, whatever its age.
  `ALTER TABLE media
     ADD COLUMN original_id uuid,
     ADD COLUMN fitted_to integer,
     ADD COLUMN kept_until timestamptz,
     ADD CONSTRAINT media_original_check CHECK ((original_id IS NULL) = (fitted_to IS NULL))`,
  `CREATE INDEX media_fitted ON media (account_id, original_id, fitted_to) WHERE original_id IS NOT NULL`,

  // As earlier_message, for a message with files.
  `CREATE FUNCTION earlier_mms(
     of_account uuid, of_recipient text, of_body text, of_files bytea, from_id uuid, since timestamptz
   ) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
   DECLARE found_id uuid;
   BEGIN
     SELECT m.id INTO found_id
     FROM messages m
     JOIN message_media f ON f.message_id = m.id AND f.account_id = m.account_id
     WHERE m.recipient = of_recipient AND m.id >= from_id AND m.account_id = of_account AND m.kind = 'mms'
       AND m.body = of_body AND f.files_hash = of_files AND m.created_at > since
       AND m.status NOT IN ('undelivered', 'failed', 'canceled')
     ORDER BY m.id DESC
     LIMIT 1;
     RETURN found_id;
   END
   $$`,
];

const back = [
  'DROP FUNCTION earlier_mms',
  'DROP INDEX media_fitted',
  'ALTER TABLE media DROP COLUMN original_id, DROP COLUMN fitted_to, DROP COLUMN kept_until',
  'DROP TABLE message_media',
  ...withKinds(`'sms', 'otp'`),
];
