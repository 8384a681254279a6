import { randomBytes } from 'node:crypto';
import { STRIPE_KEY } from './vendors.js';

/** Ports of loopback that all programs of one product know. */
export interface ProductPorts {
  readonly redis: number;
  readonly sandbox: number;
  readonly smtp: number;
  readonly servers: readonly number[];
}

interface Options {
  /** Time of a message at the carrier from acceptance to its final receipt. */
  readonly receiptDelayMs: number;
  /** Variables beside the usual ones. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * Environment of server, worker, sandbox and the operator's commands, with secrets of this run.
 * Carriers and webhooks find the first server. Times are short, so that recovery shows within
 * seconds.
 */
export function productEnvironment(
  ports: ProductPorts,
  databaseUrl: string,
  { receiptDelayMs, env }: Options,
): Record<string, string> {
  const serverUrl = `http://127.0.0.1:${ports.servers[0]}`;
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    HOST: '127.0.0.1',
    DRAIN_SECONDS: '0',
    PUBLIC_URL: serverUrl,
    API_KEY_HASH_SECRET: randomBytes(32).toString('base64'),
    API_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    TWILIO_ACCOUNT_SID: `AC${randomBytes(16).toString('hex')}`,
    TWILIO_AUTH_TOKEN: randomBytes(16).toString('hex'),
    TWILIO_SENDERS: '+15005550006',
    TWILIO_WHATSAPP_SENDER: '+14155238886',
    TWILIO_WHATSAPP_TEMPLATE: `HX${'0'.repeat(32)}`,
    TWILIO_VOICE_NUMBER: '+15005550006',
    TWILIO_API_URL: `http://127.0.0.1:${ports.sandbox}`,
    CARRIER_TIMEOUT_MS: '1000',
    CARRIER_LOOKUP_SECONDS: '10',
    GOOGLE_CLIENT_ID: 'sandbox-client',
    GOOGLE_CLIENT_SECRET: randomBytes(16).toString('hex'),
    GOOGLE_BASE_URL: `http://127.0.0.1:${ports.sandbox}`,
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(16).toString('hex')}`,
    STRIPE_API_URL: `http://127.0.0.1:${ports.sandbox}`,
    STRIPE_PRICE_STARTER: 'price_starter',
    STRIPE_PRICE_BASIC: 'price_basic',
    STRIPE_PRICE_PRO: 'price_pro',
    STRIPE_PRICE_ENTERPRISE: 'price_enterprise',
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    INVOICE_SELLER_NAME: 'Example Operator Inc.',
    INVOICE_SELLER_ADDRESS: '1 Example Street | New York, NY 10001 | USA',
    // One operator gives test accounts any number of credits.
    ADJUSTMENT_APPROVAL_CREDITS: '0',
    DISPATCH_LEASE_SECONDS: '3',
    DISPATCH_PROBE_SECONDS: '1',
    RECOVERY_INTERVAL_MS: '300',
    RATE_LIMIT_KEY_PER_SECOND: '0',
    RATE_LIMIT_ADDRESS_PER_SECOND: '0',
    SIGN_INS_PER_ADDRESS: '0',
    SIGN_UPS_PER_ADDRESS_PER_DAY: '0',
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_SMTP_PORT: String(ports.smtp),
    SANDBOX_BANK_DELAY_MS: '1000',
    SANDBOX_STRIPE_PRICES: 'price_starter:300,price_basic:1000,price_pro:3000,price_enterprise:5000',
    SANDBOX_PRODUCT_URL: serverUrl,
    SANDBOX_RECEIPT_DELAY_MS: String(receiptDelayMs),
    ...env,
  };
}
