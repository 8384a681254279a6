import type { Outages, Part } from '../processes/outages.js';

/**
 * One request as its caller saw it. `status` 0: the connection was refused or broke, and `reason`
 * says how.
 */
export interface Attempt {
  readonly what: string;
  /** Index of the server that was asked. */
  readonly server: number;
  readonly status: number;
  readonly reason: string;
  readonly hasRetryAfter: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Outcome of an attempt as text for the report. */
export interface Verdict {
  readonly text: string;
  /**
   * `busy`: refused with 503 and Retry-After though everything was available. `fault`: nothing
   * excuses it.
   */
  readonly kind: 'fine' | 'busy' | 'fault';
}

/** Time in which a server reconnects to a dependency that is available again. */
const recoveredWithinMs = 3_000;
const stores: readonly Part[] = ['postgres', 'redis'];

/**
 * Judges an attempt. A stopped server excuses a broken connection and a 5xx, an unavailable
 * Postgres or Redis a 503 with Retry-After, and a misbehaving Stripe a 502 or 503 at a checkout.
 * Any other 503 with Retry-After means a machine that is too busy for the load, which is bounded
 * over the whole run (`Tally`).
 */
export function verdictOf(attempt: Attempt, outages: Outages): Verdict {
  const { what, server, status, reason, hasRetryAfter, fromMs, toMs } = attempt;
  const during = (...parts: Part[]) => outages.during(parts, fromMs, toMs, recoveredWithinMs);
  const ownServer: Part = `server-${server}`;
  if (status !== 0 && status < 500) return { text: `answered ${status}${reason && ` ${reason}`}`, kind: 'fine' };
  if (outages.during([ownServer], fromMs, toMs, 0).length > 0) {
    return { text: `${howItEnded(status, reason)}: its server was stopped`, kind: 'fine' };
  }
  if (status === 0) return { text: `broken without a cause: ${reason} (${what})`, kind: 'fault' };
  const unavailable = during(...stores);
  if (status === 503 && hasRetryAfter && unavailable.length > 0) {
    return { text: `503 with Retry-After: ${unavailable.join(' and ')} was unavailable`, kind: 'fine' };
  }
  if (what === 'checkout' && (status === 502 || status === 503) && during('stripe').length > 0) {
    return { text: `${status} of a checkout: Stripe misbehaved`, kind: 'fine' };
  }
  if (status === 503 && hasRetryAfter) return { text: `503 with Retry-After: busy (${what})`, kind: 'busy' };
  const without = hasRetryAfter ? '' : ' without Retry-After';
  const meanwhile = unavailable.length > 0 ? `, while ${unavailable.join(' and ')} was unavailable` : '';
  return { text: `${status}${without}${meanwhile}: ${reason} (${what})`, kind: 'fault' };
}

function howItEnded(status: number, reason: string): string {
  if (status !== 0) return `answered ${status}`;
  return isNeverSent(reason) ? 'not connected' : 'answer lost';
}

/** Whether the request certainly did not reach its server. */
export function isNeverSent(reason: string): boolean {
  return reason.startsWith('ECONNREFUSED');
}
