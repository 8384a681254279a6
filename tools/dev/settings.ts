import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.js';

/** What the person who starts the product has set. Ports are numbers from 1 to 65535. */
export interface Settings {
  port: number;
  workerPort: number;
  sandboxPort: number;
  publicUrl: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** QUEUE_BACKEND=postgres: no Redis is wanted, even if there is one. */
  wantsRedis: boolean;
  hasTwilio: boolean;
  hasStripe: boolean;
}

/** Adds the `.env` of the repository to the environment; what is set there already wins. */
export function loadDotEnv(root: string): void {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/** Reads the settings out of the environment. Throws StartError naming the variable that is wrong. */
export function settingsOf(env: Record<string, string | undefined>): Settings {
  const port = portOf(env, 'PORT', 3000);
  const workerPort = portOf(env, 'WORKER_PORT', 3001);
  const sandboxPort = portOf(env, 'SANDBOX_PORT', 4000);
  if (new Set([port, workerPort, sandboxPort]).size < 3) {
    throw new StartError(`PORT (${port}), WORKER_PORT (${workerPort}) and SANDBOX_PORT (${sandboxPort}) must differ.`);
  }
  return {
    port,
    workerPort,
    sandboxPort,
    publicUrl: env['PUBLIC_URL'] || `http://localhost:${port}`,
    databaseUrl: urlOf(env, 'DATABASE_URL', 'postgres://user:password@host:5432/pennytext'),
    redisUrl: urlOf(env, 'REDIS_URL', 'redis://host:6379'),
    wantsRedis: env['QUEUE_BACKEND'] !== 'postgres',
    hasTwilio: Boolean(env['TWILIO_ACCOUNT_SID']),
    hasStripe: Boolean(env['STRIPE_SECRET_KEY']),
  };
}

function portOf(env: Record<string, string | undefined>, name: string, usual: number): number {
  const port = Number(env[name] || usual);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new StartError(`${name} must be a port from 1 to 65535, but is "${env[name]}".`);
}

function urlOf(env: Record<string, string | undefined>, name: string, example: string): string | undefined {
  const url = env[name];
  if (!url) return undefined;
  try {
    if (new URL(url).hostname) return url;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_INVALID_URL') throw error;
  }
  throw new StartError(`${name} is not a URL: it should look like ${example}.`);
}
