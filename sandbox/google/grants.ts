import { randomBytes } from 'node:crypto';
import type { AuthorizeRequest } from './authorize-request.js';
import type { Person } from './people.js';

/** Somebody agreed to sign in. */
export interface Grant {
  readonly person: Person;
  readonly request: AuthorizeRequest;
}

/** Google's own: codes work for ten minutes, access tokens for an hour, less the second it takes to answer. */
const CODE_LIFE_MS = 600_000;
export const TOKEN_LIFE_SECONDS = 3_599;
const KEPT_MAX = 10_000;

interface Kept {
  readonly grant: Grant;
  readonly expiresAtMs: number;
}

/** Codes, each for one use, and access tokens. */
export class Grants {
  private readonly codes = new Map<string, Kept>();
  private readonly tokens = new Map<string, Kept>();

  constructor(private readonly now: () => number = Date.now) {}

  /** A code for the redirect back to the product. */
  newCode(grant: Grant): string {
    const code = `4/0A${randomBytes(48).toString('base64url')}`;
    keep(this.codes, code, { grant, expiresAtMs: this.now() + CODE_LIFE_MS });
    return code;
  }

  /** What a code stands for; it is worth nothing afterwards, whatever comes of the exchange. */
  takeCode(code: string): Grant | undefined {
    const kept = this.codes.get(code);
    this.codes.delete(code);
    return this.alive(kept);
  }

  newToken(grant: Grant): string {
    const token = `ya29.a0${randomBytes(96).toString('base64url')}`;
    keep(this.tokens, token, { grant, expiresAtMs: this.now() + TOKEN_LIFE_SECONDS * 1000 });
    return token;
  }

  byToken(token: string): Grant | undefined {
    return this.alive(this.tokens.get(token));
  }

  clear(): void {
    this.codes.clear();
    this.tokens.clear();
  }

  private alive(kept: Kept | undefined): Grant | undefined {
    return kept !== undefined && kept.expiresAtMs > this.now() ? kept.grant : undefined;
  }
}

// A Map keeps the order of arrival: the first key is the oldest.
function keep(map: Map<string, Kept>, key: string, kept: Kept): void {
  map.set(key, kept);
  const [oldest] = map.keys();
  if (map.size > KEPT_MAX && oldest !== undefined) map.delete(oldest);
}
