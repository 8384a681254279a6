import type { Secrets } from './secrets.js';
import type { Settings } from './settings.js';

/** Where the product's data and jobs are. Without a Redis the queue stands in Postgres. */
export interface Services {
  databaseUrl: string;
  redisUrl: string | undefined;
}

/** 4025 beside the default 4000. */
export const SMTP_PORT_OFFSET = 25;

type Environment = Record<string, string>;
type ReadEnvironment = Readonly<Record<string, string | undefined>>;

/** What server, worker, migrations and the operator's commands need to find the same product. */
export function productEnvironment(
  settings: Settings,
  secrets: Secrets,
  services: Services,
  env: ReadEnvironment,
): Environment {
  return {
    DATABASE_URL: services.databaseUrl,
    ...(services.redisUrl ? { QUEUE_BACKEND: 'redis', REDIS_URL: services.redisUrl } : { QUEUE_BACKEND: 'postgres' }),
    PUBLIC_URL: settings.publicUrl,
    API_KEY_HASH_SECRET: env['API_KEY_HASH_SECRET'] || secrets.apiKeyHashSecret,
    API_KEY_ENCRYPTION_KEY: env['API_KEY_ENCRYPTION_KEY'] || secrets.apiKeyEncryptionKey,
    // The sandbox's webhook inspector is on this machine.
    ...(settings.hasTwilio ? {} : { ALLOW_PRIVATE_WEBHOOKS: env['ALLOW_PRIVATE_WEBHOOKS'] || 'true' }),
    ...(env['GOOGLE_CLIENT_ID'] ? namedIn(env, 'GOOGLE_') : sandboxGoogle(settings)),
    ...(settings.hasTwilio ? namedIn(env, 'TWILIO_') : sandboxTwilio(settings, secrets)),
    SMTP_URL: env['SMTP_URL'] || `smtp://127.0.0.1:${smtpPortOf(settings, env)}`,
    ...(env['MAIL_FROM'] && { MAIL_FROM: env['MAIL_FROM'] }),
    ...(settings.hasStripe ? namedIn(env, 'STRIPE_') : sandboxStripe(settings)),
  };
}

/** What the running programs need beyond the product's environment. */
export function programEnvironment(
  settings: Settings,
  secrets: Secrets,
  sandboxDataDir: string,
  env: ReadEnvironment,
): Record<'server' | 'worker' | 'sandbox', Environment & { LOG_FORMAT: string }> {
  const log = { LOG_FORMAT: env['LOG_FORMAT'] || 'pretty' };
  return {
    server: { ...log, PORT: String(settings.port) },
    worker: { ...log, WORKER_PORT: String(settings.workerPort) },
    sandbox: {
      ...log,
      // Its own credentials, never real ones: those have no business in a sandbox.
      ...sandboxTwilio(settings, secrets),
      ...sandboxGoogle(settings),
      ...sandboxStripe(settings),
      SANDBOX_SMTP_PORT: smtpPortOf(settings, env),
      SANDBOX_PUBLIC_URL: `http://localhost:${settings.sandboxPort}`,
      SANDBOX_PORT: String(settings.sandboxPort),
      SANDBOX_PRODUCT_URL: `http://localhost:${settings.port}`,
      SANDBOX_DATA_DIR: sandboxDataDir,
      SANDBOX_STRIPE_PRICES: 'price_starter:300,price_basic:1000,price_pro:3000,price_enterprise:5000',
    },
  };
}

/** Environment as lines of a `.env` file. */
export function environmentLines(environment: Environment): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${/^[\w./:@+=?&-]*$/.test(value) ? value : JSON.stringify(value)}\n`)
    .join('');
}

// +15005550006 is Twilio's magic sender that always works: https://www.twilio.com/docs/iam/test-credentials
function sandboxTwilio(settings: Settings, secrets: Secrets): Environment {
  return {
    TWILIO_ACCOUNT_SID: secrets.sandboxAccountSid,
    TWILIO_AUTH_TOKEN: secrets.sandboxAuthToken,
    TWILIO_SENDERS: '+15005550006',
    TWILIO_API_URL: `http://127.0.0.1:${settings.sandboxPort}`,
  };
}

function sandboxGoogle(settings: Settings): Environment {
  return {
    GOOGLE_CLIENT_ID: 'sandbox-client',
    GOOGLE_CLIENT_SECRET: 'sandbox-secret',
    GOOGLE_BASE_URL: `http://localhost:${settings.sandboxPort}`,
  };
}

/** Beside the sandbox's other port, so that two products on one machine keep apart. */
function smtpPortOf(settings: Settings, env: ReadEnvironment): string {
  return env['SANDBOX_SMTP_PORT'] || String(settings.sandboxPort + SMTP_PORT_OFFSET);
}

function sandboxStripe(settings: Settings): Environment {
  return {
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
    STRIPE_PRICE_STARTER: 'price_starter',
    STRIPE_PRICE_BASIC: 'price_basic',
    STRIPE_PRICE_PRO: 'price_pro',
    STRIPE_PRICE_ENTERPRISE: 'price_enterprise',
    STRIPE_API_URL: `http://127.0.0.1:${settings.sandboxPort}`,
  };
}

function namedIn(env: ReadEnvironment, prefix: string): Environment {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== undefined ? [[name, value]] : [],
    ),
  );
}
