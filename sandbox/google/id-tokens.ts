import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Grant } from './grants.js';
import { TOKEN_LIFE_SECONDS } from './grants.js';
import { profileOf } from './profile.js';

/** Signs ID tokens with a key that is made at the first one, and publishes its public half. */
export class IdTokens {
  private keys: { readonly id: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined;

  constructor(private readonly clientId: string) {}

  /** A JSON Web Token in RS256, as Google's token endpoint gives it. */
  sign(grant: Grant, baseUrl: string, accessToken: string, nowMs: number): string {
    const { id, privateKey } = this.keyPair();
    const issuedAt = Math.floor(nowMs / 1000);
    const claims = {
      iss: baseUrl,
      azp: this.clientId,
      aud: this.clientId,
      ...profileOf(grant, baseUrl),
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
      ...(grant.request.nonce === null ? {} : { nonce: grant.request.nonce }),
      iat: issuedAt,
      exp: issuedAt + TOKEN_LIFE_SECONDS + 1,
    };
    const signed = `${encoded({ alg: 'RS256', kid: id, typ: 'JWT' })}.${encoded(claims)}`;
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  /** The JSON Web Key Set. */
  publicKeys() {
    const { id, publicKey } = this.keyPair();
    return { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: id }] };
  }

  private keyPair() {
    if (this.keys === undefined) {
      const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const id = createHash('sha1')
        .update(pair.publicKey.export({ type: 'spki', format: 'der' }))
        .digest('hex');
      this.keys = { id, ...pair };
    }
    return this.keys;
  }
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
