import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recentUseOf, type RecentUse } from '#contract/credit-use.js';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { AccountEvents } from '../platform/events/account-events.js';
import {
  LedgerRepository,
  type Balance,
  type BalanceRow,
  type LedgerCheck,
  type LedgerPosting,
  type ReceivedNumbers,
} from './ledger.repository.js';

export type { Balance, LedgerPosting };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Credits of an account, and the speed of their recent use. */
export interface CreditState {
  readonly balance: number;
  readonly purchased: number;
  readonly frozen: number;
  readonly updatedAt: Date;
  /** Null with too little use for a forecast. */
  readonly recentUse: RecentUse | null;
}

/** Credits that are held; a source has at most one hold. */
export interface Hold {
  readonly accountId: string;
  readonly credits: number;
  readonly sourceId: string;
}

/** Credits of accounts, in whole credits: balances and the ledger that explains them. */
@Injectable()
export class Credits {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly postgres: Postgres,
    private readonly accountEvents: AccountEvents,
  ) {}

  /**
   * Creates the credit account with its first entry if it does not exist; 0 credits write no entry.
   */
  async open(tx: EntityManager, accountId: string, credits: number = limits.signupCredits): Promise<void> {
    const isNew = await this.ledger.open(tx, accountId);
    if (isNew && credits > 0)
      await this.ledger.post(tx, [{ accountId, amount: credits, kind: 'signup', sourceId: accountId }]);
  }

  /** Creates the credit account if the first sign-in could not. */
  async ensure(accountId: string): Promise<void> {
    await this.postgres.transaction((tx) => this.open(tx, accountId));
  }

  /**
   * Moves credits within the caller's transaction. Throws `insufficient_credits`; a source that
   * moved already is an error.
   */
  async post(tx: EntityManager, postings: readonly LedgerPosting[]): Promise<void> {
    const accountIds = new Set(postings.map(({ accountId }) => accountId));
    this.postgres.afterCommit(tx, () =>
      accountIds.forEach((accountId) => this.accountEvents.balanceChanged(accountId)),
    );
    const left = await this.ledger.post(tx, postings);
    if (left.length === 0) return;
    for (const accountId of new Set(left.map((posting) => posting.accountId))) await this.open(tx, accountId);
    if ((await this.ledger.post(tx, left)).length > 0) throw new Error('Every posting needs a credit account');
  }

  /**
   * Freezes up to `credits`, as far as they are not spent or frozen already; returns how many.
   * Frozen credits stay in the balance, and nothing can spend them. Credits that cannot be frozen
   * because they are held are claimed: {@link endHold} returns how many. The balance stays locked.
   */
  async freeze(tx: EntityManager, accountId: string, credits: number): Promise<number> {
    const available = (await this.ledger.lockBalances(tx, [accountId])).get(accountId) ?? 0;
    const frozen = Math.min(credits, available);
    if (frozen > 0) await this.changeFrozen(tx, accountId, frozen);
    if (frozen < credits) await this.ledger.claimHeld(tx, accountId, credits - frozen);
    return frozen;
  }

  /** Lets frozen credits be spent again. */
  async unfreeze(tx: EntityManager, accountId: string, credits: number): Promise<void> {
    if (credits > 0) await this.changeFrozen(tx, accountId, -credits);
  }

  /**
   * Holds credits for a purchase that is not decided yet: they stay in the balance, and nothing can
   * spend them until {@link endHold}. Nothing is held for 0 credits. The balance stays locked.
   * Throws `insufficient_credits` when fewer can be spent.
   */
  async hold(tx: EntityManager, { accountId, credits, sourceId }: Hold): Promise<void> {
    const available = (await this.lock(tx, [accountId])).get(accountId) ?? 0;
    if (available < credits)
      throw new DomainError('insufficient_credits', `This costs ${credits} credits, and ${available} can be spent.`);
    if (credits === 0) return;
    await this.ledger.insertHold(tx, accountId, sourceId, credits);
    await this.changeFrozen(tx, accountId, credits);
  }

  /**
   * Lets held credits be spent again, by this transaction or later. Returns how many of them
   * {@link freeze} claimed meanwhile. The balance stays locked.
   */
  async endHold(tx: EntityManager, accountId: string, sourceId: string): Promise<number> {
    await this.ledger.lockBalances(tx, [accountId]);
    const hold = await this.ledger.endHold(tx, accountId, sourceId);
    if (!hold) return 0;
    await this.changeFrozen(tx, accountId, -hold.credits);
    return hold.claimed;
  }

  private async changeFrozen(tx: EntityManager, accountId: string, credits: number): Promise<void> {
    await this.ledger.freeze(tx, accountId, credits);
    this.postgres.afterCommit(tx, () => this.accountEvents.balanceChanged(accountId));
  }

  /**
   * Takes up to `credits` back, as far as the balance has unfrozen credits; returns how many. The
   * balance stays locked.
   */
  async takeBack(
    tx: EntityManager,
    { accountId, credits, sourceId, note }: { accountId: string; credits: number; sourceId: string; note: string },
  ): Promise<number> {
    const available = (await this.ledger.lockBalances(tx, [accountId])).get(accountId) ?? 0;
    const taken = Math.min(credits, available);
    if (taken > 0) await this.post(tx, [{ accountId, amount: -taken, kind: 'chargeback', sourceId, note }]);
    return taken;
  }

  /**
   * Returns the credits that {@link takeBack} took, less returned credits, by the prefix of their
   * sources.
   */
  async takenBack(tx: EntityManager, accountId: string, sourcePrefix: string): Promise<number> {
    return this.ledger.takenBack(tx, accountId, sourcePrefix);
  }

  /**
   * Returns the credits that these accounts can spend, and locks their balances until the
   * transaction ends.
   */
  async lock(tx: EntityManager, accountIds: readonly string[]): Promise<Map<string, number>> {
    const balances = await this.ledger.lockBalances(tx, accountIds);
    const lacking = accountIds.filter((accountId) => !balances.has(accountId));
    if (lacking.length === 0) return balances;
    for (const accountId of lacking.toSorted()) await this.open(tx, accountId);
    return this.ledger.lockBalances(tx, accountIds);
  }

  /**
   * Reserves the next numbers of received messages: as many as `counts` has for each account. Call
   * {@link lock} for these accounts first.
   */
  async numberReceived(tx: EntityManager, counts: ReadonlyMap<string, number>): Promise<Map<string, ReceivedNumbers>> {
    return this.ledger.numberReceived(tx, counts);
  }

  /** Returns credits: balance = purchased - used; `frozen` is the part that cannot be spent. */
  async balanceOf(accountId: string): Promise<Balance> {
    const { balance, purchased, used, frozen } = await this.recordOf(accountId);
    return { balance, purchased, used, frozen };
  }

  /** Returns the balance and its last change. */
  async recordOf(accountId: string): Promise<Omit<BalanceRow, 'accountId'>> {
    const row = (await this.ledger.balances([accountId])).get(accountId);
    if (row) return row;
    await this.ensure(accountId);
    const created = await this.ledger.balances([accountId]);
    return created.get(accountId) ?? { balance: 0, purchased: 0, used: 0, frozen: 0, updatedAt: new Date() };
  }

  /** Returns the balance and the recent use; empty without a credit account. */
  async stateOf(accountId: string): Promise<CreditState> {
    const now = Date.now();
    const row = await this.ledger.stateOf(accountId, new Date(now - 7 * DAY_MS), new Date(now - 30 * DAY_MS));
    if (!row) return { balance: 0, purchased: 0, frozen: 0, updatedAt: new Date(now), recentUse: null };
    const { firstAt, usedInWeek, usedInMonth, ...state } = row;
    const ageHours = firstAt === null ? 0 : (now - firstAt.getTime()) / HOUR_MS;
    return { ...state, recentUse: recentUseOf({ ageHours, usedInWeek, usedInMonth }) ?? null };
  }

  /** Returns balances by account, without accounts that have none. */
  async balancesOf(accountIds: readonly string[], tx?: EntityManager): Promise<Map<string, Balance>> {
    return this.ledger.balances(accountIds, tx);
  }

  /**
   * Returns the credits that the account had used, less refunds, at the instant. Reads the entries
   * since then.
   */
  async usedBefore(accountId: string, at: Date, tx?: EntityManager): Promise<number> {
    return this.ledger.usedBefore(accountId, at, tx);
  }

  /** Compares every balance with the sum of its ledger entries. */
  async check(): Promise<LedgerCheck> {
    return this.ledger.check();
  }
}
