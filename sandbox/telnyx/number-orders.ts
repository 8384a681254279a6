import { randomUUID } from 'node:crypto';
import type { NumberStore, OwnedNumber } from '../carriers/numbers/number-store.js';
import type { Fault } from '../control/faults.js';
import { Timers } from '../outgoing.js';

interface OrderRequest {
  readonly phoneNumber: string;
  readonly reference: string | null;
  readonly profileId: string | null;
}

/** An order of a number at Telnyx. */
export interface NumberOrder extends OrderRequest {
  readonly id: string;
  readonly status: 'pending' | 'success' | 'failure';
  /** False: the number needs documents, so the order fails. */
  readonly requirementsMet: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Orders of numbers, which Telnyx decides later. They are in memory only. */
export class NumberOrders {
  private readonly byId = new Map<string, NumberOrder>();
  private readonly timers = new Timers();

  constructor(
    private readonly numbers: NumberStore,
    private readonly delayMs: number,
  ) {}

  /** Orders, newest first. */
  list(): NumberOrder[] {
    return [...this.byId.values()].reverse();
  }

  get(id: string): NumberOrder | undefined {
    return this.byId.get(id);
  }

  /**
   * Takes an order of a free number. The fault `order-pending` decides the order after the fault's
   * delay, or never without a delay; with `order-failure` and `other-country` the order fails.
   */
  add(request: OrderRequest, { mode, delayMs }: Fault): NumberOrder {
    const now = Date.now();
    const requirementsMet = mode !== 'other-country';
    const times = { createdAtMs: now, updatedAtMs: now };
    const order: NumberOrder = { ...request, id: randomUUID(), status: 'pending', requirementsMet, ...times };
    this.byId.set(order.id, order);
    this.numbers.order(order.phoneNumber, true);
    const status = mode === 'order-failure' || !requirementsMet ? 'failure' : 'success';
    const can = { voice: true, sms: mode !== 'no-sms', mms: mode !== 'no-sms' };
    const afterMs = mode === 'order-pending' ? delayMs : this.delayMs;
    if (mode !== 'order-pending' || delayMs > 0) this.timers.later(afterMs, () => this.decide(order, status, can));
    return order;
  }

  clear(): void {
    this.timers.clear();
    this.byId.clear();
  }

  private decide(order: NumberOrder, status: 'success' | 'failure', capabilities: OwnedNumber['capabilities']): void {
    const { id, phoneNumber, reference, profileId } = order;
    this.byId.set(id, { ...order, status, updatedAtMs: Date.now() });
    this.numbers.order(phoneNumber, false);
    if (status === 'failure') return;
    const names = { friendlyName: reference ?? '', smsUrl: '', profileId };
    this.numbers.buy({ carrier: 'telnyx', sid: newNumberId(), phoneNumber, ...names, capabilities });
  }
}

/** A number's id as Telnyx forms it: nineteen digits. */
function newNumberId(): string {
  return `2${String(BigInt(`0x${randomUUID().replaceAll('-', '')}`))
    .padStart(18, '0')
    .slice(-18)}`;
}
