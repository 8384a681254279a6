import { Injectable } from '@nestjs/common';
import type { NumberStatus } from '#contract/numbers.js';
import { Credits } from '../credits/credits.js';
import { Config } from '../platform/config/config.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { type NumberForSale, numberForSale } from '../rules/numbers.js';
import { mayBeSender, NumberDirectory } from './number-directory.js';
import type { NumberRow } from './numbers.repository.js';
import type { OrderFailure } from './order.entity.js';
import { type PurchaseRequest, type Reserved, ReserveNumber } from './reserve-number.js';
import { SearchNumbers } from './search-numbers.js';
import { Numbers } from './numbers.js';
import { type Settled, SettleOrder } from './settle-order.js';

interface BuyRequest extends PurchaseRequest {
  /** Number as typed. */
  readonly number: string;
}

export interface BoughtNumber {
  /** UUID. */
  readonly id: string;
  readonly number: string;
  /** Current status: a number of an earlier request may be released. */
  readonly status: NumberStatus;
  /** Null while the carrier has not answered, and when the number is no longer the account's. */
  readonly renewsAt: Date | null;
  readonly credits: number;
  /** Balance in credits, after the charge. */
  readonly balance: number;
  /** True for the answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

const NOT_CHARGED = 'You were not charged.';
const taken = { kind: 'taken' } as const;

/**
 * Buys a number: reserves it with its price in credits, calls the carrier, and takes the credits
 * when the carrier confirms. A worker settles purchases that are undecided when the answer is due.
 */
@Injectable()
export class BuyNumber {
  constructor(
    private readonly reserveNumber: ReserveNumber,
    private readonly settleOrder: SettleOrder,
    private readonly searchNumbers: SearchNumbers,
    private readonly directory: NumberDirectory,
    private readonly numbers: Numbers,
    private readonly credits: Credits,
    private readonly config: Config,
  ) {}

  /**
   * Buys a number. A number of the account whose release has not taken effect is kept, and costs
   * nothing: its month is paid. Throws `number_unsupported`, `number_taken` with similar numbers,
   * `rate_limited`, `unavailable`, and as {@link ReserveNumber}; then nothing was charged.
   */
  async buy(request: BuyRequest): Promise<BoughtNumber> {
    const forSale = this.checked(request.number);
    const { accountId } = request;
    const replayed = await this.reserveNumber.replayed(request, forSale);
    const kept = replayed ? undefined : await this.boughtBack(request, forSale);
    if (kept) return this.keptAnswer(kept, false);
    const reserved = replayed ?? (this.isOurs(forSale.number) ? taken : await this.reserved(request, forSale));
    if (reserved.kind === 'taken') throw await this.taken(accountId, forSale);
    if (reserved.kind === 'kept') return this.keptAnswer(await this.numbers.find(accountId, reserved.numberId), true);
    const { order } = reserved;
    const settled: Settled =
      reserved.kind === 'replayed' ? await this.settleOrder.ended(order) : await this.settleOrder.buy(order);
    if (settled.kind === 'failed') throw await this.failure(accountId, settled.reason, forSale);
    await this.directory.renewed();
    const number = settled.kind === 'bought' ? settled.number : undefined;
    const { balance } = await this.credits.balanceOf(request.accountId);
    return {
      id: order.id,
      number: order.number,
      status: number?.status ?? 'reserving',
      renewsAt: number && mayBeSender(number) ? number.renewsAt : null,
      credits: order.credits + order.setupCredits,
      balance,
      replayed: reserved.kind === 'replayed',
    };
  }

  /** Returns the initial price of a number that can be for sale. Throws `number_unsupported`. */
  price(typed: string): { readonly number: string; readonly credits: number } {
    const { number, type } = this.checked(typed);
    const { creditsPerMonth, setupCredits } = this.config.numbers.terms[type];
    return { number, credits: creditsPerMonth + setupCredits };
  }

  private boughtBack(request: BuyRequest, forSale: NumberForSale) {
    const { accountId, address, label, autoRenew } = request;
    const settings = { ...(label !== null && { label }), ...(!autoRenew && { autoRenew }) };
    return this.numbers.boughtBack(accountId, forSale.number, settings, { address, isFresh: false }, (tx, id) =>
      this.reserveNumber.rememberKept(tx, request, forSale, id),
    );
  }

  /** The answer to a request that undoes a release. */
  private async keptAnswer(number: NumberRow, replayed: boolean): Promise<BoughtNumber> {
    const { balance } = await this.credits.balanceOf(number.accountId);
    const renewsAt = mayBeSender(number) ? number.renewsAt : null;
    return { id: number.id, number: number.number, status: number.status, renewsAt, credits: 0, balance, replayed };
  }

  /**
   * Reserves a number that the carrier offers and that carries messages: a number without messages
   * is not bought, because the carrier would bill a month of it.
   */
  private async reserved(request: BuyRequest, forSale: NumberForSale): Promise<Reserved> {
    const earlier = await this.reserveNumber.check(request, forSale);
    if (earlier) return earlier;
    const can = await this.searchNumbers.offered(request.accountId, forSale);
    if (can && !can.sms) throw notCapable(forSale);
    if (can) return this.reserveNumber.reserve(request, forSale);
    // Another request with the same Idempotency-Key may have bought it since the first look.
    return (await this.reserveNumber.check(request, forSale)) ?? taken;
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

  /** Returns whether the number is a shared sender. */
  private isOurs(number: string): boolean {
    return this.config.carriers.some(
      ({ senders, countrySenders }) =>
        senders.includes(number) || [...countrySenders.values()].some((list) => list.includes(number)),
    );
  }

  private async taken(accountId: string, forSale: NumberForSale): Promise<DomainError> {
    const { numbers } = await this.directory.ofAccount(accountId);
    if (numbers.some(({ number }) => number === forSale.number))
      return new DomainError('number_taken', `Your account has ${forSale.number} already. ${NOT_CHARGED}`);
    const similar = await this.searchNumbers.similar(accountId, forSale);
    const named = similar.map(({ number }) => number).join(', ');
    const detail = `${forSale.number} is not available. ${NOT_CHARGED}${named && ` Similar ones are: ${named}.`}`;
    return new DomainError('number_taken', detail, { facts: { similar } });
  }

  private async failure(accountId: string, reason: OrderFailure, forSale: NumberForSale): Promise<DomainError> {
    const { number } = forSale;
    switch (reason) {
      case 'taken':
        return this.taken(accountId, forSale);
      case 'refused':
        return new DomainError('number_unsupported', `The carrier does not sell ${number} to us. ${NOT_CHARGED}`);
      case 'not_capable':
        return notCapable(forSale);
      case 'unavailable':
      case 'not_sold':
        return new DomainError('unavailable', `The carrier did not sell the number now. ${NOT_CHARGED} Try again.`, {
          retryAfterSeconds: 5,
        });
    }
  }
}

function notCapable({ number }: NumberForSale): DomainError {
  return new DomainError('number_unsupported', `${number} carries no messages. ${NOT_CHARGED}`);
}
