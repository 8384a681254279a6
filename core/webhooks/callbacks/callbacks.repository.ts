import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EncryptedText } from '../../platform/crypto/encryption.js';
import { Postgres } from '../../platform/database/postgres.js';
import { LOST_AFTER_SECONDS } from '../deliveries/deliveries.repository.js';
import type { MessageCallback } from './callbacks.sql.js';

export interface NewCallback extends MessageCallback {
  readonly messageId: string;
  readonly accountId: string;
  readonly recipient: string;
  /** Time to send; null for at once. */
  readonly leavesAt: Date | null;
}

/** An account and a person who has replied to it. */
export interface Pair {
  readonly accountId: string;
  readonly person: string;
}

/** Callback of the newest message with a callback that an account has sent to a person. */
interface ReplyCallbackRow {
  /** Position of the pair among the parameters, from 1. */
  readonly n: number;
  readonly messageId: string;
  readonly url: string;
  readonly data: string | null;
  readonly keyHash: Buffer;
}

interface NewReplyDelivery extends Pick<ReplyCallbackRow, 'url' | 'keyHash'> {
  readonly id: string;
  readonly accountId: string;
  /** The reply's id. */
  readonly sourceId: string;
  readonly body: string;
}

/**
 * Parameters are arrays: message, account, recipient, format, URL, data, hash of the key, encrypted
 * key, its encryption key, time.
 */
const insertCallbacks = {
  name: 'callbacks-insert-1',
  text: `
WITH n AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::bytea[],
    $9::text[], $10::timestamptz[])
    AS n (message_id, account_id, recipient, format, url, data, key_hash, secret, secret_key_id, leaves_at)
),
keys AS (
  INSERT INTO callback_keys (key_hash, account_id, secret, secret_key_id)
  SELECT DISTINCT ON (key_hash) key_hash, account_id, secret, secret_key_id FROM n ORDER BY key_hash
  ON CONFLICT (key_hash) DO UPDATE SET used_at = now()
)
INSERT INTO message_callbacks (message_id, account_id, recipient, format, url, data, key_hash, leaves_at)
SELECT message_id, account_id, recipient, format, url, data, key_hash, coalesce(leaves_at, now()) FROM n`,
} as const;

/** Parameters are arrays: account, person. */
const callbacksOfReplies = {
  name: 'callbacks-of-replies-1',
  text: `
SELECT q.n::int AS n, c.message_id AS "messageId", c.url, c.data, c.key_hash AS "keyHash"
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS q (account_id, person, n)
CROSS JOIN LATERAL (
  SELECT message_id, url, data, key_hash FROM message_callbacks
  WHERE account_id = q.account_id AND recipient = q.person AND format = 'textbelt' ORDER BY message_id DESC LIMIT 1
) c`,
} as const;

/** Parameters are arrays: id, account, reply, body, URL, hash of the key. */
const insertReplyDeliveries = {
  name: 'callbacks-deliveries-1',
  text: `
INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, format, url, key_hash, due_at)
SELECT id, account_id, 'message.received', source_id, body, 'textbelt', url, key_hash,
  now() + interval '${LOST_AFTER_SECONDS} seconds'
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[])
  AS n (id, account_id, source_id, body, url, key_hash)`,
} as const;

/** Parameters: key id, hash before the batch, size of the batch. */
const takeKeysToReencrypt = {
  name: 'callback-keys-reencrypt-1',
  text: `
SELECT key_hash AS "keyHash", secret AS ciphertext, secret_key_id AS "keyId" FROM callback_keys
WHERE key_hash > $2 AND secret_key_id <> $1 ORDER BY key_hash LIMIT $3 FOR NO KEY UPDATE`,
} as const;

/** Parameters: hash of the key, encrypted key, its encryption key. */
const replaceKeySecret = {
  name: 'callback-keys-replace-1',
  text: 'UPDATE callback_keys SET secret = $2, secret_key_id = $3 WHERE key_hash = $1',
} as const;

/** Reads and writes callbacks of messages and the keys that sign them. */
@Injectable()
export class CallbacksRepository {
  constructor(private readonly postgres: Postgres) {}

  async insert(tx: EntityManager, callbacks: readonly NewCallback[]): Promise<void> {
    await this.postgres.run(tx, insertCallbacks, [
      callbacks.map(({ messageId }) => messageId),
      callbacks.map(({ accountId }) => accountId),
      callbacks.map(({ recipient }) => recipient),
      callbacks.map(({ format }) => format),
      callbacks.map(({ url }) => url),
      callbacks.map(({ data }) => data),
      callbacks.map(({ keyHash }) => keyHash),
      callbacks.map(({ secret }) => secret.ciphertext),
      callbacks.map(({ secret }) => secret.keyId),
      callbacks.map(({ leavesAt }) => leavesAt),
    ]);
  }

  /** Returns the callback for a reply of each pair, or undefined, in order. */
  async ofReplies(tx: EntityManager, pairs: readonly Pair[]): Promise<(ReplyCallbackRow | undefined)[]> {
    const rows = await this.postgres.run<ReplyCallbackRow>(tx, callbacksOfReplies, [
      pairs.map(({ accountId }) => accountId),
      pairs.map(({ person }) => person),
    ]);
    const byPosition = new Map(rows.map((row) => [row.n, row]));
    return pairs.map((_pair, index) => byPosition.get(index + 1));
  }

  async insertReplyDeliveries(tx: EntityManager, deliveries: readonly NewReplyDelivery[]): Promise<void> {
    await this.postgres.run(tx, insertReplyDeliveries, [
      deliveries.map(({ id }) => id),
      deliveries.map(({ accountId }) => accountId),
      deliveries.map(({ sourceId }) => sourceId),
      deliveries.map(({ body }) => body),
      deliveries.map(({ url }) => url),
      deliveries.map(({ keyHash }) => keyHash),
    ]);
  }

  /** Locks the next batch of keys that were encrypted with another encryption key. */
  async takeToReencrypt(
    tx: EntityManager,
    { keyId, after, keysMax }: { keyId: string; after: Buffer; keysMax: number },
  ): Promise<(EncryptedText & { keyHash: Buffer })[]> {
    return this.postgres.run(tx, takeKeysToReencrypt, [keyId, after, keysMax]);
  }

  async replaceSecret(tx: EntityManager, keyHash: Buffer, { ciphertext, keyId }: EncryptedText): Promise<void> {
    await this.postgres.run(tx, replaceKeySecret, [keyHash, ciphertext, keyId]);
  }
}
