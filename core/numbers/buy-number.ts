import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Credits } from '../credits/credits.js';
import { Config } from '../platform/config/config.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { type NumberForSale, carrierNameOf, numberForSale } from '../rules/numbers.js';
import { NumberCarriers } from './number-carriers.js';
import { NumberDirectory } from './number-directory.js';
import type { Order, OrderFailure } from './orders.repository.js';
import { type PurchaseRequest, ReserveNumber } from './reserve-number.js';
import { SearchNumbers } from './search-numbers.js';
import { type Settled, SettleOrder } from './settle-order.js';

/** After a lost answer the carrier's list may lag: it is read again after these pauses. */
const LIST_PAUSES_MS: readonly number[] = [500, 1_500];

interface BuyRequest extends PurchaseRequest {
  /** As it was typed. */
  readonly number: string;
}

export interface BoughtNumber {
  /** UUID. */
  readonly id: string;
  readonly number: string;
  readonly status: 'reserving' | 'active';
  /** Null while the carrier has not answered. */
  readonly renewsAt: Date | null;
  readonly credits: number;
  /** In credits, after the charge. */
  readonly balance: number;
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

const NOT_CHARGED = 'You were not charged.';

/**
 * Buys a number: reserves it with the credits that it costs, calls the carrier, and takes the credits
 * when the carrier confirms. What is not decided when the answer is due, a worker settles.
 */
@Injectable()
export class BuyNumber {
  constructor(
    private readonly reserveNumber: ReserveNumber,
    private readonly carriers: NumberCarriers,
    private readonly settleOrder: SettleOrder,
    private readonly searchNumbers: SearchNumbers,
    private readonly directory: NumberDirectory,
    private readonly credits: Credits,
    private readonly config: Config,
  ) {}

  /**
   * Throws `number_unsupported`, `number_taken` with similar numbers, `unavailable`, and as
   * {@link ReserveNumber}; then nothing was charged.
   */
  async buy(request: BuyRequest): Promise<BoughtNumber> {
    const forSale = this.checked(request.number);
    const reserved = this.isOurs(forSale.number)
      ? ({ kind: 'taken' } as const)
      : await this.reserveNumber.reserve(request, forSale);
    if (reserved.kind === 'taken') throw await this.taken(forSale);
    const { order } = reserved;
    const settled: Settled =
      reserved.kind === 'replayed' ? await this.settleOrder.ended(order) : await this.settled(order);
    if (settled.kind === 'failed') throw await this.failure(settled.reason, forSale);
    this.directory.refresh();
    const number = settled.kind === 'bought' ? settled.number : undefined;
    const { balance } = await this.credits.balanceOf(request.accountId);
    return {
      id: order.id,
      number: order.number,
      status: number ? 'active' : 'reserving',
      renewsAt: number?.renewsAt ?? null,
      credits: order.credits + order.setupCredits,
      balance,
      replayed: reserved.kind === 'replayed',
    };
  }

  /** What a number costs at first, if it is for sale at all. Throws `number_unsupported`. */
  price(typed: string): { readonly number: string; readonly credits: number } {
    const { number, type } = this.checked(typed);
    const { creditsPerMonth, setupCredits } = this.config.numbers.terms[type];
    return { number, credits: creditsPerMonth + setupCredits };
  }

  private async settled(order: Order): Promise<Settled> {
    const outcome = await this.carriers.of(order.carrier).buy(order.number, carrierNameOf(order.id));
    let settled = await this.settleOrder.settle(order, outcome);
    for (const pauseMs of LIST_PAUSES_MS) {
      if (settled.kind !== 'pending') break;
      await pause(pauseMs);
      settled = (await this.settleOrder.listed(order)) ?? settled;
    }
    if (settled.kind === 'pending') await this.settleOrder.leave(order);
    return settled;
  }

  /** Throws `number_unsupported`. */
  private checked(typed: string): NumberForSale {
    const { countries } = this.config.numbers;
    const forSale = numberForSale(typed, countries);
    if (forSale) return forSale;
    const sold =
      countries.length === 0
        ? 'No numbers are sold here.'
        : `Local and toll-free numbers of ${countries.join(', ')} are sold, with + and country code.`;
    throw new DomainError('number_unsupported', `${sold} ${NOT_CHARGED}`);
  }

  /** Whether it is one of the senders that accounts share. */
  private isOurs(number: string): boolean {
    return this.config.carriers.some(
      ({ senders, countrySenders }) =>
        senders.includes(number) || [...countrySenders.values()].some((list) => list.includes(number)),
    );
  }

  private async taken(forSale: NumberForSale): Promise<DomainError> {
    const similar = await this.searchNumbers.similar(forSale);
    const named = similar.map(({ number }) => number).join(', ');
    const detail = `${forSale.number} is not available. ${NOT_CHARGED}${named && ` Similar ones are: ${named}.`}`;
    return new DomainError('number_taken', detail, { facts: { similar } });
  }

  private async failure(reason: OrderFailure, forSale: NumberForSale): Promise<DomainError> {
    const { number } = forSale;
    switch (reason) {
      case 'taken':
        return this.taken(forSale);
      case 'refused':
        return new DomainError('number_unsupported', `The carrier does not sell ${number} to us. ${NOT_CHARGED}`);
      case 'not_capable':
        return new DomainError('number_unsupported', `${number} carries no messages. ${NOT_CHARGED}`);
      case 'unavailable':
      case 'not_sold':
        return new DomainError('unavailable', `The carrier did not sell the number now. ${NOT_CHARGED} Try again.`, {
          retryAfterSeconds: 5,
        });
    }
  }
}
