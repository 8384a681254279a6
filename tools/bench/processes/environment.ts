import { randomBytes } from 'node:crypto';

/** Where the services are that the bench was given. */
export interface Services {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** Secrets of this run, in the forms that the product expects. */
export interface Secrets {
  readonly apiKeyHashSecret: Buffer;
  readonly apiKeyEncryptionKey: Buffer;
  readonly accountSid: string;
  readonly authToken: string;
}

/** Which database, keys and ports one measurement has for itself. */
export interface Place {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly queuePrefix: string;
  readonly serverPort: number;
  readonly workerPort: number;
  readonly sandboxPort: number;
  /** Requests per second by key and by address; 0 for no limits. */
  readonly rateLimitPerSecond: number;
}

type Environment = Record<string, string>;

export function newSecrets(): Secrets {
  return {
    apiKeyHashSecret: randomBytes(32),
    apiKeyEncryptionKey: randomBytes(32),
    accountSid: `AC${randomBytes(16).toString('hex')}`,
    authToken: randomBytes(16).toString('hex'),
  };
}

/**
 * What a child finds in its environment: nothing of the caller's settings but where programs and homes are, so that the
 * defaults are measured and not what a developer's shell happens to hold.
 */
export function environmentOf(place: Place, secrets: Secrets): Environment {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, NODE_ENV: 'production', ...product(place, secrets), ...sandbox(place) };
}

function product(place: Place, secrets: Secrets): Environment {
  return {
    DATABASE_URL: place.databaseUrl,
    REDIS_URL: place.redisUrl,
    QUEUE_PREFIX: place.queuePrefix,
    HOST: '127.0.0.1',
    PORT: String(place.serverPort),
    WORKER_PORT: String(place.workerPort),
    PUBLIC_URL: serverUrlOf(place),
    API_KEY_HASH_SECRET: secrets.apiKeyHashSecret.toString('base64'),
    API_KEY_ENCRYPTION_KEY: secrets.apiKeyEncryptionKey.toString('base64'),
    TWILIO_ACCOUNT_SID: secrets.accountSid,
    TWILIO_AUTH_TOKEN: secrets.authToken,
    // Twilio's magic sender that always works: https://www.twilio.com/docs/iam/test-credentials
    TWILIO_SENDERS: '+15005550006',
    TWILIO_API_URL: sandboxUrlOf(place),
    GOOGLE_CLIENT_ID: 'bench',
    GOOGLE_CLIENT_SECRET: secrets.authToken,
    GOOGLE_BASE_URL: sandboxUrlOf(place),
    // Customers' servers are on this machine.
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    RATE_LIMIT_KEY_PER_SECOND: String(place.rateLimitPerSecond),
    RATE_LIMIT_ADDRESS_PER_SECOND: String(place.rateLimitPerSecond),
  };
}

function sandbox(place: Place): Environment {
  return { SANDBOX_PORT: String(place.sandboxPort), SANDBOX_SMTP_PORT: '0', SANDBOX_PRODUCT_URL: serverUrlOf(place) };
}

export function serverUrlOf({ serverPort }: Place): string {
  return `http://127.0.0.1:${serverPort}`;
}

export function workerUrlOf({ workerPort }: Place): string {
  return `http://127.0.0.1:${workerPort}`;
}

export function sandboxUrlOf({ sandboxPort }: Place): string {
  return `http://127.0.0.1:${sandboxPort}`;
}
