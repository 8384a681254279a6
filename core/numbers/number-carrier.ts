import type { NumberType } from '#contract/numbers.js';

/** What a number can do. */
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
  /** ISO 3166-1 alpha-2, in whose list it is looked up. */
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
  /** The carrier's id. */
  readonly carrierId: string;
  /** E.164. */
  readonly number: string;
  /** Our order, as {@link NumberCarrier.buy} got it; any text for a number that was bought otherwise. */
  readonly name: string;
  readonly capabilities: NumberCapabilities;
}

/**
 * Outcome of a purchase. `ordered`: the carrier has the order, and decides it later. `taken`: it does
 * not sell the number, or not any more. `refused`: it does not sell it to us. `unavailable`: it
 * certainly has not sold it, and may later. `unknown`: the request left and no conclusive answer came,
 * so only the carrier knows.
 */
export type BuyOutcome =
  | { readonly kind: 'bought'; readonly bought: CarrierNumber }
  | { readonly kind: 'ordered' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly carrierError: number | null }
  | { readonly kind: 'unavailable'; readonly cause: unknown }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/**
 * What a carrier has under a name. `ordered`: it has the order, and has not decided it. `failed`: it
 * will not sell the number, and the order is over.
 */
export type FoundNumber =
  | { readonly kind: 'bought'; readonly bought: CarrierNumber }
  | { readonly kind: 'ordered' }
  | { readonly kind: 'failed'; readonly reason: 'refused' | 'not_sold' };

/** Port to a carrier that sells numbers. */
export abstract class NumberCarrier {
  /** As in `messages.carrier`. */
  abstract readonly carrier: number;
  /** Throws when the carrier cannot be asked. */
  abstract search(search: NumberSearch): Promise<AvailableNumber[]>;
  /**
   * What this number can do, if it can be bought, also one without messages; undefined when it cannot.
   * Throws when the carrier cannot be asked.
   */
  abstract offered(wanted: WantedNumber): Promise<NumberCapabilities | undefined>;
  /** Buys a number, which gets this name. Never throws: every failure is an outcome. */
  abstract buy(number: string, name: string): Promise<BuyOutcome>;
  /** What has this name; undefined when nothing has. Throws when the carrier cannot be asked. */
  abstract find(name: string): Promise<FoundNumber | undefined>;
  /** All numbers of our account. Throws when the carrier cannot be asked. */
  abstract all(): AsyncIterable<CarrierNumber>;
  /**
   * Gives a number back; one that is not ours any more is given back already. Throws when the carrier
   * cannot be asked.
   */
  abstract release(carrierId: string): Promise<void>;
  /** Ends its connections. */
  abstract close(): Promise<void>;
}
