import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MessageKind } from '#contract/messages.js';
import { Config } from '../../platform/config/config.js';
import { Encryption } from '../../platform/crypto/encryption.js';
import { Postgres } from '../../platform/database/postgres.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';
import { Logger } from '../../platform/telemetry/logger.js';

const EXPIRED_MAX = 500;

interface OtpPayload {
  readonly messageId: string;
  readonly text: string;
  /** Time after which the message is useless and is not sent. */
  readonly usefulSeconds: number;
}

export interface MessageBody {
  readonly id: string;
  readonly kind: MessageKind;
  readonly body: string;
}

export interface StoredPayload {
  readonly sealed: Buffer;
  readonly encryptionKeyId: string;
  readonly isUseful: boolean;
}

/** Parameters are arrays: message, encrypted text, its encryption key, seconds of usefulness. */
const insertPayloadsStatement = {
  name: 'sealed-texts-insert-1',
  text: `
INSERT INTO sealed_texts (message_id, sealed, encryption_key_id, useful_until)
SELECT t.message_id, t.sealed, t.encryption_key_id, now() + make_interval(secs => t.useful_seconds)
FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::integer[]) AS t (message_id, sealed, encryption_key_id,
  useful_seconds)`,
} as const;

export const findPayloadStatement = {
  name: 'sealed-text-1',
  text: `
SELECT sealed, encryption_key_id AS "encryptionKeyId", useful_until > now() AS "isUseful"
FROM sealed_texts WHERE message_id = $1`,
} as const;

export const expiredInQueueStatement = {
  name: 'sealed-texts-expired-1',
  text: `
SELECT m.id, m.kind, m.body FROM sealed_texts s JOIN messages m ON m.id = s.message_id
WHERE s.useful_until <= now() AND m.status = 'queued'
LIMIT ${EXPIRED_MAX}`,
} as const;

const deleteStatement = {
  name: 'sealed-text-remove-2',
  text: 'DELETE FROM sealed_texts WHERE message_id = $1',
} as const;

const discardStatement = {
  name: 'sealed-texts-discard-1',
  text: 'DELETE FROM sealed_texts WHERE message_id = ANY ($1::uuid[])',
} as const;

const unusedPayloads: PurgeRule = {
  table: 'sealed_texts',
  key: ['message_id'],
  expired: `useful_until <= now() - interval '24 hours'`,
};

/**
 * The texts of one-time passwords. Their row in `messages` holds a text without the code, so no
 * view of messages can show it; the real text is stored encrypted until the carrier has it.
 */
@Injectable()
export class OtpPayloads {
  constructor(
    private readonly postgres: Postgres,
    private readonly encryption: Encryption,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** Stores texts before their messages are accepted, within the caller's transaction. */
  async keep(tx: EntityManager, payloads: readonly OtpPayload[]): Promise<void> {
    const encrypted = payloads.map(({ text }) => this.encryption.encrypt(text));
    await this.postgres.run(tx, insertPayloadsStatement, [
      payloads.map(({ messageId }) => messageId),
      encrypted.map(({ ciphertext }) => ciphertext),
      encrypted.map(({ keyId }) => keyId),
      payloads.map(({ usefulSeconds }) => usefulSeconds),
    ]);
  }

  /**
   * Returns the text for the carrier; `isUseful` is false once it has expired. For any other
   * message the text is its body.
   */
  async read({ id, kind, body }: MessageBody): Promise<{ text: string; isUseful: boolean }> {
    if (kind !== 'otp') return { text: body, isUseful: true };
    const [found] = await this.postgres.query<StoredPayload>(findPayloadStatement, [id]);
    if (!found) return { text: body, isUseful: false };
    const text = this.encryption.decrypt({ ciphertext: found.sealed, keyId: found.encryptionKeyId });
    return { text, isUseful: found.isUseful };
  }

  /**
   * Returns a batch of messages in the queue that have expired. A later claim also finds them
   * expired.
   */
  expiredInQueue(): Promise<MessageBody[]> {
    return this.postgres.query<MessageBody>(expiredInQueueStatement, []);
  }

  /**
   * Deletes the text once the carrier has the message or will never get it. Retention deletes texts
   * when this fails.
   */
  async forget({ id, kind }: Pick<MessageBody, 'id' | 'kind'>): Promise<void> {
    if (kind !== 'otp') return;
    await this.postgres
      .query(deleteStatement, [id])
      .catch((err: unknown) => this.logger.warn({ err, messageId: id }, 'OTP payload left to retention'));
  }

  /** Deletes the texts of messages that were not accepted. */
  async discard(messageIds: readonly string[]): Promise<void> {
    await this.postgres.query(discardStatement, [messageIds]);
  }

  /**
   * As {@link forget}, for a message that a carrier has answered. With several carriers, the next
   * may need the text, which is then deleted after it has expired.
   */
  async taken(message: Pick<MessageBody, 'id' | 'kind'>): Promise<void> {
    if (this.config.carriers.length === 1) await this.forget(message);
  }

  /** Deletes a batch of texts that expired a day ago; returns whether there may be more. */
  purge(): Promise<boolean> {
    return purge(this.postgres, unusedPayloads, []);
  }
}
