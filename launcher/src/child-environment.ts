import type { Secrets } from './secrets.js';
import type { Settings } from './settings.js';

/** Where the product's data and jobs are. Without a Redis the queue stands in Postgres. */
export interface Services {
  databaseUrl: string;
  redisUrl: string | undefined;
}

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
    ...(env['GOOGLE_CLIENT_ID'] ? googleOf(env) : sandboxGoogle(settings)),
    ...(settings.hasTwilio ? twilioOf(env) : sandboxTwilio(settings, secrets)),
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
      ...sandboxTwilio(settings, secrets),
      SANDBOX_PORT: String(settings.sandboxPort),
      SANDBOX_PRODUCT_URL: `http://localhost:${settings.port}`,
      SANDBOX_DATA_DIR: sandboxDataDir,
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

function twilioOf(env: ReadEnvironment): Environment {
  return startingWith('TWILIO_', env);
}

function googleOf(env: ReadEnvironment): Environment {
  return startingWith('GOOGLE_', env);
}

function startingWith(prefix: string, env: ReadEnvironment): Environment {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== undefined ? [[name, value]] : [],
    ),
  );
}
