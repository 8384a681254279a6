import { generateKeyPairSync, sign } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const x = publicKey.export({ format: 'jwk' }).x ?? '';

/** A Telnyx account of a test, with one sender. */
export const telnyxVariables = {
  TELNYX_API_KEY: 'KEY of the tests'.replaceAll(' ', ''),
  TELNYX_PUBLIC_KEY: Buffer.from(x, 'base64url').toString('base64'),
  TELNYX_SENDERS: '+15005550100',
  TELNYX_API_URL: 'http://127.0.0.1:1',
} as const;

/** A Telnyx account that also sells numbers. */
export const telnyxNumberVariables = {
  ...telnyxVariables,
  TELNYX_MESSAGING_PROFILE_ID: '83d2343b-553f-4c5b-b8c8-fd27004f94bf',
  NUMBER_CARRIER: 'telnyx',
} as const;

/** Returns the headers with which Telnyx posts a body, signed `secondsAgo`, or with another key. */
export function telnyxHeaders(
  body: string | Buffer,
  { secondsAgo = 0, key = privateKey } = {},
): Record<'content-type' | 'telnyx-signature-ed25519' | 'telnyx-timestamp', string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) - secondsAgo);
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), Buffer.from(body)]);
  return {
    'content-type': 'application/json',
    'telnyx-signature-ed25519': sign(null, signed, key).toString('base64'),
    'telnyx-timestamp': timestamp,
  };
}
