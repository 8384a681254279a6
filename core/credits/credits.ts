import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { AccountEvents } from '../platform/events/account-events.js';
import type { LedgerPosting } from './ledger-entry.js';
import {
  LedgerRepository,
  type Balance,
  type CreditsRecord,
  type LedgerCheck,
  type ReceivedNumbers,
} from './ledger.repository.js';

/** Credits of accounts, in whole credits. With the acceptance statement, the only door to balances and ledger. */
@Injectable()
export class Credits {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly postgres: Postgres,
    private readonly news: AccountEvents,
  ) {}

  /** Makes an account's credits record with its first entry, unless it is there already; 0 credits write no entry. */
  async open(tx: EntityManager, accountId: string, credits: number = limits.signupCredits): Promise<void> {
    const isNew = await this.ledger.open(tx, accountId);
    if (isNew && credits > 0)
      await this.ledger.post(tx, [{ accountId, amount: credits, kind: 'signup', sourceId: accountId }]);
  }

  /** What the first sign-in could not write is made at the next request that needs it. */
  async ensure(accountId: string): Promise<void> {
    await this.postgres.transaction((tx) => this.open(tx, accountId));
  }

  /** Moves credits within the caller's transaction. Throws `insufficient_credits`; a source that moved already is an error. */
  async post(tx: EntityManager, postings: readonly LedgerPosting[]): Promise<void> {
    const accountIds = new Set(postings.map(({ accountId }) => accountId));
    this.postgres.afterCommit(tx, () => accountIds.forEach((accountId) => this.news.balanceChanged(accountId)));
    const left = await this.ledger.post(tx, postings);
    if (left.length === 0) return;
    for (const accountId of new Set(left.map((posting) => posting.accountId)).values()) await this.open(tx, accountId);
    if ((await this.ledger.post(tx, left)).length > 0) throw new Error('Every posting needs an account of credits');
  }

  /**
   * Takes up to `credits` of the account away, as far as its balance allows, and answers how many. The balance stays locked
   * until the transaction ends.
   */
  async takeBack(
    tx: EntityManager,
    { accountId, credits, sourceId, note }: { accountId: string; credits: number; sourceId: string; note: string },
  ): Promise<number> {
    const taken = Math.min(credits, await this.ledger.lockBalance(tx, accountId));
    if (taken > 0) await this.post(tx, [{ accountId, amount: -taken, kind: 'chargeback', sourceId, note }]);
    return taken;
  }

  /** The balances of these accounts, in credits. They stay locked until the transaction ends. */
  async lock(tx: EntityManager, accountIds: readonly string[]): Promise<Map<string, number>> {
    const balances = await this.ledger.lockBalances(tx, accountIds);
    const lacking = accountIds.filter((accountId) => !balances.has(accountId));
    if (lacking.length === 0) return balances;
    for (const accountId of lacking.toSorted()) await this.open(tx, accountId);
    return this.ledger.lockBalances(tx, accountIds);
  }

  /** Numbers of accounts' received messages, so many of each; the accounts are locked by {@link lock}. */
  async numberReceived(tx: EntityManager, counts: ReadonlyMap<string, number>): Promise<Map<string, ReceivedNumbers>> {
    return this.ledger.numberReceived(tx, counts);
  }

  /** In credits: balance = purchased - used. */
  async balanceOf(accountId: string): Promise<Balance> {
    const { balance, purchased, used } = await this.recordOf(accountId);
    return { balance, purchased, used };
  }

  /** The balance and when it changed last. */
  async recordOf(accountId: string): Promise<CreditsRecord> {
    const record = await this.ledger.recordOf(accountId);
    if (record) return record;
    await this.ensure(accountId);
    const made = await this.ledger.recordOf(accountId);
    if (!made) throw new Error('A credits record that was made is there');
    return made;
  }

  /** In credits, by account; accounts without a credits record are left out. */
  async balancesOf(accountIds: readonly string[], tx?: EntityManager): Promise<Map<string, Balance>> {
    const records = await this.ledger.recordsOf(accountIds, tx);
    return new Map(
      [...records].map(([accountId, { balance, purchased, used }]) => [accountId, { balance, purchased, used }]),
    );
  }

  /** Compares every balance with the sum of its ledger entries. */
  async check(): Promise<LedgerCheck> {
    return this.ledger.check();
  }
}
