import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Encryption } from '../../platform/crypto/encryption.js';
import { EndpointsRepository } from './endpoints.repository.js';

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** An endpoint's secrets at rest, as the columns have them; null: none. */
export interface EncryptedSecrets {
  /** Null until the first need makes one. */
  readonly secret: Buffer | null;
  readonly secretKeyId: string | null;
  /** While it is being replaced. */
  readonly previousSecret: Buffer | null;
  readonly previousSecretKeyId: string | null;
}

/** Secrets that sign webhooks, `whsec_…`; sealed at rest as the readable copies of API keys are. */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly encryption: Encryption,
  ) {}

  /** Those that are valid now, the current one first. */
  async of(accountId: string, sealed: EncryptedSecrets): Promise<string[]> {
    const current = this.open(sealed.secret, sealed.secretKeyId) ?? (await this.make(accountId));
    const previous = this.open(sealed.previousSecret, sealed.previousSecretKeyId);
    return previous === undefined ? [current] : [current, previous];
  }

  generate(): { secret: string; sealed: Buffer; keyId: string } {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    const { ciphertext: sealed, keyId } = this.encryption.encrypt(secret);
    return { secret, sealed, keyId };
  }

  /** The first secret of an account; of several who make it at once one wins, and all get his. */
  private async make(accountId: string): Promise<string> {
    const { sealed, keyId } = this.generate();
    const kept = await this.endpoints.firstSecret(accountId, sealed, keyId);
    const secret = this.open(kept.secret, kept.secretKeyId);
    if (secret === undefined) throw new Error('A secret that was made is there');
    return secret;
  }

  open(sealed: Buffer | null, keyId: string | null): string | undefined {
    return sealed === null ? undefined : this.encryption.decrypt({ ciphertext: sealed, keyId });
  }
}
