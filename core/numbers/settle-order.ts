import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import { nameAtCarrier } from '../rules/numbers.js';
import type { BuyOutcome, CarrierNumber, FoundNumber } from './number-carrier.js';
import { NumberCarriers } from './number-carriers.js';
import { type Ended, type EndedPurchase, OrderOutcomes } from './order-outcomes.js';
import type { OrderFailure } from './order.entity.js';
import { type Order, OrdersRepository } from './orders.repository.js';

/** After a lost answer the carrier's list may lag: it is read again after these pauses. */
const LIST_PAUSES_MS: readonly number[] = [500, 1_500];
/** Seconds until a worker checks a purchase that its request has left. */
const LEFT_SECONDS = 3;

/** Result of a purchase. `pending`: only the carrier knows, or has not decided it. */
export type Settled = Ended | { readonly kind: 'pending' };

/**
 * Buys reserved numbers from their carrier. Settles purchases by the carrier's answer, and by its
 * list after a lost answer. Safe to repeat, in any number of processes.
 */
@Injectable()
export class SettleOrder {
  constructor(
    private readonly carriers: NumberCarriers,
    private readonly outcomes: OrderOutcomes,
    private readonly orders: OrdersRepository,
    private readonly telemetry: Telemetry,
  ) {}

  /** Buys a reserved number. Leaves an undecided purchase to a worker. */
  async buy(order: Order): Promise<Settled> {
    const outcome = await this.carriers.of(order.carrier).buy(order.number, nameAtCarrier(order.id));
    let settled = await this.settle(order, outcome);
    for (const pauseMs of LIST_PAUSES_MS) {
      if (settled.kind !== 'pending') break;
      await pause(pauseMs);
      settled = (await this.listed(order)) ?? settled;
    }
    if (settled.kind === 'pending') await this.orders.postpone(order.id, LEFT_SECONDS);
    return settled;
  }

  /** Settles a purchase by the carrier's answer. */
  private async settle(order: Order, outcome: BuyOutcome): Promise<Settled> {
    const about = { accountId: order.accountId, numberId: order.id };
    switch (outcome.kind) {
      case 'bought':
        return this.bought(order, outcome.bought);
      case 'unavailable':
        this.telemetry.logger.warn({ ...about, err: outcome.cause }, 'carrier has not sold a number');
        return this.fail(order, 'unavailable');
      // The number may be ours already: an earlier call of this purchase had no answer.
      case 'taken':
        return (await this.listed(order)) ?? this.fail(order, 'taken');
      case 'refused':
        this.telemetry.logger.info({ ...about, carrierError: outcome.carrierError }, 'carrier refused a number');
        return (await this.listed(order)) ?? this.fail(order, 'refused');
      case 'ordered':
        return (await this.listed(order)) ?? { kind: 'pending' };
      case 'unknown':
        this.telemetry.logger.warn({ ...about, err: outcome.cause }, 'carrier gave no conclusive answer');
        return (await this.listed(order)) ?? { kind: 'pending' };
    }
  }

  /**
   * Settles a purchase by the carrier's list; undefined when the list has neither the number nor an
   * order.
   */
  async listed(order: Order): Promise<Settled | undefined> {
    let found: FoundNumber | undefined;
    try {
      found = await this.carriers.of(order.carrier).find(nameAtCarrier(order.id));
    } catch (err) {
      this.telemetry.logger.warn({ err, numberId: order.id }, 'carrier not asked about a number');
      return { kind: 'pending' };
    }
    switch (found?.kind) {
      case 'bought':
        return this.bought(order, found.bought);
      case 'ordered':
        return { kind: 'pending' };
      case 'failed':
        return this.fail(order, found.reason);
      case undefined:
        return undefined;
    }
  }

  /** Returns the result of an ended purchase. */
  async ended(order: Order): Promise<Settled> {
    return this.outcomes.of(order);
  }

  /** Ends a purchase that the carrier has certainly not made. */
  async fail(order: Order, reason: OrderFailure): Promise<EndedPurchase> {
    const ended = await this.outcomes.fail(order, reason);
    this.count(order, ended);
    return ended;
  }

  /** Gives a number back at once if it carries no messages, or is a different number. */
  private async bought(order: Order, bought: CarrierNumber): Promise<Settled> {
    if (bought.capabilities.sms && bought.number === order.number) {
      const ended = await this.outcomes.confirm(order, bought);
      this.count(order, ended);
      return ended;
    }
    const ended = await this.fail(order, 'not_capable');
    if (ended.kind === 'failed') await this.giveBack(order, bought);
    return ended;
  }

  /** A number that cannot be given back now is given back later: the carrier's list shows it. */
  private async giveBack({ id: numberId, carrier }: Order, { carrierId }: CarrierNumber): Promise<void> {
    try {
      await this.carriers.of(carrier).release(carrierId);
    } catch (err) {
      this.telemetry.logger.error({ err, numberId, carrierId }, 'number not given back yet');
    }
  }

  private count({ accountId, id: numberId }: Order, ended: EndedPurchase): void {
    if (!ended.byUs) return;
    const outcome = ended.kind === 'bought' ? 'bought' : ended.reason;
    this.telemetry.metrics.numberOrders.inc({ outcome });
    this.telemetry.logger.info({ accountId, numberId, outcome }, 'purchase of a number ended');
  }
}
