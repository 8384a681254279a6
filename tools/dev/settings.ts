import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../testkit/program.js';

type Environment = Record<string, string>;
type ReadEnvironment = Readonly<Record<string, string | undefined>>;

/** Settings from the environment. Ports are numbers from 1 to 65535. */
export interface Settings {
  readonly port: number;
  readonly workerPort: number;
  readonly sandboxPort: number;
  readonly publicUrl: string;
  /**
   * Whether `publicUrl` is this machine. The product refuses the sandbox's secrets and addresses
   * elsewhere.
   */
  readonly isLocal: boolean;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  /** False with QUEUE_BACKEND=postgres: Redis is not used even if there is one. */
  readonly wantsRedis: boolean;
  readonly hasTwilio: boolean;
  readonly hasStripe: boolean;
}

/** The stores that the product runs on. Without Redis the queue is in Postgres. */
export interface Services {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
}

/** Secrets of one installation. The sandbox's credentials look like Twilio's. */
export interface Secrets {
  /** 32 bytes, base64. */
  readonly apiKeyHashSecret: string;
  /** 32 bytes, base64: AES-256-GCM. */
  readonly apiKeyEncryptionKey: string;
  readonly sandboxAccountSid: string;
  readonly sandboxAuthToken: string;
}

/** The sandbox's SMTP port beside its HTTP port: 4025 beside 4000. */
export const SMTP_PORT_OFFSET = 25;
/** The sandbox's SMPP port beside its HTTP port: 4075. */
export const SMPP_PORT_OFFSET = 75;

