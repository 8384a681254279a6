import { z } from 'zod';

/**
 * Default credentials, equal to the product's defaults for development. They are valid for this
 * sandbox only.
 */
export const DEFAULT_ACCOUNT_SID = 'AC5a9db0c55a9db0c55a9db0c55a9db0c5';
const DEFAULT_AUTH_TOKEN = 'sandbox-auth-token';
const DEFAULT_TELNYX_API_KEY = 'KEY_sandbox';
/** The seed's public key is xcoq0gutByTpfJ9DoIAR4//RmsxxklziM0uJ6yIlPYw=. */
const DEFAULT_TELNYX_SEED = 'ABGFMlcQa3ZR0JVlqzSgM6YFrBS3qrmZAY/HPkRCqV0=';
const DEFAULT_SMPP_SYSTEM_ID = 'sandbox';
const DEFAULT_SMPP_PASSWORD = 'sandbox';
const DEFAULT_GOOGLE_CLIENT_ID = 'sandbox-client';
const DEFAULT_GOOGLE_CLIENT_SECRET = 'sandbox-secret';
/** Number of Twilio's own sandbox for WhatsApp. */
const DEFAULT_WHATSAPP_SENDER = '+14155238886';
const DEFAULT_STRIPE_SECRET_KEY = 'sk_test_sandbox';
const DEFAULT_STRIPE_WEBHOOK_SECRET = 'whsec_sandbox';

const httpUrl = (what: string) =>
  z
    .url({ protocol: /^https?$/, error: `must be ${what}, such as http://localhost:3000` })
    .transform((url) => url.replace(/\/+$/, ''));

const portWords = 'must be a port number from 0 to 65535';
const portNumber = z.coerce.number({ error: portWords }).int(portWords).min(0, portWords).max(65_535, portWords);

const wholeMs = (fallback: number) => {
  const words = 'must be a whole number of milliseconds from 0 to 3600000';
  return z.coerce.number({ error: words }).int(words).min(0, words).max(3_600_000, words).default(fallback);
};

const prices = z
  .string()
  .transform((text) => text.split(',').map((pair) => /^\s*(price_\w+):(\d{1,8})\s*$/.exec(pair)))
  .refine((pairs) => pairs.every((pair) => pair !== null), {
    message: 'must be prices in cents, such as price_starter:300,price_basic:1000',
  })
  .transform((pairs) => pairs.map((pair) => ({ id: pair?.[1] ?? '', cents: Number(pair?.[2]) })));

const WHATSAPP_SENDER = /^\+[1-9]\d{6,14}$/;
const senders = z
  .string()
  .transform((text) => text.split(',').map((number) => number.trim()))
  .refine((numbers) => numbers.every((number) => WHATSAPP_SENDER.test(number)), {
    message: 'must be numbers in E.164, separated by commas, such as +14155238886',
  });

const schema = z
  .object({
    SANDBOX_PORT: portNumber.default(4000),
    SANDBOX_SMTP_PORT: portNumber.optional(),
    SANDBOX_SMPP_PORT: portNumber.optional(),
    SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
    SANDBOX_PRODUCT_URL: httpUrl('the URL at which the product is reached').default('http://localhost:3000'),
    SANDBOX_PUBLIC_PRODUCT_URL: httpUrl('the public URL of the product').optional(),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits')
      .default(DEFAULT_ACCOUNT_SID),
    TWILIO_AUTH_TOKEN: z.string().min(1).default(DEFAULT_AUTH_TOKEN),
    TELNYX_API_KEY: z.string().min(1).default(DEFAULT_TELNYX_API_KEY),
    SANDBOX_TELNYX_SEED: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
      .default(DEFAULT_TELNYX_SEED),
    SANDBOX_SMPP_SYSTEM_ID: z.string().min(1).default(DEFAULT_SMPP_SYSTEM_ID),
    SANDBOX_SMPP_PASSWORD: z.string().min(1).default(DEFAULT_SMPP_PASSWORD),
    GOOGLE_CLIENT_ID: z.string().min(1).default(DEFAULT_GOOGLE_CLIENT_ID),
    GOOGLE_CLIENT_SECRET: z.string().min(1).default(DEFAULT_GOOGLE_CLIENT_SECRET),
    SANDBOX_DATA_DIR: z.string().min(1).optional(),
    SANDBOX_RECEIPT_DELAY_MS: wholeMs(800),
    SANDBOX_BANK_DELAY_MS: wholeMs(3_000),
    SANDBOX_WHATSAPP_SENDERS: senders.default([DEFAULT_WHATSAPP_SENDER]),
    SANDBOX_CALL_RING_MS: wholeMs(1_000),
    SANDBOX_CALL_TALK_MS: wholeMs(2_000),
    SANDBOX_PUBLIC_URL: httpUrl('the URL at which browsers find the sandbox').optional(),
    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^(sk|rk)_test_\w+$/, 'must be a test key, such as sk_test_sandbox')
      .default(DEFAULT_STRIPE_SECRET_KEY),
    STRIPE_WEBHOOK_SECRET: z.string().min(1).default(DEFAULT_STRIPE_WEBHOOK_SECRET),
    SANDBOX_STRIPE_PRICES: prices.default([]),
    LOG_FORMAT: z.enum(['json', 'pretty'], { error: 'must be json or pretty' }).default('json'),
  })
  .transform((env) => ({
    port: env.SANDBOX_PORT,
    smtpPort: env.SANDBOX_SMTP_PORT ?? smtpPortBeside(env.SANDBOX_PORT),
    host: env.SANDBOX_HOST,
    productUrl: env.SANDBOX_PRODUCT_URL,
    publicProductUrl: env.SANDBOX_PUBLIC_PRODUCT_URL ?? env.SANDBOX_PRODUCT_URL,
    accountSid: env.TWILIO_ACCOUNT_SID,
    authToken: env.TWILIO_AUTH_TOKEN,
    telnyxApiKey: env.TELNYX_API_KEY,
    telnyxSeed: env.SANDBOX_TELNYX_SEED,
    smppPort: env.SANDBOX_SMPP_PORT ?? null,
    smppSystemId: env.SANDBOX_SMPP_SYSTEM_ID,
    smppPassword: env.SANDBOX_SMPP_PASSWORD,
    googleClientId: env.GOOGLE_CLIENT_ID,
    googleClientSecret: env.GOOGLE_CLIENT_SECRET,
    publicUrl: env.SANDBOX_PUBLIC_URL ?? null,
    stripeSecretKey: env.STRIPE_SECRET_KEY,
    stripeWebhookSecret: env.STRIPE_WEBHOOK_SECRET,
    stripePrices: env.SANDBOX_STRIPE_PRICES,
    bankDelayMs: env.SANDBOX_BANK_DELAY_MS,
    whatsAppSenders: env.SANDBOX_WHATSAPP_SENDERS,
    callRingMs: env.SANDBOX_CALL_RING_MS,
    callTalkMs: env.SANDBOX_CALL_TALK_MS,
    dataDir: env.SANDBOX_DATA_DIR ?? null,
    receiptDelayMs: env.SANDBOX_RECEIPT_DELAY_MS,
    logFormat: env.LOG_FORMAT,
  }));

/** Derives the SMTP port from the HTTP port (4000 → 4025), so that two sandboxes do not collide. */
function smtpPortBeside(port: number): number {
  if (port === 0) return 0;
  return port + 25 > 65_535 ? port - 25 : port + 25;
}

export type Env = z.output<typeof schema>;

/**
 * Parses the environment; an empty variable counts as unset. Throws an Error that names every
 * invalid variable.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new Error(faults.join('; '));
}
