/** What the load generator is to do. One of `seconds` and `amount` is set. */
export interface LoadJob {
  readonly url: string;
  readonly connections: number;
  /** JSON bodies; every connection cycles through all of them, each from a different start. */
  readonly bodies: readonly string[];
  /** The bodies are divided between the connections: with an `amount` equal to their number, each is sent once. */
  readonly isSplit?: boolean;
  readonly seconds?: number;
  readonly amount?: number;
  /** Requests per second over all connections; as fast as they are answered when not set. */
  readonly perSecond?: number;
}

/** What the load generator saw. */
export interface LoadResult {
  /** Requests answered 2xx. */
  readonly accepted: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p97Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Requests answered otherwise, and those that were not answered. */
  readonly refused: number;
  readonly broken: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}
