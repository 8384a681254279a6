import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { SignedPost } from '../carriers/delivery.js';

export interface TelnyxSettings {
  /** The private key of the signatures (RFC 8032): 32 bytes in base64. */
  readonly telnyxSeed: string;
  readonly productUrl: string;
  readonly publicProductUrl: string;
}

/**
 * The product's URL on the messaging profile: for replies, and for receipts that the message's own
 * URL did not take.
 */
export const PROFILE_PATH = '/webhooks/telnyx/inbound';
/** Telnyx posts to each URL up to three times. */
export const ATTEMPT_PAUSES_MS: readonly number[] = [0, 500, 2_000];
/** To Telnyx, a later answer is no answer. */
export const ANSWER_MS = 2_000;

/** Telnyx takes every other answer as a failure. */
export function isTaken(productStatus: number): boolean {
  return productStatus >= 200 && productStatus < 300;
}

/** The header of a private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The private key with these 32 bytes, in base64. */
export function privateKeyOf(seed: string): KeyObject {
  const key = Buffer.concat([PKCS8_HEADER, Buffer.from(seed, 'base64')]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The public key as the portal shows it: 32 bytes in base64. */
export function publicKeyOf(key: KeyObject): string {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
}

/** Signs an event: Ed25519 over `timestamp|body`, with the time in seconds. */
export function signedEvent(key: KeyObject, type: string, payload: { readonly id?: string }, url: string): SignedPost {
  const body = JSON.stringify({
    data: { event_type: type, id: eventId(`${payload.id} ${type}`), occurred_at: now(), payload, record_type: 'event' },
    meta: { attempt: 1, delivered_to: url },
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'telnyx-webhooks',
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64'),
    },
    body,
  };
}

/** A UUID that is the same whenever the event is posted. */
function eventId(of: string): string {
  const hex = createHash('sha256').update(of).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function now(): string {
  return new Date().toISOString();
}
