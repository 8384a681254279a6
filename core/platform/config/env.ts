import { z } from 'zod';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { readLocalEnvironment } from './local-environment.js';
import { redisAddressFault } from './redis-address.js';

const count = (fallback: number, min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error }).default(fallback);
};
const port = (fallback: number) => count(fallback, 1, 65_535);
const flag = (fallback: boolean) =>
  z.enum(['true', 'false'], { error: 'must be true or false' }).default(fallback ? 'true' : 'false');
/** A text that must be given; `error` says what it must be, also when it is missing. */
const text = (form: RegExp, error: string) => z.string({ error }).regex(form, { error });
const base64Key = text(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64: openssl rand -base64 32');
const secretWord = text(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 letters, digits and signs, without spaces');
const priceId = text(/^price_/, 'must be the id of a price, price_…, as the Stripe dashboard shows it').optional();
const senders =
  'must be +numbers or MG… ids, separated by commas, with a country before those that are for it alone, such as GB:+447700900000';
const sendersMax = 400;
const countries: ReadonlySet<string> = new Set(regions.map(({ iso2 }) => iso2));
const senderCountry = 'must name countries of the region table by two letters, such as GB:+447700900000 for the UK';
const senderForAll = 'must have a sender without a country, for the countries that have none of their own';

/** 'GB:+447700900000' is for one country, '+15005550006' for all that have none of their own. */
function senderOf(entry: string): { country?: string | undefined; sender: string } {
  const [first = '', second] = entry.split(/:(.*)/s, 2).map((part) => part.trim());
  return second === undefined ? { country: undefined, sender: first } : { country: first, sender: second };
}

/** Every variable the server, the worker and the operator's commands read. README.md holds the same table. */
const schema = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }),
  DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }).optional(),
  DATABASE_POOL_MAX: count(10, 1, 100),
  DATABASE_WAIT_MS: count(5_000, 100, 60_000),
  DATABASE_PREPARED_STATEMENTS: flag(true),
  QUEUE_BACKEND: z.enum(['redis', 'postgres'], { error: 'must be redis or postgres' }).default('redis'),
  REDIS_URL: z
    .string()
    .transform((value) => value.split(',').map((url) => url.trim()))
    .pipe(z.array(z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' })))
    .optional(),
  REDIS_CLUSTER: flag(false),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9, _ and -')
    .default('pennytext'),
  HOST: z.string().min(1).default('0.0.0.0'),
  PORT: port(3000),
  WORKER_PORT: port(3001),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be the http(s) URL at which the product is reached' }),
  TRUST_PROXY: flag(false),
  HTTP_CONNECTIONS_MAX: count(10_000, 1, 1_000_000),
  HTTP_REQUEST_SECONDS: count(30, 1, 600),
  HTTP_KEEP_ALIVE_SECONDS: count(75, 1, 3_600),
  DRAIN_SECONDS: count(0, 0, 300),
  STOP_SECONDS: count(30, 1, 600),
  API_KEY_HASH_SECRET: base64Key,
  API_KEY_ENCRYPTION_KEY: base64Key,
  API_KEY_ENCRYPTION_KEYS_OLD: z
    .string()
    .default('')
    .transform((value) => value.split(',').filter((key) => key !== ''))
    .pipe(
      z.array(text(/^[A-Za-z0-9+/]{43}=$/, 'must be earlier encryption keys in base64, separated by commas')).max(10),
    ),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
  CUSTOM_SIGN_IN_ENABLED: flag(false),
  ALLOW_PRIVATE_WEBHOOKS: flag(false),
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .default('5,300,1800,7200,18000,36000,50400,72000,86400')
    .transform((value) => value.split(',').map((seconds) => seconds.trim()))
    .pipe(
      z
        .array(text(/^\d{1,6}$/, 'must be seconds between attempts, separated by commas'))
        .min(1)
        .max(20),
    )
    .transform((values) => values.map(Number)),
  WEBHOOK_CONCURRENCY: count(500, 1, 5_000),
  TWILIO_ACCOUNT_SID: text(/^AC[0-9a-f]{32}$/, 'must be AC and 32 hex digits, as the Twilio console shows it'),
  TWILIO_AUTH_TOKEN: text(/./, 'must be the auth token of the account, as the Twilio console shows it'),
  TWILIO_SENDERS: z
    .string({ error: senders })
    .transform((value) => value.split(',').map(senderOf))
    .pipe(
      z
        .array(
          z.object({
            country: z
              .string()
              .refine((country) => countries.has(country), { error: senderCountry })
              .optional(),
            sender: text(/^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/, senders),
          }),
        )
        .max(sendersMax, { error: `must have at most ${sendersMax} senders` })
        .refine((list) => list.some(({ country }) => country === undefined), { error: senderForAll }),
    ),
  TWILIO_API_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
  CARRIER_TIMEOUT_MS: count(10_000, 100, 60_000),
  DISPATCH_LEASE_SECONDS: count(30, 1, 600),
  RECOVERY_INTERVAL_MS: count(2_000, 100, 60_000),
  WORKER_CONCURRENCY: count(100, 1, 1_000),
  REFUND_UNDELIVERED: flag(true),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  MAIL_FROM: text(/^[^\r\n]*@[^\r\n]*$/, 'must be an address, such as Pennytext <hello@example.com>').default(
    'Pennytext <hello@pennytext.example>',
  ),
  STRIPE_SECRET_KEY: text(
    /^(sk|rk)_/,
    'must be a secret key, sk_… or rk_…, as the Stripe dashboard shows it',
  ).optional(),
  STRIPE_WEBHOOK_SECRET: text(/^whsec_/, 'must be the signing secret of the webhook endpoint, whsec_…').optional(),
  STRIPE_PRICE_STARTER: priceId,
  STRIPE_PRICE_BASIC: priceId,
  STRIPE_PRICE_PRO: priceId,
  STRIPE_PRICE_ENTERPRISE: priceId,
  STRIPE_API_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
  RATE_LIMIT_KEY_PER_SECOND: count(limits.keyRequestsPerSecondDefault, 0, 1_000_000),
  RATE_LIMIT_ADDRESS_PER_SECOND: count(limits.addressRequestsPerSecondDefault, 0, 1_000_000),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, silent',
    })
    .default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty'], { error: 'must be json or pretty' }).default('json'),
  METRICS_TOKEN: secretWord.optional(),
  QUEUE_BOARD_PASSWORD: secretWord.optional(),
  LEDGER_CHECK_SECONDS: count(60, 0, 86_400),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
});

