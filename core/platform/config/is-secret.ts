import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a given secret in constant time. */
export function isSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
