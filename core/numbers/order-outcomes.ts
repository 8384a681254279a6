import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import type { CarrierNumber } from './number-carrier.js';
import { NumberEvents } from './number-events.js';
import { NumberMoney } from './number-money.js';
import { type NumberRow, NumbersRepository } from './numbers.repository.js';
import { publicNumberId } from '../rules/ids.js';
import type { OrderFailure } from './order.entity.js';
import { type Order, OrdersRepository } from './orders.repository.js';

/** Result of a purchase: the account's number, or a failure. */
export type Ended =
  | { readonly kind: 'bought'; readonly number: NumberRow }
  | { readonly kind: 'failed'; readonly reason: OrderFailure };

/** `byUs`: this call was the first to end the purchase. */
export type EndedPurchase = Ended & { readonly byUs: boolean };

/**
 * Ends each purchase once, in any number of processes: credits, number and purchase change in one
 * transaction.
 */
@Injectable()
export class OrderOutcomes {
  constructor(
    private readonly postgres: Postgres,
    private readonly numbers: NumbersRepository,
    private readonly orders: OrdersRepository,
    private readonly money: NumberMoney,
    private readonly events: NumberEvents,
  ) {}

  /**
   * Takes the held credits, and gives the number to the account. An account that was erased
   * meanwhile does not keep it: a worker gives it back to the carrier.
   */
  async confirm(order: Order, { carrierId, capabilities }: CarrierNumber): Promise<EndedPurchase> {
    const { accountId, id, carrier } = order;
    const confirmed = await this.postgres.transaction(async (tx) => {
      await this.money.lock(tx, accountId);
      if (!(await this.orders.finish(tx, id, { status: 'confirmed' }))) return undefined;
      const number = await this.numbers.activate(tx, { id, carrier, carrierId, canMms: capabilities.mms });
      if (!number) throw new Error('A purchase that is not decided has no reserved number');
      await this.money.take(tx, order);
      if (await this.numbers.isErased(tx, accountId)) await this.numbers.releasing(tx, id, 'deleted');
      const { credits, setupCredits } = order;
      const facts = { numberId: publicNumberId(id), number: number.number, credits: credits + setupCredits };
      await this.events.mail(tx, accountId, { kind: 'number_bought', ...facts }, id);
      return { number, eventId: await this.events.record(tx, 'number.active', number) };
    });
    if (!confirmed) return { ...(await this.of(order)), byUs: false };
    this.events.enqueue([confirmed.eventId]);
    return { kind: 'bought', number: confirmed.number, byUs: true };
  }

  /** Returns the held credits, and the key's budget. */
  async fail(order: Order, reason: OrderFailure): Promise<EndedPurchase> {
    const { accountId, id } = order;
    const failed = await this.postgres.transaction(async (tx) => {
      await this.money.lock(tx, accountId);
      if (!(await this.orders.finish(tx, id, { status: 'failed', reason }))) return false;
      await this.numbers.unreserve(tx, id);
      await this.money.giveBack(tx, order);
      return true;
    });
    return failed ? { kind: 'failed', reason, byUs: true } : { ...(await this.of(order)), byUs: false };
  }

  /** Returns the result of an ended purchase. */
  async of({ accountId, id }: Order): Promise<Ended> {
    const order = await this.orders.find(accountId, id);
    const number = await this.numbers.find(accountId, id);
    if (order?.status === 'confirmed' && number) return { kind: 'bought', number };
    return { kind: 'failed', reason: order?.reason ?? 'unavailable' };
  }
}
