import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';

/** Maximum age of a signed request, and maximum lead of its clock. */
const TOLERANCE_MS = 5 * 60_000;
const SIGNATURE_BYTES = 64;

/**
 * Verifies callbacks of Telnyx: Ed25519 over `timestamp|body`
 * (https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks). The URL is not
 * signed, so no part of it may be trusted.
 */
@Injectable()
export class TelnyxSignature {
  private readonly key: KeyObject | undefined;

  constructor({ telnyx }: Config) {
    this.key = telnyx && publicKeyOf(telnyx.publicKey);
  }

  /** True if Telnyx is a carrier here. */
  get isConfigured(): boolean {
    return this.key !== undefined;
  }

  /** `signature` in base64, `timestamp` in seconds, as in the headers; `body` as it arrived. */
  isValid(signature: string, timestamp: string, body: Buffer, nowMs = Date.now()): boolean {
    if (!this.key || !/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS) return false;
    const given = Buffer.from(signature, 'base64');
    return (
      given.length === SIGNATURE_BYTES &&
      verify(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), this.key, given)
    );
  }
}

/** RFC 8037: an Ed25519 key as a JSON Web Key. */
function publicKeyOf(base64: string): KeyObject {
  const x = Buffer.from(base64, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
