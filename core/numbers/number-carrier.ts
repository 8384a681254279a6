import type { NumberType } from '#contract/numbers.js';

export interface NumberCapabilities {
  readonly sms: boolean;
  readonly mms: boolean;
}

export interface NumberSearch {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly type: NumberType;
  readonly areaCode?: string | undefined;
  /** Digits or letters that the number has in a row; `*` is any digit. */
  readonly contains?: string | undefined;
  readonly limit: number;
}

/** A number that is looked up before it is bought. */
export interface WantedNumber {
  /** E.164. */
  readonly number: string;
  /** ISO 3166-1 alpha-2; the number is looked up in this country's list. */
  readonly country: string;
  readonly type: NumberType;
}

/** A number that can be bought. */
export interface AvailableNumber {
  /** E.164. */
  readonly number: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** 'New York, NY'; null for a toll-free number. */
  readonly locality: string | null;
  readonly capabilities: NumberCapabilities;
}

/** A number of our account at the carrier. */
export interface CarrierNumber {
  readonly carrierId: string;
  /** E.164. */
  readonly number: string;
  /**
   * Our order's name, as passed to {@link NumberCarrier.buy}; any text for a number bought
   * otherwise.
   */
  readonly name: string;
  readonly capabilities: NumberCapabilities;
}

/**
 * Outcome of a purchase. `ordered`: the carrier has the order, and decides it later. `taken`: it
 * does not sell the number, or no longer. `refused`: it does not sell it to us. `unavailable`: it
 * certainly has not sold it, and may later. `unknown`: the request left and no conclusive answer
 * came, so only the carrier knows.
 */
export type BuyOutcome =
  | { readonly kind: 'bought'; readonly bought: CarrierNumber }
  | { readonly kind: 'ordered' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly carrierError: number | null }
  | { readonly kind: 'unavailable'; readonly cause: unknown }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/**
 * State of a purchase at the carrier. `ordered`: it has the order, and has not decided it.
 * `failed`: it will not sell the number, and the order is over.
 */
export type FoundNumber =
  | { readonly kind: 'bought'; readonly bought: CarrierNumber }
  | { readonly kind: 'ordered' }
  | { readonly kind: 'failed'; readonly reason: 'refused' | 'not_sold' };

/** Port to a carrier that sells numbers. */
export abstract class NumberCarrier {
  /** Carrier, as in `messages.carrier`. */
  abstract readonly carrier: number;
  /** Throws when the carrier does not answer. */
  abstract search(search: NumberSearch): Promise<AvailableNumber[]>;
  /**
   * Returns the capabilities of a number that can be bought, even without messages; otherwise
   * undefined. Throws when the carrier does not answer.
   */
  abstract offered(wanted: WantedNumber): Promise<NumberCapabilities | undefined>;
  /** Buys a number, which gets this name. Never throws: every failure is an outcome. */
  abstract buy(number: string, name: string): Promise<BuyOutcome>;
  /**
   * Finds a purchase by its name; undefined if there is none. Throws when the carrier does not
   * answer.
   */
  abstract find(name: string): Promise<FoundNumber | undefined>;
  /** Yields all numbers of our account. Throws when the carrier does not answer. */
  abstract all(): AsyncIterable<CarrierNumber>;
  /**
   * Gives a number back; does nothing if it is no longer ours. Throws when the carrier does not
   * answer.
   */
  abstract release(carrierId: string): Promise<void>;
  /** Ends its connections. */
  abstract close(): Promise<void>;
}
