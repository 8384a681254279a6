import { randomBytes } from 'node:crypto';
import type { Children } from './children.js';
import type { Options } from './options.js';
import type { Report } from './report.js';

/** Shared by every part of the bench. */
export interface Bench {
  readonly options: Options;
  readonly services: { readonly databaseUrl: string; readonly redisUrl: string };
  readonly secrets: Secrets;
  readonly children: Children;
  readonly report: Report;
  /** Aborts when the bench is stopped by a signal. */
  readonly signal: AbortSignal;
}

/** Secrets of this run. */
export interface Secrets {
  readonly apiKeyHashSecret: Buffer;
  readonly accountSid: string;
  readonly authToken: string;
}

/** Database, key prefix and addresses of one measurement. */
export interface Place {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly queuePrefix: string;
  readonly serverUrl: string;
  readonly sandboxUrl: string;
}

export function newSecrets(): Secrets {
  return {
    apiKeyHashSecret: randomBytes(32),
    accountSid: `AC${randomBytes(16).toString('hex')}`,
    authToken: randomBytes(16).toString('hex'),
  };
}

/**
 * The environment of the product's programs. It holds no setting of the caller's, so defaults are
 * measured, except the rate limits by key and by address: requests per second, 0 for none.
 */
export function environmentOf(place: Place, secrets: Secrets, rateLimitPerSecond: number): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: place.databaseUrl,
    REDIS_URL: place.redisUrl,
    QUEUE_PREFIX: place.queuePrefix,
    HOST: '127.0.0.1',
    PORT: new URL(place.serverUrl).port,
    PUBLIC_URL: place.serverUrl,
    API_KEY_HASH_SECRET: secrets.apiKeyHashSecret.toString('base64'),
    API_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    TWILIO_ACCOUNT_SID: secrets.accountSid,
    TWILIO_AUTH_TOKEN: secrets.authToken,
    // Twilio's magic sender that always works: https://www.twilio.com/docs/iam/test-credentials
    TWILIO_SENDERS: '+15005550006',
    TWILIO_API_URL: place.sandboxUrl,
    GOOGLE_CLIENT_ID: 'bench',
    GOOGLE_CLIENT_SECRET: secrets.authToken,
    GOOGLE_BASE_URL: place.sandboxUrl,
    // Webhook receivers run on this machine.
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    RATE_LIMIT_KEY_PER_SECOND: String(rateLimitPerSecond),
    RATE_LIMIT_ADDRESS_PER_SECOND: String(rateLimitPerSecond),
    SANDBOX_PORT: new URL(place.sandboxUrl).port,
    SANDBOX_SMTP_PORT: '0',
    SANDBOX_PRODUCT_URL: place.serverUrl,
  };
}
