import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../../platform/database/postgres.js';
import { isInProgress } from '../store/checks.sql.js';

/** The files of a message, in their order. */
export interface RowFiles {
  readonly givenIds: readonly string[];
  /** Ids of the files as sent: a resized picture is another file. */
  readonly sentIds: readonly string[];
  /** Whether pictures may be made smaller. */
  readonly transcode: boolean;
  /** The message's sender, whose carrier takes the files as they are sent. */
  readonly sender: string;
  /** SHA-256 over the contents that were given. */
  readonly hash: Buffer;
}

/** The files that a message has, in their order. */
export interface MessageFileIds {
  readonly messageId: string;
  readonly givenIds: readonly string[];
  readonly sentIds: readonly string[];
  readonly transcode: boolean;
}

const columns = `message_id AS "messageId", given_ids AS "givenIds", sent_ids AS "sentIds", transcode`;

/** Parameters: account, messages. */
export const filesOfMessages = {
  name: 'message-files-1',
  text: `SELECT ${columns} FROM message_media WHERE account_id = $1 AND message_id = ANY ($2::uuid[])`,
} as const;

/**
 * Files that only finished messages to the number have. Reads all of the account's messages with
 * files. Parameters: account, number.
 */
export const filesOfRecipientAlone = {
  text: `
WITH files AS (
  SELECT unnest(f.given_ids || f.sent_ids) AS id, m.recipient = $2 AND NOT ${isInProgress('m')} AS "isOfRecipient"
  FROM message_media f JOIN messages m ON m.id = f.message_id AND m.account_id = f.account_id
  WHERE f.account_id = $1
)
SELECT id FROM files GROUP BY id HAVING bool_and("isOfRecipient")`,
} as const;

/**
 * Parameters are arrays, one element for each message; the ids of a message's files are one text.
 */
const insertStatement = {
  name: 'message-files-insert-1',
  text: `
INSERT INTO message_media (account_id, message_id, given_ids, sent_ids, transcode, files_hash)
SELECT account_id, message_id, string_to_array(given, ',')::uuid[], string_to_array(sent, ',')::uuid[], transcode, hash
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::boolean[], $6::bytea[])
  AS t (account_id, message_id, given, sent, transcode, hash)`,
} as const;

/** Parameters: message, files. */
const replaceSentStatement = {
  name: 'message-files-replace-1',
  text: 'UPDATE message_media SET sent_ids = $2::uuid[] WHERE message_id = $1',
} as const;

/** Stores the files of messages. */
@Injectable()
export class MessageFilesRepository {
  constructor(private readonly postgres: Postgres) {}

  ofMessages(accountId: string, messageIds: readonly string[]): Promise<MessageFileIds[]> {
    return this.postgres.query<MessageFileIds>(filesOfMessages, [accountId, [...messageIds]]);
  }

  /** Returns the files that the account has sent to this number alone. */
  async ofRecipientAlone(accountId: string, number: string): Promise<string[]> {
    const found = await this.postgres.query<{ id: string }>(filesOfRecipientAlone, [accountId, number]);
    return found.map(({ id }) => id);
  }

  /** Stores the files of messages that the transaction has accepted. */
  async store(
    tx: EntityManager,
    rows: readonly (RowFiles & { readonly accountId: string; readonly messageId: string })[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.postgres.run(tx, insertStatement, [
      rows.map(({ accountId }) => accountId),
      rows.map(({ messageId }) => messageId),
      rows.map(({ givenIds }) => givenIds.join(',')),
      rows.map(({ sentIds }) => sentIds.join(',')),
      rows.map(({ transcode }) => transcode),
      rows.map(({ hash }) => hash),
    ]);
  }

  /** Replaces the sent files of a message whose new sender has another limit. */
  async replaceSent(messageId: string, sentIds: readonly string[]): Promise<void> {
    await this.postgres.query(replaceSentStatement, [messageId, [...sentIds]]);
  }
}
