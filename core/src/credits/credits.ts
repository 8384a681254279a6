import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LedgerPosting } from './ledger-entry.js';
import { LedgerRepository, type LedgerCheck } from './ledger.repository.js';

/** Credits of accounts, in whole credits. With the admission statement, the only door to balances and ledger. */
@Injectable()
export class Credits {
  constructor(private readonly ledger: LedgerRepository) {}

  /** Opens an account of credits with its first entry; 0 credits write no entry. */
  async open(tx: EntityManager, accountId: string, credits: number): Promise<void> {
    await this.ledger.open(tx, accountId);
    if (credits > 0) await this.ledger.post(tx, [{ accountId, amount: credits, kind: 'signup', sourceId: accountId }]);
  }

  /** Moves credits within the caller's transaction. Throws `insufficient_credits`; a source that moved already is an error. */
  async post(tx: EntityManager, postings: readonly LedgerPosting[]): Promise<void> {
    await this.ledger.post(tx, postings);
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
    if (taken > 0) await this.ledger.post(tx, [{ accountId, amount: -taken, kind: 'chargeback', sourceId, note }]);
    return taken;
  }

  /** In credits: balance = purchased - used. */
  async balanceOf(accountId: string): Promise<{ balance: number; purchased: number; used: number }> {
    return this.ledger.balanceOf(accountId);
  }

  /** Compares every balance with the sum of its ledger entries. */
  async check(): Promise<LedgerCheck> {
    return this.ledger.check();
  }
}
