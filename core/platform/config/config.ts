import { hkdfSync } from 'node:crypto';
import type { PackId } from '#contract/packs.js';
import type { Env } from './env.js';
import type { RedisAddress } from './redis-address.js';

export interface StripeConfig {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: string | undefined;
  /** Each pack's price at Stripe. */
  readonly prices: Readonly<Record<PackId, string>>;
}

/** What the environment means. Injected wherever a setting is needed; nothing else reads the environment. */
export class Config {
  /**
   * `directUrl`: past a pooler, for what needs a session of its own. `waitMs`: how long a request waits for a connection, or in
   * line, before it is refused.
   */
  readonly database: { url: string; directUrl: string; poolMax: number; waitMs: number; preparedStatements: boolean };
  /** Without `redis` the queues live in Postgres. */
  readonly queue: { redis: RedisAddress | undefined; prefix: string };
  readonly http: {
    host: string;
    port: number;
    workerPort: number;
    publicUrl: string;
    trustProxy: boolean;
    connectionsMax: number;
    /** Head and body of a request must have arrived by then. */
    requestMs: number;
    /** A balancer must give a quiet connection up before we do, or it sends requests into closed ones. */
    keepAliveMs: number;
  };
  /** How a process ends: it serves for `drainMs` while it says that it is not ready, then stops within `withinMs`. */
  readonly stopping: { drainMs: number; withinMs: number };
  /** `oldEncryptionKeys` read what they once encrypted; new copies are made with `encryptionKey`. */
  readonly keys: { hashSecret: Buffer; encryptionKey: Buffer; oldEncryptionKeys: readonly Buffer[] };
  readonly otp: { hashSecret: string };
  /** `google` is absent when nobody has set it up; `google.baseUrl` stands in for Google's own hosts. */
  readonly signIn: {
    cookieSecret: string;
    customEnabled: boolean;
    google: { clientId: string; clientSecret: string; baseUrl: string | undefined } | undefined;
  };
  /** `retrySeconds`: the waits between attempts; one attempt more than there are waits. */
  readonly webhooks: { allowPrivate: boolean; retrySeconds: readonly number[]; concurrency: number };
  readonly twilio: {
    accountSid: string;
    authToken: string;
    /** Numbers or messaging services, for countries without a list of their own. */
    senders: readonly string[];
    /** By ISO 3166-1 alpha-2. */
    countrySenders: ReadonlyMap<string, readonly string[]>;
    apiUrl: string | undefined;
    timeoutMs: number;
  };
  readonly dispatch: {
    concurrency: number;
    leaseSeconds: number;
    recoveryIntervalMs: number;
    refundUndelivered: boolean;
  };
  /** Absent when card payments are not set up. */
  readonly stripe: StripeConfig | undefined;
  /** Without `smtpUrl` e-mails wait in the database. */
  readonly mail: { smtpUrl: string | undefined; from: string };
  readonly rates: { keyPerSecond: number; addressPerSecond: number };
  readonly log: { level: string; pretty: boolean };
  /** `metricsToken`: whoever has it may read /metrics. Without `boardPassword` there is no queue board. */
  readonly operator: {
    metricsToken: string | undefined;
    boardPassword: string | undefined;
    ledgerCheckSeconds: number;
  };
  /** Nothing is traced without `endpoint`, the base URL of a collector. */
  readonly tracing: { endpoint: string | undefined };

