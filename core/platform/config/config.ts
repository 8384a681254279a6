import { hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { carrierNumbers } from '#contract/carrier-codes.js';
import type { NumberType } from '#contract/numbers.js';
import type { OtherChannel } from '#contract/otp-channels.js';
import type { PackId } from '#contract/packs.js';
import { microusdOf } from '../../rules/microusd.js';
import { EnvironmentError } from './env.js';
import type { Env } from './env-schema.js';
import type { SmppBindConfig } from './smpp-binds.js';

/** Version of the product in package.json. */
export const version = '0.1.0';

/** Address of Redis: one URL, or some nodes of a Redis Cluster, which know all other nodes. */
export interface RedisAddress {
  readonly urls: readonly string[];
  readonly isCluster: boolean;
  /** Certificate authorities of the servers, in PEM; by default the authorities that Node knows. */
  readonly ca?: string;
}

export interface InvoiceSeller {
  readonly name: string;
  readonly address: readonly string[];
  readonly taxId: string | null;
  /** Printed below every invoice. */
  readonly note: string | null;
}

export interface StripeConfig {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: string | undefined;
  readonly prices: Readonly<Record<PackId, string>>;
}

export interface TelnyxConfig {
  readonly apiKey: string;
  /** Public key of the account: 32 bytes in base64. */
  readonly publicKey: string;
  readonly apiUrl: string | undefined;
  /** Profile of bought numbers; undefined if none are sold. */
  readonly messagingProfileId?: string | undefined;
}

/** A bucket of an S3-compatible store. Without credentials the machine's credentials are used. */
export interface MediaBucket {
  readonly name: string;
  readonly region: string;
  /** Undefined for Amazon's own endpoint. */
  readonly endpoint: string | undefined;
  /** The bucket is in the path of a URL, not in its host. */
  readonly pathStyle: boolean;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/** A carrier that is configured, and its senders: numbers or messaging services. */
export interface CarrierConfig {
  readonly name: string;
  /** Carrier, as in `messages.carrier`. */
  readonly number: number;
  /** Senders for countries without their own senders. */
  readonly senders: readonly string[];
  /** Senders by country, ISO 3166-1 alpha-2. */
  readonly countrySenders: ReadonlyMap<string, readonly string[]>;
  /** True if the carrier takes messages with files. */
  readonly carriesMedia: boolean;
}

/** A channel of one-time passwords besides text messages. The name is also the name of its carrier. */
export interface ChannelConfig {
  readonly name: OtherChannel;
  /** Carrier, as in `messages.carrier`. */
  readonly number: number;
  /** Sender of its messages, as in `messages.sender`. */
  readonly sender: string;
  /** Price of a code. */
  readonly credits: number;
  /** Our cost of a code, in millionths of a US dollar; null if it is not known. */
  readonly costMicrousd: bigint | null;
}

/** Price of a number by type, in credits, and its messages per second. */
export interface NumberTerms {
  readonly creditsPerMonth: number;
  readonly setupCredits: number;
  readonly perSecond: number;
}

/** Settings of the process, derived from the environment. No other class reads the environment. */
export class Config {
  /**
   * `directUrl` bypasses a pooler, for features that need their own session; `migrationUrl` uses
   * the role that owns the tables. `waitMs` limits how long a request waits for a connection before
   * it is refused.
   */
  readonly database: {
    url: string;
    directUrl: string;
    migrationUrl: string;
    poolMax: number;
    waitMs: number;
    preparedStatements: boolean;
  };
  /** Without `redis`, the queues are stored in Postgres. */
  readonly queue: { redis: RedisAddress | undefined; prefix: string };
  readonly http: {
    host: string;
    port: number;
    workerPort: number;
    publicUrl: string;
    /** Number of proxies, or addresses and ranges of the proxies; false without proxies. */
    trustProxy: false | number | string[];
    connectionsMax: number;
    /** Time limit for receiving the headers and body of a request. */
    requestMs: number;
    /**
     * Must be longer than a load balancer's idle timeout; otherwise the balancer sends requests on
     * closed connections.
     */
    keepAliveMs: number;
  };
  /**
   * On shutdown a process keeps serving for `drainMs` while it reports not ready, then exits within
   * `withinMs`.
   */
  readonly stopping: { drainMs: number; withinMs: number };
  /** `oldEncryptionKeys` only decrypt; `encryptionKey` encrypts. */
  /** `derivationSecret` makes the secrets of keys that can be made again. */
  readonly keys: {
    hashSecret: Buffer;
    derivationSecret: string;
    encryptionKey: Buffer;
    oldEncryptionKeys: readonly Buffer[];
  };
  readonly otp: { hashSecret: string };
  /** `google` is undefined if it is not configured; `google.baseUrl` replaces Google's hosts. */
  readonly signIn: {
    cookieSecret: string;
    customEnabled: boolean;
    /** New accounts send to numbers that they have verified, until they pay or redeem a code. */
    freeCreditsOwnNumber: boolean;
    /** Lifetime of a session, and the time without use after which it ends, in days. */
    sessionDays: number;
    sessionIdleDays: number;
    google: { clientId: string; clientSecret: string; baseUrl: string | undefined } | undefined;
  };
  /** `retrySeconds` are the waits between attempts; there is one more attempt than waits. */
  readonly webhooks: { allowPrivate: boolean; retrySeconds: readonly number[]; concurrency: number };
  readonly twilio: {
    accountSid: string;
    authToken: string;
    apiUrl: string | undefined;
    /** Template of codes by WhatsApp. */
    whatsAppTemplate: string | undefined;
  };
  /** Undefined if Telnyx is not configured. */
  readonly telnyx: TelnyxConfig | undefined;
  /** Accounts at peers that speak SMPP; may be empty. */
  readonly smpp: readonly SmppBindConfig[];
  /** At least one carrier. Senders without a carrier count as the first carrier's. */
  readonly carriers: readonly [CarrierConfig, ...CarrierConfig[]];
  /** Channels that carry one-time passwords besides those carriers; may be empty. */
  readonly channels: readonly ChannelConfig[];
  /**
   * `carrier`: number of the carrier that sells new numbers. `countries`: ISO 3166-1 alpha-2 codes
   * of the numbers that can be bought; may be empty.
   */
  readonly numbers: {
    readonly carrier: number;
    readonly countries: readonly string[];
    readonly terms: Readonly<Record<NumberType, NumberTerms>>;
  };
  /** Hours for which an account owns a conversation after its latest message. */
  readonly conversationHours: number;
  /** Price of a message with files. */
  readonly mmsCredits: number;
  readonly dispatch: {
    concurrency: number;
    /** Timeout of a call to a carrier. */
    timeoutMs: number;
    lookupSeconds: number;
    leaseSeconds: number;
    recoveryIntervalMs: number;
    probeSeconds: number;
    /**
     * Share of an account's messages of a day that may have a second hand-over because they are
     * slow.
     */
    fastHedgesPercent: number;
    refundUndelivered: boolean;
  };
  /** Undefined if card payments are not configured. */
  readonly stripe: StripeConfig | undefined;
  /** Undefined if the operator has not set its details; then no invoices are issued. */
  readonly seller: InvoiceSeller | undefined;
  /** Days until texts are erased, and until numbers are masked; undefined for never. */
  readonly retention: { textDays: number | undefined; numberDays: number | undefined; requestDays: number };
  /**
   * Files of messages: in `bucket`, otherwise in `folder`. `url` is the base of links to them,
   * signed with `linkSecret`.
   */
  readonly media: { folder: string; bucket: MediaBucket | undefined; url: string; linkSecret: string };
  /** Without `smtpUrl`, emails wait in the database. */
  readonly mail: { smtpUrl: string | undefined; from: string };
  readonly rates: {
    keyPerSecond: number;
    addressPerSecond: number;
    signInsPerAddress: number;
    signUpsPerAddress: number;
  };
  readonly log: { level: string; pretty: boolean };
  /** `metricsToken` grants access to /metrics. Without `boardPassword`, the queue board is off. */
  readonly operator: {
    metricsToken: string | undefined;
    boardPassword: string | undefined;
    ledgerCheckSeconds: number;
    /** Credits that one operator may move alone within 24 hours; undefined for any number. */
    approvalCredits: number | undefined;
  };
  /** `endpoint` is the base URL of a collector; without it, tracing is off. */
  readonly tracing: { endpoint: string | undefined };

  constructor(env: Env) {
    this.database = {
      url: env.DATABASE_URL,
      directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
      migrationUrl: env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL,
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
      trustProxy: env.TRUST_PROXY,
      connectionsMax: env.HTTP_CONNECTIONS_MAX,
      requestMs: env.HTTP_REQUEST_SECONDS * 1_000,
      keepAliveMs: env.HTTP_KEEP_ALIVE_SECONDS * 1_000,
    };
    this.stopping = { drainMs: env.DRAIN_SECONDS * 1_000, withinMs: env.STOP_SECONDS * 1_000 };
    const hashSecret = Buffer.from(env.API_KEY_HASH_SECRET, 'base64');
    this.keys = {
      hashSecret,
      derivationSecret: derived(hashSecret, 'secrets of keys'),
      encryptionKey: Buffer.from(env.API_KEY_ENCRYPTION_KEY, 'base64'),
      oldEncryptionKeys: env.API_KEY_ENCRYPTION_KEYS_OLD.map((key) => Buffer.from(key, 'base64')),
    };
    this.otp = { hashSecret: derived(hashSecret, 'one-time passwords') };
    this.signIn = {
      cookieSecret: derived(hashSecret, 'signed cookies'),
      customEnabled: env.CUSTOM_SIGN_IN_ENABLED === 'true',
      freeCreditsOwnNumber: env.FREE_CREDITS_OWN_NUMBER === 'true',
      sessionDays: env.SESSION_DAYS,
      sessionIdleDays: env.SESSION_IDLE_DAYS,
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
      apiUrl: env.TWILIO_API_URL?.replace(/\/+$/, ''),
      whatsAppTemplate: env.TWILIO_WHATSAPP_TEMPLATE,
    };
    this.telnyx = telnyxOf(env);
    this.smpp = env.SMPP_BINDS;
    this.carriers = [
      { name: 'twilio', number: carrierNumbers.twilio, ...sendersOf(env.TWILIO_SENDERS), carriesMedia: true },
      ...(this.telnyx === undefined
        ? []
        : [
            {
              name: 'telnyx',
              number: carrierNumbers.telnyx,
              ...sendersOf(env.TELNYX_SENDERS ?? []),
              carriesMedia: true,
            },
          ]),
      // SMPP has no PDU for files.
      ...this.smpp.map(({ name, number, senders }) => ({ name, number, ...sendersOf(senders), carriesMedia: false })),
    ];
    this.channels = channelsOf(env);
    this.numbers = {
      carrier: carrierNumbers[env.NUMBER_CARRIER],
      countries: env.NUMBER_COUNTRIES,
      terms: {
        local: {
          creditsPerMonth: env.NUMBER_CREDITS_LOCAL,
          setupCredits: env.NUMBER_CREDITS_LOCAL_SETUP,
          perSecond: env.NUMBER_PER_SECOND_LOCAL,
        },
        toll_free: {
          creditsPerMonth: env.NUMBER_CREDITS_TOLL_FREE,
          setupCredits: env.NUMBER_CREDITS_TOLL_FREE_SETUP,
          perSecond: env.NUMBER_PER_SECOND_TOLL_FREE,
        },
      },
    };
    this.conversationHours = env.CONVERSATION_HOURS;
    this.mmsCredits = env.MMS_CREDITS;
    this.dispatch = {
      concurrency: env.WORKER_CONCURRENCY,
      timeoutMs: env.CARRIER_TIMEOUT_MS,
      lookupSeconds: env.CARRIER_LOOKUP_SECONDS,
      leaseSeconds: env.DISPATCH_LEASE_SECONDS,
      recoveryIntervalMs: env.RECOVERY_INTERVAL_MS,
      probeSeconds: env.DISPATCH_PROBE_SECONDS,
      fastHedgesPercent: env.FAST_HEDGES_PERCENT,
      refundUndelivered: env.REFUND_UNDELIVERED === 'true',
    };
    this.stripe = stripeOf(env);
    this.retention = {
      textDays: env.MESSAGE_TEXT_DAYS || undefined,
      numberDays: env.MESSAGE_DAYS || undefined,
      requestDays: env.REQUEST_LOG_DAYS,
    };
    this.media = {
      folder: env.MEDIA_DIR,
      bucket: bucketOf(env),
      url: env.MEDIA_URL?.replace(/\/+$/, '') ?? this.http.publicUrl,
      linkSecret: derived(this.keys.hashSecret, 'links to media'),
    };
    this.mail = { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM };
    this.rates = {
      keyPerSecond: env.RATE_LIMIT_KEY_PER_SECOND,
      addressPerSecond: env.RATE_LIMIT_ADDRESS_PER_SECOND,
      signInsPerAddress: env.SIGN_INS_PER_ADDRESS,
      signUpsPerAddress: env.SIGN_UPS_PER_ADDRESS_PER_DAY,
    };
    this.seller = sellerOf(env);
    this.log = { level: env.LOG_LEVEL, pretty: env.LOG_FORMAT === 'pretty' };
    this.operator = {
      metricsToken: env.METRICS_TOKEN,
      boardPassword: env.QUEUE_BOARD_PASSWORD,
      ledgerCheckSeconds: env.LEDGER_CHECK_SECONDS,
      approvalCredits: env.ADJUSTMENT_APPROVAL_CREDITS || undefined,
    };
    this.tracing = { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') };
  }
}

/** Throws {@link EnvironmentError} when the file of the authority cannot be read. */
function redisOf(env: Env): RedisAddress | undefined {
  const { QUEUE_BACKEND: backend, REDIS_URL: urls, REDIS_CLUSTER: cluster, REDIS_CA_FILE: file } = env;
  if (backend !== 'redis' || !urls) return undefined;
  const address = { urls, isCluster: cluster === 'true' };
  if (file === undefined) return address;
  try {
    return { ...address, ca: readFileSync(file, 'utf8') };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EnvironmentError(`REDIS_CA_FILE cannot be read: ${reason}`, { cause });
  }
}

/**
 * Derives an independent secret for a purpose (HKDF, RFC 5869), so that one variable can serve
 * several purposes.
 */
function derived(secret: Buffer, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('base64');
}

function sendersOf(list: Env['TWILIO_SENDERS']): Pick<CarrierConfig, 'senders' | 'countrySenders'> {
  const of = (wanted: string | undefined) => [
    ...new Set(list.filter(({ country }) => country === wanted).map(({ sender }) => sender)),
  ];
  const countries = new Set(list.flatMap(({ country }) => country ?? []));
  return { senders: of(undefined), countrySenders: new Map([...countries].map((country) => [country, of(country)])) };
}

function channelsOf(env: Env): ChannelConfig[] {
  const channels: ChannelConfig[] = [];
  const add = (name: OtherChannel, sender: string, credits: number, cost: string | undefined) => {
    const costMicrousd = cost === undefined ? null : (microusdOf(cost) ?? null);
    channels.push({ name, number: carrierNumbers[name], sender, credits, costMicrousd });
  };
  const { TWILIO_WHATSAPP_SENDER: whatsApp, TWILIO_WHATSAPP_TEMPLATE: template, TWILIO_VOICE_NUMBER: voice } = env;
  if (whatsApp !== undefined && template !== undefined)
    add('whatsapp', `whatsapp:${whatsApp}`, env.OTP_WHATSAPP_CREDITS, env.OTP_WHATSAPP_COST);
  if (voice !== undefined) add('voice', `voice:${voice}`, env.OTP_VOICE_CREDITS, env.OTP_VOICE_COST);
  if (env.SMTP_URL !== undefined) add('email', 'email', env.OTP_EMAIL_CREDITS, env.OTP_EMAIL_COST);
  return channels;
}

function telnyxOf(env: Env): TelnyxConfig | undefined {
  const { TELNYX_API_KEY: apiKey, TELNYX_PUBLIC_KEY: publicKey, TELNYX_API_URL: apiUrl } = env;
  if (!apiKey || !publicKey) return undefined;
  const messagingProfileId = env.TELNYX_MESSAGING_PROFILE_ID;
  return { apiKey, publicKey, apiUrl: apiUrl?.replace(/\/+$/, ''), messagingProfileId };
}

function bucketOf(env: Env): MediaBucket | undefined {
  const { MEDIA_S3_BUCKET: name, MEDIA_S3_ACCESS_KEY_ID: id, MEDIA_S3_SECRET_ACCESS_KEY: secret } = env;
  if (name === undefined) return undefined;
  return {
    name,
    region: env.MEDIA_S3_REGION,
    endpoint: env.MEDIA_S3_ENDPOINT?.replace(/\/+$/, ''),
    pathStyle: env.MEDIA_S3_PATH_STYLE === 'true',
    credentials: id && secret ? { accessKeyId: id, secretAccessKey: secret } : undefined,
  };
}

function sellerOf(env: Env): InvoiceSeller | undefined {
  const { INVOICE_SELLER_NAME: name, INVOICE_SELLER_ADDRESS: address } = env;
  if (name === undefined || address === undefined) return undefined;
  const lines = address.split('|').map((line) => line.trim());
  return { name, address: lines, taxId: env.INVOICE_SELLER_TAX_ID ?? null, note: env.INVOICE_NOTE ?? null };
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

/** Returns the name of a carrier; its number if it is no longer configured. */
export function carrierNameOf({ carriers, channels }: Config, number: number): string {
  return [...carriers, ...channels].find((carrier) => carrier.number === number)?.name ?? String(number);
}

/**
 * Returns the settings of our account at a carrier, which an operator checks when the carrier
 * refuses it.
 */
export function accountSettingsOf(config: Config, number: number): string {
  switch (number) {
    case carrierNumbers.twilio:
    case carrierNumbers.whatsapp:
    case carrierNumbers.voice:
      return 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN';
    case carrierNumbers.telnyx:
      return 'TELNYX_API_KEY';
    case carrierNumbers.email:
      return 'SMTP_URL';
    default:
      return `system_id and password of ${carrierNameOf(config, number)} in SMPP_BINDS`;
  }
}

/** Returns the same settings with another database. */
export function withDatabase(config: Config, url: string): Config {
  const database = { ...config.database, url, directUrl: url, migrationUrl: url };
  return Object.assign(Object.create(Config.prototype) as Config, config, { database });
}

/** Provides the {@link Config} of the process to every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
