import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CallbackFormat } from '#contract/webhooks.js';
import { Config } from '../../platform/config/config.js';
import { Encryption, type Reencryption } from '../../platform/crypto/encryption.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { newMessageId, publicMessageId } from '../../rules/ids.js';
import { splitCredentials, webhookUrlFault } from '../../rules/network-addresses.js';
import { sealedSecret, secretHash } from './callback-formats.js';
import { CallbacksRepository, type NewCallback, type Pair } from './callbacks.repository.js';
import type { MessageCallback } from './callbacks.sql.js';
import type { ApiKey } from '../../keys/api-key.js';

const REENCRYPTED_BATCH_MAX = 500;

/** Callback that a request asks for, and the API key that it carries. */
interface CallbackRequest {
  readonly format: CallbackFormat;
  readonly url: string;
  readonly data?: string | undefined;
  readonly key: ApiKey;
  readonly keyText: string;
}

/** A reply that an account receives. */
interface CalledBackReply {
  readonly id: string;
  readonly accountId: string;
  readonly sender: string;
  readonly body: string;
}

/**
 * Callbacks of single messages: Twilio's StatusCallback and Textbelt's replyWebhookUrl. Their
 * deliveries are webhook deliveries with their own URL, format and key.
 */
@Injectable()
export class MessageCallbacks {
  constructor(
    private readonly callbacks: CallbacksRepository,
    private readonly postgres: Postgres,
    private readonly encryption: Encryption,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** Returns the reason, for the customer, why a URL cannot be called; undefined if it can. */
  urlFault(url: string): string | undefined {
    return webhookUrlFault(url, { ...this.config.webhooks, allowCredentials: true });
  }

  /**
   * Prepares a callback for the message that the request sends. The key is encrypted, because its
   * hash could not sign, together with the user name and password of the URL.
   */
  prepare({ format, url: given, data, key, keyText }: CallbackRequest): MessageCallback {
    const { url, credentials } = splitCredentials(given);
    const secret = this.encryption.encrypt(sealedSecret(keyText, credentials));
    return { format, url, data: data ?? null, keyHash: secretHash(key.hash, keyText, credentials), secret };
  }

  /** Stores callbacks in the transaction that accepts their messages. */
  async store(tx: EntityManager, callbacks: readonly NewCallback[]): Promise<void> {
    if (callbacks.length > 0) await this.callbacks.insert(tx, callbacks);
  }

  /** Returns, for each pair of account and person, whether a reply has a callback. */
  async awaitReplies(tx: EntityManager, pairs: readonly Pair[]): Promise<boolean[]> {
    if (pairs.length === 0) return [];
    return (await this.callbacks.ofReplies(tx, pairs)).map((callback) => callback !== undefined);
  }

  /**
   * Records the deliveries of replies to messages with a callback, in the transaction that stores
   * or releases the replies. Returns an id or undefined for each reply, in order.
   */
  async recordReplies(tx: EntityManager, replies: readonly CalledBackReply[]): Promise<(string | undefined)[]> {
    const found = await this.callbacks.ofReplies(
      tx,
      replies.map(({ accountId, sender: person }) => ({ accountId, person })),
    );
    const deliveries = replies.flatMap(({ id: sourceId, accountId, sender, body: text }, index) => {
      const callback = found[index];
      if (!callback) return [];
      const { messageId, data, url, keyHash } = callback;
      const textId = publicMessageId(messageId);
      const body = JSON.stringify({ textId, fromNumber: sender, text, ...(data !== null && { data }) });
      return [{ id: newMessageId(), accountId, sourceId, body, url, keyHash }];
    });
    if (deliveries.length > 0) await this.callbacks.insertReplyDeliveries(tx, deliveries);
    const idOf = new Map(deliveries.map(({ id, sourceId }) => [sourceId, id]));
    return replies.map(({ id }) => idOf.get(id));
  }

  /** Encrypts every stored key with the newest encryption key. */
  async reencrypt(): Promise<Reencryption> {
    const counts = { reencrypted: 0, unreadable: 0 };
    for (let after: Buffer = Buffer.alloc(0); ;) {
      const batch = await this.postgres.transaction(async (tx) => {
        const { keyId } = this.encryption;
        const rows = await this.callbacks.takeToReencrypt(tx, { keyId, after, keysMax: REENCRYPTED_BATCH_MAX });
        for (const { keyHash, ...secret } of rows) {
          try {
            const again = this.encryption.encrypt(this.encryption.decrypt(secret));
            await this.callbacks.replaceSecret(tx, keyHash, again);
            counts.reencrypted += 1;
          } catch (err) {
            counts.unreadable += 1;
            this.logger.error({ err }, 'callback key cannot be decrypted');
          }
        }
        return rows;
      });
      const last = batch.at(-1);
      if (!last || batch.length < REENCRYPTED_BATCH_MAX) return counts;
      after = last.keyHash;
    }
  }
}
