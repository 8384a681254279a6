import type { Outages, Part } from '../processes/outages.js';

/** One request as its caller saw it. `status` 0: the connection was refused or broke, and `reason` says how. */
export interface Attempt {
  readonly what: string;
  /** Which server was asked. */
  readonly server: number;
  readonly status: number;
  readonly reason: string;
  readonly hasRetryAfter: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What an attempt met, in words for the table; `isFault` when the product has no excuse for it. */
export interface Verdict {
  readonly text: string;
  readonly isFault: boolean;
}

/** A server's pool of connections to a dependency that is back finds that out within this time. */
const recoveredWithinMs = 3_000;
const stores: readonly Part[] = ['postgres', 'redis'];

/**
 * Judges an attempt. A broken connection must have a reason in its server's being stopped; a 5xx too, or it is a 503 with
 * Retry-After while Postgres or Redis was unavailable; 502 is for our failing to open a checkout at a Stripe that misbehaves.
 */
export function verdictOf(attempt: Attempt, outages: Outages): Verdict {
  const { what, server, status, reason, hasRetryAfter, fromMs, toMs } = attempt;
  const during = (...parts: Part[]) => outages.during(parts, fromMs, toMs, recoveredWithinMs);
  const ownServer: Part = `server-${server}`;
  if (status !== 0 && status < 500) return { text: `answered ${status}${reason && ` ${reason}`}`, isFault: false };
  if (outages.during([ownServer], fromMs, toMs, 0).length > 0) {
    return { text: `${howItEnded(status, reason)}: its server was stopped`, isFault: false };
  }
  if (status === 0) return { text: `broken without a cause: ${reason} (${what})`, isFault: true };
  const unavailable = during(...stores);
  if (status === 503 && hasRetryAfter && unavailable.length > 0) {
    return { text: `503 with Retry-After: ${unavailable.join(' and ')} was unavailable`, isFault: false };
  }
  if (what === 'checkout' && (status === 502 || status === 503) && during('stripe').length > 0) {
    return { text: `${status} of a checkout: Stripe misbehaved`, isFault: false };
  }
  const without = hasRetryAfter ? '' : ' without Retry-After';
  const meanwhile = unavailable.length > 0 ? `, while ${unavailable.join(' and ')} was unavailable` : '';
  return { text: `${status}${without}${meanwhile}: ${reason} (${what})`, isFault: true };
}

function howItEnded(status: number, reason: string): string {
  if (status !== 0) return `answered ${status}`;
  return isNeverSent(reason) ? 'not connected' : 'answer lost';
}

/** Whether a request has surely not reached its server. */
export function isNeverSent(reason: string): boolean {
  return reason.startsWith('ECONNREFUSED');
}
