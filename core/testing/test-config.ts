import { randomBytes } from 'node:crypto';
import { Config } from '../platform/config/config.js';
import { parseEnv } from '../platform/config/env.js';

/**
 * A complete environment of a test: no limits per second, one sender, a carrier URL without a
 * server, and time for hundreds of requests at once on a busy machine.
 */
export const testVariables: Record<string, string> = {
  DATABASE_URL: 'postgres://postgres@127.0.0.1:5432/none',
  DATABASE_POOL_MAX: '5',
  DATABASE_WAIT_MS: '20000',
  REDIS_URL: 'redis://127.0.0.1:6379',
  QUEUE_PREFIX: 'test',
  PUBLIC_URL: 'https://pennytext.test',
  API_KEY_HASH_SECRET: randomBytes(32).toString('base64'),
  API_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token of the tests',
  TWILIO_SENDERS: '+15005550006',
  TWILIO_API_URL: 'http://127.0.0.1:1',
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
  STRIPE_PRICE_STARTER: 'price_starter',
  STRIPE_PRICE_BASIC: 'price_basic',
  STRIPE_PRICE_PRO: 'price_pro',
  STRIPE_PRICE_ENTERPRISE: 'price_enterprise',
  STRIPE_API_URL: 'http://127.0.0.1:1',
  RATE_LIMIT_KEY_PER_SECOND: '0',
  RATE_LIMIT_ADDRESS_PER_SECOND: '0',
  SIGN_INS_PER_ADDRESS: '0',
  SIGN_UPS_PER_ADDRESS_PER_DAY: '0',
  ADJUSTMENT_APPROVAL_CREDITS: '0',
  LOG_LEVEL: 'silent',
};

/** The configuration of a test; `overrides` are variables of the environment. */
export function testConfig(overrides: Record<string, string> = {}): Config {
  return new Config(parseEnv({ ...testVariables, ...overrides }));
}
