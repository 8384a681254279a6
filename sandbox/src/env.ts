import { z } from 'zod';

/** Stand-in credentials, the same everywhere, so that a bare `npm start` works. They open nothing but this sandbox. */
export const DEFAULT_ACCOUNT_SID = 'AC5a9db0c55a9db0c55a9db0c55a9db0c5';
export const DEFAULT_AUTH_TOKEN = 'sandbox-auth-token';
export const DEFAULT_GOOGLE_CLIENT_ID = 'sandbox-client';
export const DEFAULT_GOOGLE_CLIENT_SECRET = 'sandbox-secret';

const httpUrl = (what: string) =>
  z
    .url({ protocol: /^https?$/, error: `must be ${what}, such as http://localhost:3000` })
    .transform((url) => url.replace(/\/+$/, ''));

const schema = z
  .object({
    SANDBOX_PORT: z.coerce
      .number({ error: 'must be a port number from 0 to 65535' })
      .int('must be a port number from 0 to 65535')
      .min(0, 'must be a port number from 0 to 65535')
      .max(65_535, 'must be a port number from 0 to 65535')
      .default(4000),
    SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
    SANDBOX_PRODUCT_URL: httpUrl('the URL at which the product is reached').default('http://localhost:3000'),
    SANDBOX_PUBLIC_PRODUCT_URL: httpUrl('the URL under which the product knows itself').optional(),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits')
      .default(DEFAULT_ACCOUNT_SID),
    TWILIO_AUTH_TOKEN: z.string().min(1).default(DEFAULT_AUTH_TOKEN),
    GOOGLE_CLIENT_ID: z.string().min(1).default(DEFAULT_GOOGLE_CLIENT_ID),
    GOOGLE_CLIENT_SECRET: z.string().min(1).default(DEFAULT_GOOGLE_CLIENT_SECRET),
    SANDBOX_DATA_DIR: z.string().min(1).optional(),
    SANDBOX_RECEIPT_DELAY_MS: z.coerce
      .number({ error: 'must be a whole number of milliseconds from 0 to 3600000' })
      .int('must be a whole number of milliseconds from 0 to 3600000')
      .min(0, 'must be a whole number of milliseconds from 0 to 3600000')
      .max(3_600_000, 'must be a whole number of milliseconds from 0 to 3600000')
      .default(800),
  })
  .transform((env) => ({
    port: env.SANDBOX_PORT,
    host: env.SANDBOX_HOST,
    productUrl: env.SANDBOX_PRODUCT_URL,
    publicProductUrl: env.SANDBOX_PUBLIC_PRODUCT_URL ?? env.SANDBOX_PRODUCT_URL,
    accountSid: env.TWILIO_ACCOUNT_SID,
    authToken: env.TWILIO_AUTH_TOKEN,
    googleClientId: env.GOOGLE_CLIENT_ID,
    googleClientSecret: env.GOOGLE_CLIENT_SECRET,
    dataDir: env.SANDBOX_DATA_DIR ?? null,
    receiptDelayMs: env.SANDBOX_RECEIPT_DELAY_MS,
  }));

export type Env = z.output<typeof schema>;

/** Reads the environment once; an empty variable counts as not set. Throws an Error whose message names every fault. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new Error(faults.join('; '));
}
