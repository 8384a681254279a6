import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../audit/audit-log.js';
import { Payments } from '../billing/payments.js';
import { Config } from '../platform/config/config.js';
import { retryUndone } from '../platform/errors/database-error.js';
import { earlierOf, inProgress, type KeyedRequest, keyOf, remember } from '../platform/database/keyed-requests.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { newMessageId } from '../rules/ids.js';
import type { NumberForSale } from '../rules/numbers.js';
import { newYorkDay, secondsUntilNewYorkMidnight, startOfNewYorkDay } from '../rules/time.js';
import { NumberMoney } from './number-money.js';
import { NumbersRepository } from './numbers.repository.js';
import { type Order, OrdersRepository } from './orders.repository.js';

/** Purchase of a number: buyer and options. */
export interface PurchaseRequest {
  readonly accountId: string;
  /** Named key whose budget the purchase uses. */
  readonly keyId: string | null;
  readonly label: string | null;
  readonly autoRenew: boolean;
  readonly idempotencyKey: string | undefined;
  /** The caller's network address. */
  readonly address: string;
}

export type Reserved =
  /** The number becomes the account's as soon as the carrier sells it. */
  | { readonly kind: 'reserved'; readonly order: Order }
  /** An earlier request with the same Idempotency-Key made this purchase. */
  | { readonly kind: 'replayed'; readonly order: Order }
  /** An earlier request with the same Idempotency-Key undid the release of this number. */
  | { readonly kind: 'kept'; readonly numberId: string }
  /** Another account has the number, it rests, or the account has it already. */
  | { readonly kind: 'taken' };

/** Rolls the transaction back. */
class Taken extends Error {}

/**
 * Reserves a number, and holds its price, before the carrier is called, so a row records the
 * purchase whatever happens then.
 */
@Injectable()
export class ReserveNumber {
  constructor(
    private readonly postgres: Postgres,
    private readonly numbers: NumbersRepository,
    private readonly orders: OrdersRepository,
    private readonly money: NumberMoney,
    private readonly payments: Payments,
    private readonly auditLog: AuditLog,
    private readonly config: Config,
  ) {}

  /**
   * Throws `account_blocked`, `idempotency_conflict`, `idempotency_in_progress`,
   * `number_needs_purchase`, `number_limit`, `number_day_limit`, `insufficient_credits`,
   * `key_budget`.
   */
  async reserve(request: PurchaseRequest, number: NumberForSale): Promise<Reserved> {
    try {
      return await retryUndone(() => this.postgres.change((tx) => this.reserveWithin(tx, request, number)));
    } catch (error) {
      if (error instanceof Taken) return { kind: 'taken' };
      throw error;
    }
  }

  /**
   * Returns the purchase that an earlier request with the same Idempotency-Key made, or the number
   * whose release it undid. Throws `account_blocked`, `idempotency_conflict`,
   * `idempotency_in_progress`.
   */
  async replayed(request: PurchaseRequest, { number }: NumberForSale): Promise<Reserved | undefined> {
    if (request.idempotencyKey === undefined) return undefined;
    return this.postgres.call(async (manager) => this.replayedIn(manager, request, number));
  }

  /**
   * Remembers a request that undoes the release of a number, which is no purchase: no order has its
   * Idempotency-Key. Throws `idempotency_in_progress` if another request was faster.
   */
  async rememberKept(tx: EntityManager, request: PurchaseRequest, { number }: NumberForSale, id: string) {
    const keyed = keyedOf(request, number);
    if (keyed && !(await remember(tx, keyed, id))) throw inProgress();
  }

  /**
   * Checks whether the account may buy a number now: returns an earlier purchase with the same
   * Idempotency-Key, and throws as {@link reserve} does, except for the price. Locks nothing:
   * {@link reserve} checks again.
   */
  async check(request: PurchaseRequest, { number }: NumberForSale): Promise<Reserved | undefined> {
    return this.postgres.call(async (manager) => {
      const { hasPaid } = await this.payments.standingOf(manager, request.accountId);
      return this.judged(manager, request, number, hasPaid);
    });
  }

  /** The lock on the account's balance serializes its purchases. */
  private async reserveWithin(tx: EntityManager, request: PurchaseRequest, forSale: NumberForSale): Promise<Reserved> {
    const { accountId, keyId, label, autoRenew, idempotencyKey, address } = request;
    const { number, country, type } = forSale;
    const { hasPaid } = await this.money.lock(tx, accountId);
    const earlier = await this.judged(tx, request, number, hasPaid);
    if (earlier) return earlier;
    const bodyHash = idempotencyKey === undefined ? null : bodyHashOf(request, number);
    const { creditsPerMonth, setupCredits } = this.config.numbers.terms[type];
    const id = newMessageId();
    const row = { id, accountId, number, type, country, label, autoRenew, creditsPerMonth };
    if (!(await this.numbers.reserve(tx, row))) throw new Taken();
    const { carrier } = this.config.numbers;
    const purchase = { id, accountId, number, carrier, keyId, credits: creditsPerMonth, setupCredits, bodyHash };
    const order = { ...purchase, budgetDay: await this.money.hold(tx, purchase) };
    await this.orders.insert(tx, { ...order, idempotencyKey: idempotencyKey ?? null, dueSeconds: this.callSeconds });
    await this.auditLog.record(tx, { actor: 'account', accountId, action: 'number.bought', address, details: { id } });
    return { kind: 'reserved', order: { ...order, status: 'pending', reason: null, createdAt: new Date() } };
  }

