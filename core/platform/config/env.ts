import { readFileSync } from 'node:fs';
import { parseEnv as parseDotEnv } from 'node:util';
import { parsedUrl } from '../../rules/network-addresses.js';
import { environmentSchema, type Env } from './env-schema.js';
import { productionFaults } from './production.js';

/** Payments need all of these or none. */
const stripeVariables = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_STARTER',
  'STRIPE_PRICE_BASIC',
  'STRIPE_PRICE_PRO',
  'STRIPE_PRICE_ENTERPRISE',
] as const;

/** Names every invalid variable and its fix. The message is printed as it is. */
export class EnvironmentError extends Error {}

/** Validates the environment and reports all faults at once. Throws {@link EnvironmentError}. */
export function parseEnv(variables: NodeJS.ProcessEnv): Env {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environmentSchema
    .refine((env) => env.QUEUE_BACKEND === 'postgres' || env.REDIS_URL !== undefined, {
      path: ['REDIS_URL'],
      message: 'is not set: give the URL of a Redis, such as redis://127.0.0.1:6379',
      when: () => true,
    })
    .superRefine(({ REDIS_URL: urls = [], REDIS_CLUSTER }, context) => {
      const message = redisFault(urls, REDIS_CLUSTER === 'true');
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['REDIS_URL'], message });
    })
    .refine((env) => env.DISPATCH_LEASE_SECONDS * 1_000 >= 3 * env.CARRIER_TIMEOUT_MS, {
      path: ['DISPATCH_LEASE_SECONDS'],
      message: 'must be at least three times CARRIER_TIMEOUT_MS, so that a claim outlives its call to the carrier',
    })
    .refine((env) => (env.GOOGLE_CLIENT_ID === undefined) === (env.GOOGLE_CLIENT_SECRET === undefined), {
      path: ['GOOGLE_CLIENT_SECRET'],
      message: 'and GOOGLE_CLIENT_ID belong together: give both, or none',
      when: () => true,
    })
    .refine((env) => (env.INVOICE_SELLER_NAME === undefined) === (env.INVOICE_SELLER_ADDRESS === undefined), {
      path: ['INVOICE_SELLER_ADDRESS'],
      message: 'and INVOICE_SELLER_NAME belong together: give both, or none',
      when: () => true,
    })
    .superRefine((env, context) => {
      const missing = stripeVariables.filter((name) => env[name] === undefined);
      if (missing.length === stripeVariables.length) return;
      for (const name of missing)
        context.addIssue({ code: 'custom', path: [name], message: 'is not set: payments need it beside the others' });
    })
    .safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return given[name] === undefined && !/^(is not set|and )/.test(message)
      ? `${name} is not set: ${message}`
      : `${name} ${message}`;
  });
  throw new EnvironmentError(
    `The environment is not complete. ${faults.join('; ')}. docs/configuration.md explains each variable.`,
  );
}

/**
 * Returns what is wrong with the addresses of Redis, to be read after the variable's name;
 * undefined if nothing is.
 */
function redisFault(urls: readonly string[], isCluster: boolean): string | undefined {
  if (!isCluster)
    return urls.length > 1
      ? 'has more than one address: give one, or set REDIS_CLUSTER=true if they are nodes of a Redis Cluster'
      : undefined;
  // Invalid URLs have their own message.
  const nodes = urls.map(parsedUrl).filter((node) => node !== undefined);
  if (new Set(nodes.map(({ protocol, username, password: word }) => `${protocol}//${username}:${word}`)).size > 1)
    return 'must have the same scheme, user and password in every address: they are used for all nodes of the cluster';
  // https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/: a cluster has
  // database 0 only.
  if (nodes.some(({ pathname }) => !/^(\/0?)?$/.test(pathname)))
    return 'must name no database: a Redis Cluster has only one';
  return undefined;
}

/**
 * Reads the environment of this process, `.env`, and the file in which `npm start` stores its
 * embedded services' addresses. Every program starts with it. Throws {@link EnvironmentError}, also
 * for settings that must not run at a public address.
 */
export function loadEnv(): Env {
  return parseProgramEnv({ ...localEnvironment(process.env), ...process.env });
}

/** As {@link parseEnv}, with the rules of production. */
export function parseProgramEnv(variables: NodeJS.ProcessEnv): Env {
  const env = parseEnv(variables);
  const faults = productionFaults(variables);
  if (faults.length === 0) return env;
  throw new EnvironmentError(
    'PUBLIC_URL is not local, so the environment is one of production, and these settings are not fit ' +
      `for it. ${faults.join('; ')}. docs/configuration.md explains each variable.`,
  );
}

/** Returns the environment of a program that this process starts: its own, and more. */
export function childEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/**
 * `.data/local.env` serves `npm run admin`; it is ignored if a database is configured elsewhere.
 */
function localEnvironment(variables: NodeJS.ProcessEnv): Record<string, string> {
  const own = readEnvFile('.env');
  return variables.DATABASE_URL || own['DATABASE_URL'] ? own : { ...readEnvFile('.data/local.env'), ...own };
}

function readEnvFile(path: string): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(parseDotEnv(readFileSync(path, 'utf8'))).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw cause;
  }
}
