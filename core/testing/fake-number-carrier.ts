import { randomBytes } from 'node:crypto';
import { carrierNumbers } from '#contract/carrier-codes.js';
import {
  type AvailableNumber,
  type BuyOutcome,
  type CarrierNumber,
  type FoundNumber,
  type NumberCapabilities,
  NumberCarrier,
  type NumberSearch,
  type WantedNumber,
} from '../numbers/number-carrier.js';
import { NumberCarriers } from '../numbers/number-carriers.js';

const capabilities = { sms: true, mms: true };
const noMessages = { ...capabilities, sms: false, mms: false };

interface Parts {
  get(carriers: typeof NumberCarriers): NumberCarriers;
}

/** Makes a process use a carrier in memory as its seller of numbers. */
export function useFakeNumbers(parts: Parts): FakeNumberCarrier {
  const fake = new FakeNumberCarrier();
  useNumbers(parts, fake);
  return fake;
}

/** Makes a process use another carrier as its seller of numbers. */
export function useNumbers(parts: Parts, other: NumberCarrier): void {
  const used: NumberCarrier = parts.get(NumberCarriers).seller;
  used.search = (search) => other.search(search);
  used.offered = (wanted) => other.offered(wanted);
  used.buy = (number, name) => other.buy(number, name);
  used.find = (name) => other.find(name);
  used.all = () => other.all();
  used.release = (carrierId) => other.release(carrierId);
}

/** A carrier in memory that sells any number, once. */
export class FakeNumberCarrier extends NumberCarrier {
  /** Undecided orders by name, if {@link decide} decides them later. */
  orders: Map<string, { readonly number: string; status: 'pending' | 'failure' }> | undefined;

  constructor(readonly carrier: number = carrierNumbers.twilio) {
    super();
  }

  /** Numbers sold to us, by the carrier's id. */
  sold = new Map<string, CarrierNumber>();
  /** Numbers of other customers. */
  taken = new Set<string>();
  /** Numbers that carry no messages. */
  mute = new Set<string>();
  /** Numbers that were looked up, and searches, in order. */
  asked: string[] = [];
  /** True if it does not answer whether it offers a number. */
  isSilent = false;
  /** Calls to buy that have arrived. */
  bought = 0;
  /** Faults of the next purchases. `lost`: the number is sold, and the answer does not come. */
  faults: ('lost' | 'unavailable' | 'refused' | 'no-sms' | 'not sold, unknown')[] = [];
  /** True if the lists cannot be read, and numbers cannot be given back. */
  isDown = false;
  /** Result of a search. */
  available: AvailableNumber[] = [];

  /** Sells the same numbers as another process's carrier. */
  shareWith(other: FakeNumberCarrier): void {
    other.orders = this.orders;
    other.sold = this.sold;
    other.taken = this.taken;
    other.mute = this.mute;
  }

  async search({ limit }: NumberSearch): Promise<AvailableNumber[]> {
    this.asked.push('search');
    this.assertUp();
    return this.available.filter(({ number }) => this.isFree(number)).slice(0, limit);
  }

  async offered({ number }: WantedNumber): Promise<NumberCapabilities | undefined> {
    this.asked.push(number);
    if (this.isSilent) throw new Error('The carrier of the test cannot be asked');
    return this.isFree(number) ? this.capabilitiesOf(number) : undefined;
  }

  async buy(number: string, name: string): Promise<BuyOutcome> {
    this.bought += 1;
    const fault = this.faults.shift();
    const isOrdered = [...(this.orders?.values() ?? [])].some(
      (one) => one.number === number && one.status === 'pending',
    );
    const cause = new Error(`fault of the test: ${fault}`);
    if (fault === 'unavailable') return { kind: 'unavailable', cause };
    if (fault === 'refused') return { kind: 'refused', carrierError: 21_631 };
    if (fault === 'not sold, unknown') return { kind: 'unknown', cause };
    if (!this.isFree(number) || isOrdered) return { kind: 'taken' };
    if (this.orders) {
      this.orders.set(name, { number, status: 'pending' });
      return fault === 'lost' ? { kind: 'unknown', cause } : { kind: 'ordered' };
    }
    return this.sell(number, name, fault);
  }

  /** Ends the pending orders. */
  decide(status: 'success' | 'failure' = 'success'): void {
    for (const [name, order] of this.orders ?? []) {
      if (order.status !== 'pending') continue;
      if (status === 'failure') order.status = status;
      else if (this.orders?.delete(name)) this.sell(order.number, name);
    }
  }

  private sell(number: string, name: string, fault?: 'lost' | 'no-sms'): BuyOutcome {
    const cause = new Error(`fault of the test: ${fault}`);
    const carrierId = `PN${randomBytes(16).toString('hex')}`;
    const can = fault === 'no-sms' ? noMessages : this.capabilitiesOf(number);
    const bought = { carrierId, number, name, capabilities: can };
    this.sold.set(carrierId, bought);
    return fault === 'lost' ? { kind: 'unknown', cause } : { kind: 'bought', bought };
  }

  async find(name: string): Promise<FoundNumber | undefined> {
    this.assertUp();
    const bought = [...this.sold.values()].find((one) => one.name === name);
    if (bought) return { kind: 'bought', bought };
    const order = this.orders?.get(name);
    if (!order) return undefined;
    return order.status === 'pending' ? { kind: 'ordered' } : { kind: 'failed', reason: 'not_sold' };
  }

  async *all(): AsyncIterable<CarrierNumber> {
    this.assertUp();
    yield* this.sold.values();
  }

  async release(carrierId: string): Promise<void> {
    this.assertUp();
    this.sold.delete(carrierId);
  }

  async close(): Promise<void> {}

  private capabilitiesOf(number: string): NumberCapabilities {
    return this.mute.has(number) ? noMessages : capabilities;
  }

  private isFree(number: string): boolean {
    return !this.taken.has(number) && ![...this.sold.values()].some((one) => one.number === number);
  }

  private assertUp(): void {
    if (this.isDown) throw new Error('The carrier of the test is down');
  }
}
