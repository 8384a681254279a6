// Node: node verify.mjs ID TIMESTAMP SIGNATURES SECRET < body
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

const TOLERANCE_SECONDS = 300;

/**
 * Whether a webhook is genuine. `body` is the request's body as it came, before anything has parsed
 * it.
 */
export function isGenuine({ id, timestamp, signatures, body, secret }) {
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((one) => {
    const [version, signature = ''] = one.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const [id, timestamp, signatures, secret] = process.argv.slice(2);
const body = readFileSync(0, 'utf8');
process.exit(isGenuine({ id, timestamp, signatures, body, secret }) ? 0 : 1);
