import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Encryption } from '../../platform/crypto/encryption.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { OtpPayloadsRepository } from './otp-payloads.repository.js';

export interface SecretText {
  readonly messageId: string;
  readonly text: string;
  /** After so many minutes nobody needs to get it any more. */
  readonly usefulMinutes: number;
}

interface MessageBody {
  readonly id: string;
  readonly kind: 'sms' | 'otp';
  readonly body: string;
}

const KEPT_HOURS = 24;

/**
 * What one-time passwords really say. Their row in `messages` holds a text without the code, so nothing that shows messages
 * can show it; the true one is encrypted beside it until the carrier has it.
 */
@Injectable()
export class OtpPayloads {
  constructor(
    private readonly texts: OtpPayloadsRepository,
    private readonly encryption: Encryption,
    private readonly logger: Logger,
  ) {}

  /** Before the message is accepted, within the caller's transaction. */
  async keep(tx: EntityManager, secrets: readonly SecretText[]): Promise<void> {
    const sealed = secrets.map(({ text, ...rest }) => {
      const { ciphertext, keyId } = this.encryption.encrypt(text);
      return { ...rest, sealed: ciphertext, encryptionKeyId: keyId };
    });
    await this.texts.insert(tx, sealed);
  }

  /** The text for the carrier; `isUseful` is false once its time has passed. A message without a secret is its body. */
  async read({ id, kind, body }: MessageBody): Promise<{ text: string; isUseful: boolean }> {
    if (kind === 'sms') return { text: body, isUseful: true };
    const found = await this.texts.find(id);
    if (!found) return { text: body, isUseful: false };
    const text = this.encryption.decrypt({ ciphertext: found.sealed, keyId: found.encryptionKeyId });
    return { text, isUseful: found.isUseful };
  }

  /** The carrier has the message, or will never get it. What fails here is purged later. */
  async forget({ id, kind }: Pick<MessageBody, 'id' | 'kind'>): Promise<void> {
    if (kind === 'sms') return;
    await this.texts
      .remove(id)
      .catch((err: unknown) => this.logger.warn({ err, messageId: id }, 'sealed text left to retention'));
  }

  /** Forgets what nobody took to the carrier; answers whether there may be more. */
  purge(): Promise<boolean> {
    return this.texts.purge(KEPT_HOURS);
  }
}
