import StripeSdk from 'stripe';
import type { StripeConfig } from '../../platform/config/config.js';

const TIMEOUT_MS = 10_000;
const RETRIES_MAX = 2;

/** Stripe's own SDK, at Stripe or at another address that speaks its protocol. */
export function stripeClient({ secretKey, apiUrl }: StripeConfig): StripeSdk {
  return new StripeSdk(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    ...(apiUrl && addressOf(new URL(apiUrl))),
  });
}

function addressOf({ protocol, hostname, port }: URL): { protocol: 'http' | 'https'; host: string; port: number } {
  const secure = protocol === 'https:';
  return { protocol: secure ? 'https' : 'http', host: hostname, port: Number(port) || (secure ? 443 : 80) };
}
