import { createHmac } from 'node:crypto';

/** The Stripe-Signature header: HMAC-SHA256 in hex over `{seconds}.{body}` (Stripe's page on verifying signatures by hand). */
export function stripeSignature(secret: string, atSeconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${atSeconds}.${body}`, 'utf8').digest('hex');
  return `t=${atSeconds},v1=${digest}`;
}
