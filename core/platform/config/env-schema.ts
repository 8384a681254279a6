import { z } from 'zod';
import { limits } from '#contract/limits.js';
import {
  base64Key,
  count,
  dollars,
  flag,
  furtherSenders,
  httpUrl,
  oldKeys,
  password,
  port,
  postgresUrl,
  priceId,
  publicUrl,
  redisUrls,
  retryWaits,
  senders,
  text,
  trustedProxies,
  url,
} from './env-values.js';
import { smppBinds } from './smpp-binds.js';

/** Description of a variable in docs/configuration.md. */
interface VariableNotes {
  readonly description: string;
  /** Overrides the default of the schema, for a default that is not a literal value. */
  readonly default?: string;
  /** Never printed; belongs into a secret store. */
  readonly secret?: boolean;
}

/** Descriptions of the variables, by schema. */
const notes = z.registry<VariableNotes>();

function described<S extends z.ZodType>(
  schema: S,
  description: string,
  more: Omit<VariableNotes, 'description'> = {},
): S {
  notes.add(schema, { description, ...more });
  return schema;
}
const secret = { secret: true } as const;

/**
 * Every variable that the server, the worker and the operator commands read, by topic.
 * docs/configuration.md is generated from this schema.
 */
export const environmentGroups = {
  'Database and queue': {
    DATABASE_URL: described(postgresUrl(), 'Postgres, as `postgres://user:password@host:5432/database`.', secret),
    DATABASE_DIRECT_URL: described(
      postgresUrl().optional(),
      'Postgres without a pooler. Set it if `DATABASE_URL` is a pooler and `QUEUE_BACKEND=postgres`.',
      { ...secret, default: '`DATABASE_URL`' },
    ),
    MIGRATION_DATABASE_URL: described(
      postgresUrl().optional(),
      'Postgres as the role that owns the tables, for the migrations and `backup verify` alone; ' +
        '`DATABASE_URL` may then name one that only reads and writes rows (docs/operating.md).',
      { ...secret, default: '`DATABASE_URL`' },
    ),
    DATABASE_POOL_MAX: described(count(10, 1, 100), 'Maximum number of Postgres connections per process.'),
    DATABASE_WAIT_MS: described(
      count(5_000, 100, 60_000),
      'Maximum time that a request waits for a connection before it is answered with 503, in milliseconds.',
    ),
    DATABASE_PREPARED_STATEMENTS: described(
      flag(true),
      'Set to `false` behind a pooler that does not support prepared statements.',
    ),
    QUEUE_BACKEND: described(
      z.enum(['redis', 'postgres'], { error: 'must be redis or postgres' }).default('redis'),
      'Where jobs are stored. `postgres` needs no Redis and is slower.',
    ),
    REDIS_URL: described(
      redisUrls(),
      'Redis, as `redis://host:6379`. Required unless `QUEUE_BACKEND=postgres`. For a cluster: some ' +
        'of its nodes, separated by commas.',
      { ...secret, default: 'required' },
    ),
    REDIS_CA_FILE: described(
      z.string().min(1).optional(),
      'File with the certificates, in PEM, of the authority that issued those of a `rediss://` server.',
      { default: 'the authorities that Node knows' },
    ),
    REDIS_CLUSTER: described(flag(false), 'Set to `true` if `REDIS_URL` is a Redis Cluster.'),
    QUEUE_PREFIX: described(
      z
        .string()
        .regex(/^[a-z0-9_-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9, _ and -')
        .default('pennytext'),
      'Prefix of all Redis keys.',
    ),
  },
  HTTP: {
    HOST: described(
      z.string().min(1).default('127.0.0.1'),
      'Address that server and worker listen on. Where a platform sets `PORT` in the environment and nothing ' +
        'sets this, and in the image, it is `0.0.0.0`: every address of the machine.',
    ),
    PORT: described(port(3000), 'Port of the server: pages, API and callbacks.'),
    WORKER_PORT: described(port(3001), 'Port of the worker: `/healthz`, `/readyz` and `/metrics`.'),
    PUBLIC_URL: described(
      publicUrl(),
      'URL at which Twilio, Stripe, Google and browsers reach the server, without a path: https, ' +
        'unless it is local. Twilio’s signatures are checked against it.',
    ),
    TRUST_PROXY: described(
      trustedProxies(),
      'Proxies in front of the server, whose `X-Forwarded-For` names the client: their number (`1` ' +
        'for one proxy), or their addresses and CIDR ranges, separated by commas.',
      { default: 'none' },
    ),
    HTTP_CONNECTIONS_MAX: described(
      count(10_000, 1, 1_000_000),
      'Maximum number of open connections per server. Requests on further connections get 503.',
    ),
    HTTP_REQUEST_SECONDS: described(count(30, 1, 600), 'Time in which a complete request has to arrive.'),
    HTTP_KEEP_ALIVE_SECONDS: described(
      count(75, 1, 3_600),
      'How long an idle connection stays open. Must be longer than the idle timeout of your load balancer.',
    ),
    DRAIN_SECONDS: described(
      count(5, 0, 300),
      'How long a process keeps serving after SIGTERM while `/readyz` returns 503. Behind a load ' +
        'balancer, set it higher than the interval of its health check.',
    ),
    STOP_SECONDS: described(count(30, 1, 600), 'Maximum time for running work to finish before the process exits.'),
  },
  Keys: {
    API_KEY_HASH_SECRET: described(
      base64Key(),
      '32 bytes in base64 (`openssl rand -base64 32`). API keys are looked up by a hash with this ' +
        'secret: if you change it, no API key is recognized.',
      secret,
    ),
    API_KEY_ENCRYPTION_KEY: described(
      base64Key(),
      '32 other bytes in base64. Encrypts API keys, secrets of webhooks and plugs, and OTPs at rest.',
      secret,
    ),
    API_KEY_ENCRYPTION_KEYS_OLD: described(
      oldKeys(),
      'Earlier encryption keys, separated by commas. They decrypt existing data until `keys re-encrypt` has run.',
      { ...secret, default: 'none' },
    ),
  },
  'Sign-in': {
    GOOGLE_CLIENT_ID: described(
      z.string().optional(),
      'Google OAuth client. Its redirect URI is `PUBLIC_URL` + `/auth/google/callback`. Without it, ' +
        'sign-in with Google is off.',
    ),
    GOOGLE_CLIENT_SECRET: described(z.string().optional(), 'Secret of the Google OAuth client.', secret),
    GOOGLE_BASE_URL: described(httpUrl(), 'Replaces Google’s OAuth endpoints, for example by those of the sandbox.', {
      default: 'Google',
    }),
    FREE_CREDITS_OWN_NUMBER: described(
      flag(false),
      'Set to `true` so that new accounts send only to numbers that they have verified by a one-time ' +
        'password, until their first purchase or redeemed code.',
    ),
    CUSTOM_SIGN_IN_ENABLED: described(
      flag(false),
      'Set to `true` to allow sign-up and sign-in with email address and password. Needs `SMTP_URL`: ' +
        'addresses are verified and forgotten passwords replaced by links in emails.',
    ),
    SESSION_DAYS: described(
      count(limits.sessionDaysDefault, 1, 365),
      'Maximum lifetime of a browser session in days. A shorter one also ends sessions that exist.',
    ),
    SESSION_IDLE_DAYS: described(
      count(limits.sessionIdleDaysDefault, 1, 365),
      'Days without use after which a browser session ends.',
    ),
  },
  'Twilio and dispatch': {
    TWILIO_ACCOUNT_SID: described(
      text(/^AC[0-9a-f]{32}$/, 'must be AC and 32 hex digits, as the Twilio console shows it'),
      'Account SID, `AC…`, from the Twilio console.',
    ),
    TWILIO_AUTH_TOKEN: described(
      text(/./, 'must be the auth token of the account, as the Twilio console shows it'),
      'Auth token, from the Twilio console.',
      secret,
    ),
    TWILIO_SENDERS: described(
      senders(),
      'Senders, separated by commas: numbers (`+15005550006`) or messaging services (`MG…`). ' +
        '`GB:+447700900000` is used for the UK only.',
    ),
    CONVERSATION_HOURS: described(
      count(72, 1, 8_760),
      'How long replies to a sender go to the account that texted the person from it, after its ' +
        'latest message, also when other accounts text that person from the same sender.',
    ),
    MMS_CREDITS: described(
      count(limits.mmsCreditsDefault, 1, limits.mmsCreditsMax),
      'Price of a message with pictures or other files, in credits, whatever it holds.',
    ),
    TWILIO_API_URL: described(httpUrl(), 'Replaces Twilio’s API, for example by that of the sandbox.', {
      default: 'Twilio',
    }),
    TWILIO_WHATSAPP_SENDER: described(
      text(/^\+[1-9]\d{6,14}$/, 'must be a number in E.164 form, such as +14155238886').optional(),
      'Number of the WhatsApp sender of one-time passwords. Without it and `TWILIO_WHATSAPP_TEMPLATE`, none go by ' +
        'WhatsApp (docs/otp-channels.md).',
    ),
    TWILIO_WHATSAPP_TEMPLATE: described(
      text(/^HX[0-9a-fA-F]{32}$/, 'must be the id of a template, HX…').optional(),
      'Approved authentication template (`HX…`), whose variable `{{1}}` is the code.',
    ),
    TWILIO_VOICE_NUMBER: described(
      text(/^\+[1-9]\d{6,14}$/, 'must be a number in E.164 form, such as +15005550006').optional(),
      'Number from which one-time passwords are spoken in calls. Without it, no calls are made. Calls are off for ' +
        'each country until `region set` opens it (docs/otp-channels.md).',
    ),
    OTP_WHATSAPP_CREDITS: described(count(2, 1, 1_000), 'Price of a one-time password by WhatsApp, in credits.'),
    OTP_VOICE_CREDITS: described(count(3, 1, 1_000), 'Price of a one-time password in a call, in credits.'),
    OTP_EMAIL_CREDITS: described(count(1, 1, 1_000), 'Price of a one-time password by email, in credits.'),
    OTP_WHATSAPP_COST: described(dollars(), 'Cost of a code by WhatsApp for the margin, in US dollars, such as 0.014.'),
    OTP_VOICE_COST: described(dollars(), 'Cost of a code in a call for the margin, in US dollars.'),
    OTP_EMAIL_COST: described(dollars(), 'Cost of a code by email for the margin, in US dollars.'),
    CARRIER_TIMEOUT_MS: described(count(10_000, 100, 60_000), 'Timeout of a call to the carrier, in milliseconds.'),
    CARRIER_LOOKUP_SECONDS: described(
      count(60, 1, 3_600),
      'How long callbacks of the carrier may take before the carrier is asked: for the delivery ' +
        'receipt of a message (then ever less often, for 4 days) and for replies.',
    ),
    DISPATCH_LEASE_SECONDS: described(
      count(30, 1, 600),
      'How long a worker owns a claimed message before other workers ask the carrier about it. At ' +
        'least three times `CARRIER_TIMEOUT_MS`.',
    ),
    RECOVERY_INTERVAL_MS: described(
      count(2_000, 100, 60_000),
      'How often a worker looks for messages to recover, in milliseconds.',
    ),
    DISPATCH_PROBE_SECONDS: described(
      count(15, 1, 3_600),
      'While the carrier refuses our account (401, 403), after how many seconds a waiting message is tried ' +
        'to see whether it accepts again. Each try that fails doubles the wait, up to twenty times this.',
    ),
    FAST_HEDGES_PERCENT: described(
      count(20, 0, 100),
      'Share of the messages of an account and New York day that get a second hand-over because no ' +
        'receipt comes in time (`delivery: fast`), in percent, rounded up. One-time passwords do not count.',
    ),
    WORKER_CONCURRENCY: described(count(100, 1, 1_000), 'Number of messages that a worker dispatches concurrently.'),
    REFUND_UNDELIVERED: described(
      flag(true),
      'Set to `false` to refund only messages that the carrier never accepted.',
    ),
  },
  Telnyx: {
    TELNYX_API_KEY: described(
      text(/^KEY\S+$/, 'must be an API key of version 2, KEY…, as the Telnyx portal shows it').optional(),
      'API key, `KEY…`, from the Telnyx portal. Telnyx as a second carrier needs this and the next two ' +
        'variables (docs/routes.md). Without them, everything is sent through Twilio.',
      secret,
    ),
    TELNYX_PUBLIC_KEY: described(
      text(
        /^[A-Za-z0-9+/]{43}=$/,
        'must be the public key of the account in base64, as the Telnyx portal shows it',
      ).optional(),
      'Public key of the Telnyx account, from the portal: callbacks are verified with it.',
    ),
    TELNYX_SENDERS: described(
      furtherSenders(),
      'Senders at Telnyx: numbers, separated by commas. `GB:+447700900001` is used for the UK only.',
    ),
    TELNYX_MESSAGING_PROFILE_ID: described(
      z.guid('must be the id of a messaging profile, as the Telnyx portal shows it').optional(),
      'Messaging profile of the numbers that customers buy at Telnyx: they can send with one only, and their replies ' +
        'go to its webhook URL, `PUBLIC_URL` + `/webhooks/telnyx/inbound`. `NUMBER_CARRIER=telnyx` needs it ' +
        '(docs/numbers.md).',
    ),
    TELNYX_API_URL: described(httpUrl(), 'Replaces Telnyx’s API, for example by that of the sandbox.', {
      default: 'Telnyx',
    }),
  },
  SMPP: {
    SMPP_BINDS: described(
      smppBinds(),
      'Accounts at peers that speak SMPP 3.4, each a carrier of its own, as a JSON list: ' +
        '`[{"name":"acme","url":"smpps://smsc.example.com:3550","system_id":"…","password":"…",' +
        '"senders":["ACME"]}]`. ' +
        'docs/routes.md has all fields. At most 4 carriers in all.',
      { ...secret, default: 'none' },
    ),
  },
  Numbers: {
    NUMBER_CARRIER: described(
      z.enum(['twilio', 'telnyx'], 'must be twilio or telnyx').default('twilio'),
      'Where the numbers that customers buy are searched and bought: `twilio` or `telnyx`. A number stays where it ' +
        'was bought (docs/numbers.md).',
    ),
    NUMBER_COUNTRIES: described(
      z
        .string()
        .regex(/^(none|[A-Z]{2}(,[A-Z]{2})*)$/, 'must be countries such as US,CA, or none')
        .default('US,CA')
        .transform((list) => (list === 'none' ? [] : [...new Set(list.split(','))])),
      'Countries of the numbers that customers can buy, as two letters each (ISO 3166-1 alpha-2), separated ' +
        'by commas; `none` sells none (docs/numbers.md).',
    ),
    NUMBER_CREDITS_LOCAL: described(count(50, 0, 1_000_000), 'Rent of a local number, in credits a month.'),
    NUMBER_CREDITS_LOCAL_SETUP: described(
      count(0, 0, 1_000_000),
      'What a local number costs once, besides its first month, in credits.',
    ),
    NUMBER_CREDITS_TOLL_FREE: described(count(100, 0, 1_000_000), 'Rent of a toll-free number, in credits a month.'),
    NUMBER_CREDITS_TOLL_FREE_SETUP: described(
      count(0, 0, 1_000_000),
      'What a toll-free number costs once, besides its first month, in credits.',
    ),
    NUMBER_PER_SECOND_LOCAL: described(
      count(1, 1, 1_000),
      'Messages a second from one local number of a customer; further ones wait.',
    ),
    NUMBER_PER_SECOND_TOLL_FREE: described(
      count(3, 1, 1_000),
      'Messages a second from one toll-free number of a customer; further ones wait.',
    ),
  },
  Webhooks: {
    ALLOW_PRIVATE_WEBHOOKS: described(
      flag(false),
      'Set to `true` to allow webhooks to private and loopback addresses, and files of messages from them, with a ' +
        'local `PUBLIC_URL` only. Link-local addresses and cloud metadata stay blocked.',
    ),
    WEBHOOK_RETRY_SECONDS: described(retryWaits(), 'Waits between the attempts of a webhook, in seconds.'),
    WEBHOOK_CONCURRENCY: described(
      count(500, 1, 5_000),
      'Number of webhooks that a worker delivers concurrently; per account only a few.',
    ),
  },
  Payments: {
    STRIPE_SECRET_KEY: described(
      text(/^(sk|rk)_/, 'must be a secret key, sk_… or rk_…, as the Stripe dashboard shows it').optional(),
      'Secret key, `sk_…` or `rk_…`, from the Stripe dashboard. Payments need this and the next five ' +
        'variables. Without them, nothing can be bought.',
      secret,
    ),
    STRIPE_WEBHOOK_SECRET: described(
      text(/^whsec_/, 'must be the signing secret of the webhook endpoint, whsec_…').optional(),
      'Signing secret, `whsec_…`, of the endpoint `PUBLIC_URL` + `/webhooks/stripe`.',
      secret,
    ),
    STRIPE_PRICE_STARTER: described(
      priceId(),
      'Price id, `price_…`, of the $3 pack. All packs need one-time prices in US dollars.',
    ),
    STRIPE_PRICE_BASIC: described(priceId(), 'Price id of the $10 pack.'),
    STRIPE_PRICE_PRO: described(priceId(), 'Price id of the $30 pack.'),
    STRIPE_PRICE_ENTERPRISE: described(priceId(), 'Price id of the $50 pack.'),
    STRIPE_API_URL: described(httpUrl(), 'Replaces Stripe’s API, for example by that of the sandbox.', {
      default: 'Stripe',
    }),
  },
  Media: {
    MEDIA_DIR: described(
      z.string().min(1).default('.data/media'),
      'Folder of pictures and other files of messages. All servers and workers need the same one: a ' +
        'volume that they share, or a bucket in its place.',
    ),
    MEDIA_URL: described(
      publicUrl().optional(),
      'URL of a host of its own for links to files, such as https://media.example.com, that leads to the ' +
        'same servers. Then no file is served from the host of the pages.',
      { default: '`PUBLIC_URL`' },
    ),
    MEDIA_S3_BUCKET: described(
      text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket').optional(),
      'Bucket for the files, at Amazon S3 or a store that speaks its protocol. Without it they are in `MEDIA_DIR`.',
    ),
    MEDIA_S3_REGION: described(
      text(/^[a-z0-9-]{1,40}$/, 'must be a region, such as us-east-1').default('us-east-1'),
      'Region of the bucket.',
    ),
    MEDIA_S3_ENDPOINT: described(httpUrl(), 'URL of a store other than Amazon’s.', { default: 'Amazon' }),
    MEDIA_S3_PATH_STYLE: described(
      flag(false),
      'Set to `true` if the store wants the bucket in the path of a URL, as MinIO does, not in its host.',
    ),
    MEDIA_S3_ACCESS_KEY_ID: described(
      text(/^\S{1,128}$/, 'must be the id of an access key').optional(),
      'Access key for the bucket. It needs `MEDIA_S3_SECRET_ACCESS_KEY`.',
      { default: 'that of the machine' },
    ),
    MEDIA_S3_SECRET_ACCESS_KEY: described(
      text(/^\S{1,256}$/, 'must be the secret of an access key').optional(),
      'Secret of the access key.',
      secret,
    ),
  },
  Privacy: {
    MESSAGE_TEXT_DAYS: described(
      count(0, 0, 3_650),
      'Days after which the texts of messages and replies are erased; `0` for never. Counted from ' +
        'acceptance, or from the end of a message if that is later.',
    ),
    MESSAGE_DAYS: described(
      count(0, 0, 3_650),
      'Days after which numbers are masked, and texts, references and the carrier’s ids erased; `0` ' +
        'for never. Amounts and the ledger stay.',
    ),
    REQUEST_LOG_DAYS: described(
      count(limits.requestLogDaysDefault, 0, 30),
      'Days for which the dashboard shows an account’s API calls, without texts and codes and with ' +
        'masked numbers; `0` logs none.',
    ),
  },
  Email: {
    SMTP_URL: described(
      url(/^smtps?$/, 'must be an smtp:// or smtps:// URL').optional(),
      'Mail server, as `smtp://user:password@host:587`. Without it, emails wait in the database.',
      secret,
    ),
    MAIL_FROM: described(
      text(/^[^\r\n]*@[^\r\n]*$/, 'must be an address, such as Pennytext <hello@example.com>').default(
        'Pennytext <hello@pennytext.example>',
      ),
      'Sender of emails. Pages show its address as the contact.',
    ),
  },
  Invoices: {
    INVOICE_SELLER_NAME: described(
      text(/^\S[^\r\n]{0,199}$/, 'must be one line of up to 200 characters').optional(),
      'Your company, as invoices name it. Needs `INVOICE_SELLER_ADDRESS`. Without both, no invoices ' +
        'are issued; once they are set, they are issued for earlier payments too.',
    ),
    INVOICE_SELLER_ADDRESS: described(
      text(
        /^\s*[^|\r\n\s][^|\r\n]*(\|[^|\r\n]*[^|\r\n\s][^|\r\n]*){0,7}$/,
        'must have one to eight lines, separated by |',
      ).optional(),
      'Your address on invoices; `|` separates its lines.',
    ),
    INVOICE_SELLER_TAX_ID: described(
      text(/^[A-Za-z0-9 .:/-]{1,60}$/, 'must be up to 60 letters, digits, spaces and . : / -').optional(),
      'Your VAT or tax number on invoices.',
    ),
    INVOICE_NOTE: described(
      text(/^\S[^\r\n]{0,499}$/, 'must be one line of up to 500 characters').optional(),
      'A sentence below every invoice, such as what your tax law wants.',
    ),
  },
  'Rate limits': {
    RATE_LIMIT_KEY_PER_SECOND: described(
      count(limits.keyRequestsPerSecondDefault, 0, 1_000_000),
      'Requests per second with one API key; `0` for no limit.',
    ),
    RATE_LIMIT_ADDRESS_PER_SECOND: described(
      count(limits.addressRequestsPerSecondDefault, 0, 1_000_000),
      'Requests per second from one network address, on all routes but callbacks; `0` for no limit. ' +
        'An IPv6 /64 counts as one address.',
    ),
    SIGN_UPS_PER_ADDRESS_PER_DAY: described(
      count(10, 0, 1_000_000),
      'New accounts from one network address (an IPv6 /64) within 24 hours; `0` for no limit.',
    ),
    SIGN_INS_PER_ADDRESS: described(
      count(30, 0, 1_000_000),
      'From one network address in 15 minutes, each counted apart: failed sign-ins with a password, ' +
        'sign-ups with a password, requests for links in emails. Sign-ins with Google and correct ' +
        'passwords do not count; `0` for no limit.',
    ),
  },
  Operation: {
    LOG_LEVEL: described(
      z
        .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
          error: 'must be one of fatal, error, warn, info, debug, silent',
        })
        .default('info'),
      '`fatal`, `error`, `warn`, `info`, `debug` or `silent`.',
    ),
    LOG_FORMAT: described(
      z.enum(['json', 'pretty'], { error: 'must be json or pretty' }).default('json'),
      '`json` for log collectors, `pretty` for a terminal.',
    ),
    METRICS_TOKEN: described(
      password(),
      'If set, `/metrics` requires `Authorization: Bearer` with this token. At least 16 characters.',
      secret,
    ),
    QUEUE_BOARD_PASSWORD: described(
      password(),
      'Password of the queue board at `/operator/queues` and of `/operator/routes`. Without it, both are off. ' +
        'At least 16 characters.',
      secret,
    ),
    ADJUSTMENT_APPROVAL_CREDITS: described(
      count(10_000, 0, 1_000_000_000),
      'Credits that one operator may give and take alone within 24 hours, by adjustments, redeem ' +
        'codes and new accounts. What exceeds it waits for a second operator (`admin approvals`); ' +
        '`0` for no limit.',
    ),
    LEDGER_CHECK_SECONDS: described(
      count(60, 0, 86_400),
      'How often a worker compares balances with the ledger for accounts that changed; `0` for never.',
    ),
    OTEL_EXPORTER_OTLP_ENDPOINT: described(
      httpUrl(),
      'OpenTelemetry collector, as `http://collector:4318`. Traces are sent by OTLP over HTTP. ' +
        'Without it, tracing is off.',
    ),
  },
} as const;

export const environmentSchema = z.object({
  ...environmentGroups['Database and queue'],
  ...environmentGroups.HTTP,
  ...environmentGroups.Keys,
  ...environmentGroups['Sign-in'],
  ...environmentGroups['Twilio and dispatch'],
  ...environmentGroups.Telnyx,
  ...environmentGroups.SMPP,
  ...environmentGroups.Numbers,
  ...environmentGroups.Webhooks,
  ...environmentGroups.Payments,
  ...environmentGroups.Media,
  ...environmentGroups.Privacy,
  ...environmentGroups['Email'],
  ...environmentGroups.Invoices,
  ...environmentGroups['Rate limits'],
  ...environmentGroups.Operation,
});

export type Env = z.infer<typeof environmentSchema>;

/** Names of all variables. */
export const environmentVariables: readonly string[] = Object.keys(environmentSchema.shape);

export const secretVariables: readonly string[] = Object.entries(environmentSchema.shape).flatMap(([name, variable]) =>
  notes.get(variable)?.secret ? [name] : [],
);

/** Returns the description of a variable. Throws if the schema has none. */
export function notesOf(variable: z.ZodType): VariableNotes {
  const found = notes.get(variable);
  if (!found) throw new Error('Every variable needs a description');
  return found;
}