export type Env = z.infer<typeof schema>;

/** Payments need all of these or none. */
const stripeVariables = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_STARTER',
  'STRIPE_PRICE_BASIC',
  'STRIPE_PRICE_PRO',
  'STRIPE_PRICE_ENTERPRISE',
] as const;

/** The names of all variables. */
export const environmentVariables: readonly string[] = Object.keys(schema.shape);

/** Says which variables are wrong and how to mend each; its message is meant to be printed as it is. */
export class EnvironmentError extends Error {}

/** Parses the environment once, naming every fault. Throws {@link EnvironmentError}. */
export function parseEnv(variables: NodeJS.ProcessEnv): Env {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = schema
    .refine((env) => env.QUEUE_BACKEND === 'postgres' || env.REDIS_URL !== undefined, {
      path: ['REDIS_URL'],
      message: 'is not set: give the URL of a Redis, such as redis://127.0.0.1:6379',
      when: () => true,
    })
    .superRefine(({ REDIS_URL: urls = [], REDIS_CLUSTER }, context) => {
      const message = redisAddressFault({ urls, isCluster: REDIS_CLUSTER === 'true' });
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
    return given[name] === undefined && !message.startsWith('is not set')
      ? `${name} is not set: ${message}`
      : `${name} ${message}`;
  });
  throw new EnvironmentError(
    `The environment is not complete. ${faults.join('; ')}. The README's table explains each one.`,
  );
}

/** The environment of this process, completed by what `npm start` left in .data/local.env for what is not set. */
export function loadEnv(): Env {
  return parseEnv({ ...readLocalEnvironment(process.env), ...process.env });
}
