import { createHash } from 'node:crypto';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** A Lua script whose result is a list of numbers. Redis keeps it under its hash. */
export interface CountScript {
  readonly hash: string;
  readonly text: string;
}

export function scriptOf(text: string): CountScript {
  return { hash: createHash('sha1').update(text).digest('hex'), text };
}

export interface LimiterOptions {
  /** Maximum of uses in a window. */
  readonly points: number;
  /** Window in seconds. */
  readonly duration: number;
  readonly keyPrefix: string;
}

/**
 * Counts that all processes share, beside the queues: in Redis, or, when the queues are in
 * Postgres, in each process for itself. No count is worth waiting for.
 */
export abstract class SharedCounters {
  /** Returns the key of a count of this installation. */
  abstract key(name: string): string;

  /**
   * Runs a script over keys, which {@link key} made, in one round trip. Returns its numbers;
   * undefined when nothing is shared. Rejects at once while Redis is unavailable.
   */
  abstract count(script: CountScript, keys: readonly string[], args: readonly number[]): Promise<number[] | undefined>;

  /** Returns a limiter of the library; while Redis is unavailable it counts in this process. */
  abstract limiter(options: LimiterOptions): RateLimiterAbstract;

  /** Returns whether the store takes writes. Throws while it is unavailable. */
  abstract isWritable(): Promise<boolean>;

  /** Returns true once after the store came back without its data, and at the first start. */
  abstract isNew(): Promise<boolean>;
}
