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
 * The key that is chosen when the composer opens, from wherever: the live one while there are
 * credits and nothing has been delivered, since the free credits are there to see a message arrive.
 * Afterwards it is the last one, and the test key where none is known.
 */
export function firstKey({ balance, delivered, last }: KeyFacts): KeyKind {
  if (delivered === 0 && balance > 0) return 'live';
  return last ?? 'test';
}
