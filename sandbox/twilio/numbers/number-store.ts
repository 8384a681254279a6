import { randomUUID } from 'node:crypto';
import {
  type AvailableNumber,
  inventory,
  isInInventory,
  type NumberCapabilities,
  type NumberSearch,
} from './number-inventory.js';

/** A number of the product's account. */
export interface OwnedNumber {
  readonly sid: string;
  readonly phoneNumber: string;
  friendlyName: string;
  smsUrl: string;
  readonly capabilities: NumberCapabilities;
  readonly boughtAtMs: number;
}

interface Purchase {
  readonly phoneNumber: string;
  readonly friendlyName: string | null;
  readonly smsUrl: string | null;
  readonly capabilities: NumberCapabilities;
}

/** Numbers that are sold, and those that the product has bought. */
export class NumberStore {
  private readonly owned = new Map<string, OwnedNumber>();
  /** Of other customers of the carrier. */
  private readonly taken = new Set<string>();
  private changed: () => void = () => undefined;

  /** Has `changed` called after every change of the product's numbers. */
  watch(changed: () => void): void {
    this.changed = changed;
  }

  restore(numbers: readonly OwnedNumber[]): void {
    for (const number of numbers) this.owned.set(number.sid, number);
  }

  /** In the order of purchase. */
  list(): OwnedNumber[] {
    return [...this.owned.values()];
  }

  get(sid: string): OwnedNumber | undefined {
    return this.owned.get(sid);
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
    return !this.taken.has(phoneNumber) && !this.list().some((owned) => owned.phoneNumber === phoneNumber);
  }

  /** Whether a message may name a number as its sender: one that is sold must be the product's. */
  mayBeSender(phoneNumber: string): boolean {
    return !isInInventory(phoneNumber) || this.list().some((owned) => owned.phoneNumber === phoneNumber);
  }

  buy({ phoneNumber, friendlyName, smsUrl, capabilities }: Purchase): OwnedNumber {
    const number: OwnedNumber = {
      sid: `PN${randomUUID().replaceAll('-', '')}`,
      phoneNumber,
      friendlyName: friendlyName ?? phoneNumber,
      smsUrl: smsUrl ?? '',
      capabilities,
      boughtAtMs: Date.now(),
    };
    this.owned.set(number.sid, number);
    this.changed();
    return number;
  }

  /** Returns whether the product had it. */
  release(sid: string): boolean {
    const isOwned = this.owned.delete(sid);
    if (isOwned) this.changed();
    return isOwned;
  }

  /** Has another customer of the carrier buy a number. */
  take(phoneNumber: string): void {
    this.taken.add(phoneNumber);
  }

  clear(): void {
    this.owned.clear();
    this.taken.clear();
    this.changed();
  }
}
