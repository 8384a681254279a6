import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from './bench.js';

/** A job of the load generator. One of `seconds` and `amount` is set. */
export interface LoadJob {
  readonly url: string;
  readonly connections: number;
  /** JSON bodies; every connection cycles through all of them, each from a different start. */
  readonly bodies: readonly string[];
  /** Paths of the requests with the same index, if they differ from the URL's. */
  readonly paths?: readonly string[];
  /** Headers of the request with the same index. */
  readonly headers?: readonly Readonly<Record<string, string>>[];
  /**
   * Divides the bodies between the connections: with an `amount` equal to the number of bodies,
   * each body is sent once.
   */
  readonly isSplit?: boolean;
  readonly seconds?: number;
  readonly amount?: number;
  /** Requests per second over all connections; unlimited when not set. */
  readonly perSecond?: number;
}

export interface LoadResult {
  /** Requests answered 2xx. */
  readonly accepted: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p97Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Requests answered otherwise, and unanswered requests. */
  readonly refused: number;
  readonly broken: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export const connections = 50;
const marginMs = 30_000;
/** Lowest pace at which an amount may be sent. */
const slowestPerSecond = 50;
// Numbers reserved for fiction: https://www.nanpa.com/numbering/555-line-numbers
const recipients = Array.from({ length: 100 }, (_, index) => `+1202555${String(100 + index).padStart(4, '0')}`);

/**
 * Bodies of POST /api/sendsms: each account writes to every recipient in turn, one segment each.
 */
export function bodiesOf(apiKeys: readonly string[]): string[] {
  return Array.from({ length: Math.max(apiKeys.length, recipients.length) }, (_, index) =>
    JSON.stringify({
      to: recipients[index % recipients.length],
      message: 'Your parcel 40817 arrives today between 2 and 4 pm. Reply STOP to opt out.',
      apikey: apiKeys[index % apiKeys.length],
    }),
  );
}

export type Load = Omit<LoadJob, 'connections'> & Partial<Pick<LoadJob, 'connections'>>;

/** Applies load from a separate process, so that the generator shares no event loop. */
export async function applyLoad({ children, signal }: Bench, load: Load): Promise<LoadResult> {
  signal.throwIfAborted();
  const seconds = load.amount === undefined ? (load.seconds ?? 10) : load.amount / slowestPerSecond;
  const bound = { signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000 + marginMs)]) };
  const child = fork(children.taskFile('load'), { env: {}, detached: true });
  try {
    const ended = once(child, 'exit', bound).then(() => {
      throw new Error('The load generator ended without a result');
    });
    child.send({ connections, ...load });
    const [result] = (await Promise.race([once(child, 'message', bound), ended])) as [LoadResult];
    return result;
  } finally {
    child.kill('SIGKILL');
  }
}