  /**
   * Returns the credits that the account's keys could spend on numbers until the end of tomorrow,
   * New York time, and whether it has paid, without which they buy none. The account's maximum of
   * numbers is no bound: released numbers make room for others.
   */
  async allowedUntilTomorrow(accountId: string, now: Date): Promise<{ credits: number; hasPaid: boolean }> {
    const { countries, terms } = this.config.numbers;
    const dearest = Math.max(...Object.values(terms).map((one) => one.creditsPerMonth + one.setupCredits));
    return this.postgres.call(async (tx) => {
      const { hasPaid } = await this.payments.standingOf(tx, accountId);
      const purchases = limits.numberPurchasesPerDayMax + (await this.purchasesLeft(tx, accountId, now));
      return { credits: countries.length === 0 ? 0 : purchases * dearest, hasPaid };
    });
  }

  /** Returns how many numbers the account may still buy on this New York day. */
  private async purchasesLeft(tx: EntityManager, accountId: string, now: Date): Promise<number> {
    const today = await this.orders.countSince(tx, accountId, startOfNewYorkDay(newYorkDay(now)));
    return Math.max(0, limits.numberPurchasesPerDayMax - today);
  }

  private async judged(
    tx: EntityManager,
    request: PurchaseRequest,
    number: string,
    hasPaid: boolean,
  ): Promise<Reserved | undefined> {
    const replayed = await this.replayedIn(tx, request, number);
    if (!replayed) await this.assertAllowed(tx, request.accountId, hasPaid);
    return replayed;
  }

  private async replayedIn(tx: EntityManager, request: PurchaseRequest, number: string): Promise<Reserved | undefined> {
    const { accountId, idempotencyKey } = request;
    await this.numbers.assertOpen(tx, accountId);
    const earlier = idempotencyKey === undefined ? null : await this.orders.earlier(tx, accountId, idempotencyKey);
    if (earlier) return replayOf(earlier, bodyHashOf(request, number));
    const keyed = keyedOf(request, number);
    const numberId = keyed && (await earlierOf(tx, keyed));
    return numberId === undefined ? undefined : { kind: 'kept', numberId };
  }

  /**
   * Time within which the request that reserves a number has called the carrier and read its list.
   */
  private get callSeconds(): number {
    return Math.ceil((3 * this.config.dispatch.timeoutMs) / 1_000);
  }

  private async assertAllowed(tx: EntityManager, accountId: string, hasPaid: boolean): Promise<void> {
    if (!hasPaid)
      throw new DomainError(
        'number_needs_purchase',
        'Numbers can be bought after the first paid purchase of credits. You were not charged.',
      );
    const { count, max } = await this.numbers.count(accountId, tx);
    if (count >= max)
      throw new DomainError(
        'number_limit',
        `Your account has ${count} numbers; it may have ${max}. Release one first, or contact support.`,
      );
    const now = new Date();
    if ((await this.purchasesLeft(tx, accountId, now)) > 0) return;
    const detail = `An account buys at most ${limits.numberPurchasesPerDayMax} numbers a day. You were not charged.`;
    throw new DomainError('number_day_limit', detail, { retryAfterSeconds: secondsUntilNewYorkMidnight(now) });
  }
}

/** Throws `idempotency_conflict`, `idempotency_in_progress`. */
function replayOf(order: Order, bodyHash: Buffer | null): Reserved {
  if (!bodyHash || order.bodyHash?.equals(bodyHash) !== true)
    throw new DomainError(
      'idempotency_conflict',
      'This Idempotency-Key was used with another body within 24 hours. Use a new one.',
    );
  if (order.status === 'pending') throw inProgress();
  return { kind: 'replayed', order };
}

/** Undefined without an Idempotency-Key. */
function keyedOf(request: PurchaseRequest, number: string): KeyedRequest | undefined {
  const { accountId, idempotencyKey } = request;
  if (idempotencyKey === undefined) return undefined;
  return { accountId, key: keyOf('number', idempotencyKey), bodyHash: bodyHashOf(request, number) };
}

function bodyHashOf({ label, autoRenew }: PurchaseRequest, number: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(['number', number, label, autoRenew]))
    .digest();
}
