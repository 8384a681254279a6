/** An API key as a request carries it, reduced to its keyed hash. */
export interface ApiKey {
  readonly hash: Buffer;
  /** The key had the suffix `_test`, or the prefix of a test key. */
  readonly test: boolean;
  /** The key has the form of a named key, which may have limits. */
  readonly named: boolean;
}