/** Adds the `.env` of the repository to the environment; variables that are set already win. */
export function loadDotEnv(root: string): void {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/** Secrets that `npm start` hands to the programs itself, and their vendors'. */
const handedSecretFile =
  /^(DATABASE_URL|REDIS_URL|API_KEY_\w+|GOOGLE_\w+|TWILIO_\w+|STRIPE_\w+|SMTP_URL|SMPP_BINDS)_FILE$/;

/** Reads the settings. Throws StartError naming the variable that is wrong. */
export function settingsOf(env: ReadEnvironment): Settings {
  const file = Object.keys(env).find((name) => env[name] && handedSecretFile.test(name));
  if (file !== undefined)
    throw new StartError(`npm start reads no secrets from files: set ${file.replace(/_FILE$/, '')}, not ${file}.`);
  const port = portOf(env, 'PORT', 3000);
  const workerPort = portOf(env, 'WORKER_PORT', 3001);
  const sandboxPort = portOf(env, 'SANDBOX_PORT', 4000);
  if (new Set([port, workerPort, sandboxPort]).size < 3) {
    throw new StartError(`PORT (${port}), WORKER_PORT (${workerPort}) and SANDBOX_PORT (${sandboxPort}) must differ.`);
  }
  const publicUrl = env['PUBLIC_URL'] || `http://localhost:${port}`;
  return {
    port,
    workerPort,
    sandboxPort,
    publicUrl,
    isLocal: /^https?:\/\/(([^/@]+\.)?localhost|127(\.\d+){3}|\[::1\])(:\d+)?\/?$/i.test(publicUrl),
    databaseUrl: urlOf(env, 'DATABASE_URL', 'postgres://user:password@host:5432/pennytext'),
    redisUrl: urlOf(env, 'REDIS_URL', 'redis://host:6379'),
    wantsRedis: env['QUEUE_BACKEND'] !== 'postgres',
    hasTwilio: Boolean(env['TWILIO_ACCOUNT_SID']),
    hasStripe: Boolean(env['STRIPE_SECRET_KEY']),
  };
}

/**
 * Reads the secrets of a file, created at the first start: without them stored API keys could not
 * be read again.
 */
export function loadSecrets(file: string): Secrets {
  const fresh: Secrets = {
    apiKeyHashSecret: randomBytes(32).toString('base64'),
    apiKeyEncryptionKey: randomBytes(32).toString('base64'),
    sandboxAccountSid: `AC${randomBytes(16).toString('hex')}`,
    sandboxAuthToken: randomBytes(16).toString('hex'),
  };
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const secrets = { ...fresh, ...(JSON.parse(kept) as Partial<Secrets>) };
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

/** Seller on invoices for the sandbox's payments. */
const exampleSeller = {
  INVOICE_SELLER_NAME: 'Example Operator Inc.',
  INVOICE_SELLER_ADDRESS: '1 Example Street | New York, NY 10001 | USA',
};

/**
 * The environment by which server, worker, migrations and the operator's commands find the same
 * product.
 */
export function productEnvironment(
  settings: Settings,
  secrets: Secrets,
  { databaseUrl, redisUrl }: Services,
  env: ReadEnvironment,
): Environment {
  const { google, twilio, telnyx, stripe } = sandboxCredentials(settings, secrets);
  const { isLocal, hasTwilio, hasStripe } = settings;
  const usesSandbox = isLocal && !hasTwilio && !env['TELNYX_API_KEY'] && !env['SMPP_BINDS'];
  return {
    DATABASE_URL: databaseUrl,
    ...(redisUrl ? { QUEUE_BACKEND: 'redis', REDIS_URL: redisUrl } : { QUEUE_BACKEND: 'postgres' }),
    PUBLIC_URL: settings.publicUrl,
    API_KEY_HASH_SECRET: env['API_KEY_HASH_SECRET'] || secrets.apiKeyHashSecret,
    API_KEY_ENCRYPTION_KEY: env['API_KEY_ENCRYPTION_KEY'] || secrets.apiKeyEncryptionKey,
    // The sandbox's webhook inspector is on this machine.
    ...(isLocal && !hasTwilio && { ALLOW_PRIVATE_WEBHOOKS: env['ALLOW_PRIVATE_WEBHOOKS'] || 'true' }),
    ...(isLocal && !env['GOOGLE_CLIENT_ID'] ? google : prefixed(env, 'GOOGLE_')),
    ...(isLocal && !hasTwilio ? twilio : prefixed(env, 'TWILIO_')),
    // Three carriers of the sandbox, unless a carrier is real.
    ...(usesSandbox ? { ...telnyx, ...smppBind(settings, env) } : {}),
    ...prefixed(env, 'TELNYX_'),
    ...prefixed(env, 'SMPP_BINDS'),
    ...(isLocal && !env['SMTP_URL'] && { SMTP_URL: `smtp://127.0.0.1:${smtpPortOf(settings, env)}` }),
    ...prefixed(env, 'SMTP_URL'),
    ...(env['MAIL_FROM'] && { MAIL_FROM: env['MAIL_FROM'] }),
    ...(isLocal && !hasStripe ? stripe : prefixed(env, 'STRIPE_')),
    // Real payments never get invoices of the example seller.
    ...(isLocal && !hasStripe && !env['INVOICE_SELLER_NAME'] ? exampleSeller : prefixed(env, 'INVOICE_')),
  };
}

/** Variables that the running programs need beyond the product's environment. */
export function programEnvironment(
  settings: Settings,
  secrets: Secrets,
  sandboxDataDir: string,
  env: ReadEnvironment,
): Record<'server' | 'worker' | 'sandbox', Environment & { LOG_FORMAT: string }> {
  const log = { LOG_FORMAT: env['LOG_FORMAT'] || 'pretty' };
  // Ports are set here, and no platform is behind them. Nothing in front of the programs has to notice their end.
  const serving = { ...log, HOST: env['HOST'] || '127.0.0.1', DRAIN_SECONDS: env['DRAIN_SECONDS'] || '0' };
  // Never real credentials: the sandbox has no use for them.
  const { google, twilio, stripe } = sandboxCredentials(settings, secrets);
  return {
    server: { ...serving, PORT: String(settings.port) },
    worker: { ...serving, WORKER_PORT: String(settings.workerPort) },
    sandbox: {
      ...log,
      ...twilio,
      ...google,
      ...stripe,
      SANDBOX_SMTP_PORT: smtpPortOf(settings, env),
      SANDBOX_SMPP_PORT: smppPortOf(settings, env),
      SANDBOX_PUBLIC_URL: `http://localhost:${settings.sandboxPort}`,
      SANDBOX_PORT: String(settings.sandboxPort),
      SANDBOX_PRODUCT_URL: `http://localhost:${settings.port}`,
      SANDBOX_DATA_DIR: sandboxDataDir,
      SANDBOX_STRIPE_PRICES: 'price_starter:300,price_basic:1000,price_pro:3000,price_enterprise:5000',
    },
  };
}

/**
 * Environment as lines that a POSIX shell and the programs of the product read back byte for byte.
 * Node's own reader of `.env` files does too, except for a carriage return, and for a single quote
 * beside one of " \ $ `, for which it has no form that is safe in a shell.
 */
export function environmentLines(environment: Environment): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('');
}

function quoted(value: string): string {
  if (/^[\w./:@+=?,-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return /["\\$`]/.test(value) ? `'${value.replaceAll("'", String.raw`'\''`)}'` : `"${value}"`;
}

function sandboxCredentials({ sandboxPort }: Settings, secrets: Secrets) {
  return {
    // +15005550006 is Twilio's magic sender that always works:
    // https://www.twilio.com/docs/iam/test-credentials
    twilio: {
      TWILIO_ACCOUNT_SID: secrets.sandboxAccountSid,
      TWILIO_AUTH_TOKEN: secrets.sandboxAuthToken,
      TWILIO_SENDERS: '+15005550006',
      TWILIO_WHATSAPP_SENDER: '+14155238886',
      TWILIO_WHATSAPP_TEMPLATE: `HX${'0'.repeat(32)}`,
      TWILIO_VOICE_NUMBER: '+15005550006',
      TWILIO_API_URL: `http://127.0.0.1:${sandboxPort}`,
    },
    telnyx: {
      TELNYX_API_KEY: 'KEY_sandbox',
      TELNYX_PUBLIC_KEY: 'xcoq0gutByTpfJ9DoIAR4//RmsxxklziM0uJ6yIlPYw=',
      TELNYX_SENDERS: '+15005550100',
      TELNYX_MESSAGING_PROFILE_ID: '83d2343b-553f-4c5b-b8c8-fd27004f94bf',
      TELNYX_API_URL: `http://127.0.0.1:${sandboxPort}`,
    },
    google: {
      GOOGLE_CLIENT_ID: 'sandbox-client',
      GOOGLE_CLIENT_SECRET: 'sandbox-secret',
      GOOGLE_BASE_URL: `http://localhost:${sandboxPort}`,
    },
    stripe: {
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      STRIPE_PRICE_STARTER: 'price_starter',
      STRIPE_PRICE_BASIC: 'price_basic',
      STRIPE_PRICE_PRO: 'price_pro',
      STRIPE_PRICE_ENTERPRISE: 'price_enterprise',
      STRIPE_API_URL: `http://127.0.0.1:${sandboxPort}`,
    },
  };
}

/** The sandbox's SMSC as a carrier. */
function smppBind(settings: Settings, env: ReadEnvironment): Environment {
  const url = `smpp://127.0.0.1:${smppPortOf(settings, env)}`;
  const bind = { name: 'smsc', url, system_id: 'sandbox', password: 'sandbox', senders: ['+15005550200'] };
  return { SMPP_BINDS: JSON.stringify([bind]) };
}

function smppPortOf({ sandboxPort }: Settings, env: ReadEnvironment): string {
  return env['SANDBOX_SMPP_PORT'] || String(sandboxPort + SMPP_PORT_OFFSET);
}

function smtpPortOf(settings: Settings, env: ReadEnvironment): string {
  return env['SANDBOX_SMTP_PORT'] || String(settings.sandboxPort + SMTP_PORT_OFFSET);
}

function prefixed(env: ReadEnvironment, prefix: string): Environment {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== undefined ? [[name, value]] : [],
    ),
  );
}

function portOf(env: ReadEnvironment, name: string, usual: number): number {
  const port = Number(env[name] || usual);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new StartError(`${name} must be a port from 1 to 65535, but is "${env[name]}".`);
}

function urlOf(env: ReadEnvironment, name: string, example: string): string | undefined {
  const url = env[name];
  if (!url) return undefined;
  if (URL.canParse(url) && new URL(url).hostname) return url;
  throw new StartError(`${name} is not a URL: it should look like ${example}.`);
}