  constructor(env: Env) {
    this.database = {
      url: env.DATABASE_URL,
      directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
      poolMax: env.DATABASE_POOL_MAX,
      waitMs: env.DATABASE_WAIT_MS,
      preparedStatements: env.DATABASE_PREPARED_STATEMENTS === 'true',
    };
    this.queue = { redis: redisOf(env), prefix: env.QUEUE_PREFIX };
    this.http = {
      host: env.HOST,
      port: env.PORT,
      workerPort: env.WORKER_PORT,
      publicUrl: env.PUBLIC_URL.replace(/\/+$/, ''),
      trustProxy: env.TRUST_PROXY === 'true',
      connectionsMax: env.HTTP_CONNECTIONS_MAX,
      requestMs: env.HTTP_REQUEST_SECONDS * 1_000,
      keepAliveMs: env.HTTP_KEEP_ALIVE_SECONDS * 1_000,
    };
    this.stopping = { drainMs: env.DRAIN_SECONDS * 1_000, withinMs: env.STOP_SECONDS * 1_000 };
    this.keys = {
      hashSecret: Buffer.from(env.API_KEY_HASH_SECRET, 'base64'),
      encryptionKey: Buffer.from(env.API_KEY_ENCRYPTION_KEY, 'base64'),
      oldEncryptionKeys: env.API_KEY_ENCRYPTION_KEYS_OLD.map((key) => Buffer.from(key, 'base64')),
    };
    this.otp = { hashSecret: derived(this.keys.hashSecret, 'one-time passwords') };
    this.signIn = {
      cookieSecret: derived(this.keys.hashSecret, 'signed cookies'),
      customEnabled: env.CUSTOM_SIGN_IN_ENABLED === 'true',
      google:
        env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
          ? {
              clientId: env.GOOGLE_CLIENT_ID,
              clientSecret: env.GOOGLE_CLIENT_SECRET,
              baseUrl: env.GOOGLE_BASE_URL?.replace(/\/+$/, ''),
            }
          : undefined,
    };
    this.webhooks = {
      allowPrivate: env.ALLOW_PRIVATE_WEBHOOKS === 'true',
      retrySeconds: env.WEBHOOK_RETRY_SECONDS,
      concurrency: env.WEBHOOK_CONCURRENCY,
    };
    this.twilio = {
      accountSid: env.TWILIO_ACCOUNT_SID,
      authToken: env.TWILIO_AUTH_TOKEN,
      ...sendersOf(env),
      apiUrl: env.TWILIO_API_URL?.replace(/\/+$/, ''),
      timeoutMs: env.CARRIER_TIMEOUT_MS,
    };
    this.dispatch = {
      concurrency: env.WORKER_CONCURRENCY,
      leaseSeconds: env.DISPATCH_LEASE_SECONDS,
      recoveryIntervalMs: env.RECOVERY_INTERVAL_MS,
      refundUndelivered: env.REFUND_UNDELIVERED === 'true',
    };
    this.stripe = stripeOf(env);
    this.mail = { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM };
    this.rates = { keyPerSecond: env.RATE_LIMIT_KEY_PER_SECOND, addressPerSecond: env.RATE_LIMIT_ADDRESS_PER_SECOND };
    this.log = { level: env.LOG_LEVEL, pretty: env.LOG_FORMAT === 'pretty' };
    this.operator = {
      metricsToken: env.METRICS_TOKEN,
      boardPassword: env.QUEUE_BOARD_PASSWORD,
      ledgerCheckSeconds: env.LEDGER_CHECK_SECONDS,
    };
    this.tracing = { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') };
  }
}

function redisOf({ QUEUE_BACKEND: backend, REDIS_URL: urls, REDIS_CLUSTER: cluster }: Env): RedisAddress | undefined {
  return backend === 'redis' && urls ? { urls, isCluster: cluster === 'true' } : undefined;
}

/** A secret of its own for another purpose (HKDF, RFC 5869), so that one variable serves both without risk. */
function derived(secret: Buffer, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('base64');
}

function sendersOf({ TWILIO_SENDERS: list }: Env): Pick<Config['twilio'], 'senders' | 'countrySenders'> {
  const of = (wanted: string | undefined) => [
    ...new Set(list.filter(({ country }) => country === wanted).map(({ sender }) => sender)),
  ];
  const countries = new Set(list.flatMap(({ country }) => country ?? []));
  return { senders: of(undefined), countrySenders: new Map([...countries].map((country) => [country, of(country)])) };
}

function stripeOf(env: Env): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  const {
    STRIPE_PRICE_STARTER: starter,
    STRIPE_PRICE_BASIC: basic,
    STRIPE_PRICE_PRO: pro,
    STRIPE_PRICE_ENTERPRISE: enterprise,
  } = env;
  if (!secretKey || !webhookSecret || !starter || !basic || !pro || !enterprise) return undefined;
  const apiUrl = env.STRIPE_API_URL?.replace(/\/+$/, '');
  return { secretKey, webhookSecret, apiUrl, prices: { starter, basic, pro, enterprise } };
}
