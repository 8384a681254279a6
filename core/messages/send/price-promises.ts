import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { limits } from '#contract/limits.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Encryption } from '../../platform/crypto/encryption.js';

/**
 * Content that a price applies to: any JSON value, such as the recipient and text of each message.
 */
interface Priced {
  readonly accountId: string;
  readonly content: readonly unknown[];
}

const promise = z.strictObject({
  quote: z.literal(1),
  accountId: z.string(),
  contentHash: z.string(),
  credits: z.int().positive(),
  expiresAtMs: z.int(),
});

const INVALID =
  'This quote belongs to another account or message. Request another with POST /api/quote. You were not charged.';

const EXPIRED =
  `A quote is valid for ${limits.quoteMinutes} minutes. Request another with POST /api/quote. You were ` +
  'not charged.';

/**
 * Promises of a maximum price, for a few minutes. A quote is the encrypted promise itself: nothing
 * is stored, and only this service can issue one.
 */
@Injectable()
export class PricePromises {
  constructor(private readonly encryption: Encryption) {}

  /** Promises that sending the content costs the account at most `credits`. */
  issue({ accountId, content }: Priced, credits: number, now = new Date()): { quote: string; expiresAt: Date } {
    const expiresAt = new Date(now.getTime() + limits.quoteMinutes * 60_000);
    const promised: z.infer<typeof promise> = {
      quote: 1,
      accountId,
      contentHash: hashOf(content),
      credits,
      expiresAtMs: expiresAt.getTime(),
    };
    const { ciphertext } = this.encryption.encrypt(JSON.stringify(promised));
    return { quote: ciphertext.toString('base64url'), expiresAt };
  }

  /**
   * Returns the promised price; `quote_invalid` for another account or content, or an invalid text;
   * `quote_expired`, with a new quote as its fix unless the content costs more now: `credits`.
   */
  priceOf(quote: string, { credits, ...priced }: Priced & { credits: number }, now = new Date()): number | DomainError {
    const { accountId, content } = priced;
    const promised = this.read(quote);
    if (!promised || promised.accountId !== accountId || promised.contentHash !== hashOf(content))
      return new DomainError('quote_invalid', INVALID);
    if (now.getTime() < promised.expiresAtMs) return promised.credits;
    const isCovered = credits <= promised.credits;
    return new DomainError('quote_expired', EXPIRED, {
      ...(isCovered && { fix: { quote: this.issue(priced, credits, now).quote } }),
    });
  }

  private read(quote: string): z.infer<typeof promise> | undefined {
    try {
      const text = this.encryption.decrypt({ ciphertext: Buffer.from(quote, 'base64url'), keyId: null });
      return promise.parse(JSON.parse(text));
    } catch {
      // The text is not a quote of this service.
      return undefined;
    }
  }
}

function hashOf(content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
