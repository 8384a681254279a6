/** The keys that a message can be sent with: the live key, or its test key. */
export type KeyKind = 'live' | 'test';

interface KeyFacts {
  readonly balance: number;
  /** Messages of the account that were delivered. */
  readonly delivered: number;
  /** The key that the person used or chose last, in this browser. */
  readonly last: KeyKind | undefined;
}

/**
 * Chooses the key when the composer opens: the live key while there are credits and no message was
 * delivered, since the free credits are there to see a message arrive; otherwise the last key, or
 * else the test key.
 */
export function firstKey({ balance, delivered, last }: KeyFacts): KeyKind {
  if (delivered === 0 && balance > 0) return 'live';
  return last ?? 'test';
}
