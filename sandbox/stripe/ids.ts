import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id in Stripe's manner: a prefix such as `pi_` and letters and digits. */
export function newId(prefix: string, characters = 24): string {
  let id = prefix;
  for (const byte of randomBytes(characters)) id += LETTERS[byte % LETTERS.length];
  return id;
}

/** Stripe's instants: whole seconds since 1970. */
export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
