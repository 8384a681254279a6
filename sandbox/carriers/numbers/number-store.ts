import type { CarrierName } from '../message.js';
import {
  type AvailableNumber,
  inventory,
  isInInventory,
  type NumberCapabilities,
  type NumberSearch,
} from './number-inventory.js';

/** A number of the product's account. */
export interface OwnedNumber {
  /** Carrier that sold the number. */
  readonly carrier: CarrierName;
  /** The carrier's id. */
  readonly sid: string;
  readonly phoneNumber: string;
  /** The product's name for the number: Twilio's friendly name, Telnyx's customer reference. */
  readonly friendlyName: string;
  /** Address for replies to the number, at Twilio. */
  readonly smsUrl: string;
  /** The messaging profile, at Telnyx. */
  readonly profileId: string | null;
  readonly capabilities: NumberCapabilities;
  readonly boughtAtMs: number;
}

/** Numbers that carriers sell or the product has bought. A number is sold once, by one carrier. */
export class NumberStore {
  private readonly owned = new Map<string, OwnedNumber>();
  /** Numbers of other customers of the carriers. */
  private readonly taken = new Set<string>();
  /** Numbers that the product has ordered, while the order is not decided. */
  private readonly ordered = new Set<string>();
  private changed: () => void = () => undefined;

  /** Has `changed` called after every change of the product's numbers. */
  watch(changed: () => void): void {
    this.changed = changed;
  }

  restore(numbers: readonly OwnedNumber[]): void {
    for (const number of numbers) this.owned.set(number.sid, number);
  }

  /** Numbers of one carrier, or all, in the order of purchase. */
  list(carrier?: CarrierName): OwnedNumber[] {
    return [...this.owned.values()].filter((number) => number.carrier === (carrier ?? number.carrier));
  }

  get(carrier: CarrierName, sid: string): OwnedNumber | undefined {
    const number = this.owned.get(sid);
    return number?.carrier === carrier ? number : undefined;
  }

  /** The first numbers that a search finds and no customer has. */
  available(search: NumberSearch, max: number): AvailableNumber[] {
    const found: AvailableNumber[] = [];
    for (const number of inventory(search)) {
      if (found.length >= max) break;
      if (this.isFree(number.phoneNumber)) found.push(number);
    }
    return found;
  }

  isFree(phoneNumber: string): boolean {
    return !this.taken.has(phoneNumber) && !this.ordered.has(phoneNumber) && this.of(phoneNumber) === undefined;
  }

  /**
   * Whether a message may name a number as its sender: a number that is sold must be the product's,
   * at this carrier, and have a messaging profile at Telnyx.
   */
  mayBeSender(carrier: CarrierName, phoneNumber: string): boolean {
    if (!isInInventory(phoneNumber)) return true;
    const owned = this.of(phoneNumber);
    return owned?.carrier === carrier && (carrier !== 'telnyx' || owned.profileId !== null);
  }

  /** The carrier where the product has bought a number. */
  carrierOf(phoneNumber: string): CarrierName | undefined {
    return this.of(phoneNumber)?.carrier;
  }

  /** Keeps a number from being sold while an order of it is not decided. */
  order(phoneNumber: string, isOrdered: boolean): void {
    if (isOrdered) this.ordered.add(phoneNumber);
    else this.ordered.delete(phoneNumber);
  }

  buy(purchase: Omit<OwnedNumber, 'boughtAtMs'>): OwnedNumber {
    return this.put({ ...purchase, boughtAtMs: Date.now() });
  }

  change(number: OwnedNumber, changes: Partial<Pick<OwnedNumber, 'friendlyName' | 'profileId'>>): OwnedNumber {
    return this.put({ ...number, ...changes });
  }

  /** Returns whether the product had the number. */
  release(carrier: CarrierName, sid: string): boolean {
    const isOwned = this.get(carrier, sid) !== undefined && this.owned.delete(sid);
    if (isOwned) this.changed();
    return isOwned;
  }

  /** Has another customer of a carrier buy a number. */
  take(phoneNumber: string): void {
    this.taken.add(phoneNumber);
  }

  clear(): void {
    for (const numbers of [this.owned, this.taken, this.ordered]) numbers.clear();
    this.changed();
  }

  private of(phoneNumber: string): OwnedNumber | undefined {
    return this.list().find((owned) => owned.phoneNumber === phoneNumber);
  }

  private put(number: OwnedNumber): OwnedNumber {
    this.owned.set(number.sid, number);
    this.changed();
    return number;
  }
}
