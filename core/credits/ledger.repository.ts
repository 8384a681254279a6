import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LedgerKind } from '#contract/histories.js';
import { sqlState } from '../platform/errors/database-error.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import {
  balancesStatement,
  checkStatement,
  creditStateStatement,
  claimHeldStatement,
  endHoldStatement,
  freezeStatement,
  insertHoldStatement,
  lockBalancesStatement,
  numberReceivedStatement,
  openStatement,
  postStatement,
  takenBackStatement,
  usedBeforeStatement,
} from './credits.sql.js';

/** Credits of a hold, and the credits of them that disputes claim. */
export interface EndedHold {
  readonly credits: number;
  readonly claimed: number;
}

const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';

/**
 * A movement of credits; `amount` is negative when spent. (`kind`, `sourceId`) is unique. Kinds
 * `message`, `otp`, `inbound` and `number_…` spend; `refund` returns spent credits; `chargeback`
 * removes purchased credits, and returns them when their refund fails; the other kinds add new
 * credits.
 */
export interface LedgerPosting {
  readonly accountId: string;
  readonly amount: number;
  readonly kind: LedgerKind;
  readonly sourceId: string;
  readonly note?: string;
}

export interface LedgerCheck {
  readonly accounts: number;
  readonly entries: number;
  readonly mismatches: number;
}

/**
 * In credits: balance = purchased - used. Of the balance, `frozen` credits cannot be spent, because
 * of an open dispute or a purchase that they are held for.
 */
export interface Balance {
  readonly balance: number;
  readonly purchased: number;
  readonly used: number;
  readonly frozen: number;
}

export interface BalanceRow extends Balance {
  readonly accountId: string;
  readonly updatedAt: Date;
}

/** A balance, and the use of the last 7 and 30 days, after refunds. */
export interface CreditStateRow extends Omit<Balance, 'used'> {
  readonly updatedAt: Date;
  /** Time of the account's first credits; null without any. */
  readonly firstAt: Date | null;
  readonly usedInWeek: number;
  readonly usedInMonth: number;
}

/**
 * Numbers of received messages, 1, 2, 3 … within an account: the first of the taken numbers, and
 * their time.
 */
export interface ReceivedNumbers {
  readonly accountId: string;
  readonly first: number;
  readonly at: Date;
}

/** The append-only ledger and the balances it explains. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Creates the credit account if it does not exist; returns whether it was created. */
  async open(tx: EntityManager, accountId: string): Promise<boolean> {
    return (await this.postgres.run<object>(tx, openStatement, [accountId])).length > 0;
  }

  /**
   * Writes the postings of accounts that have a credit account and returns the other postings.
   * Throws `insufficient_credits` when a balance would fall below 0.
   */
  async post(tx: EntityManager, postings: readonly LedgerPosting[]): Promise<LedgerPosting[]> {
    if (postings.length === 0) return [];
    try {
      const written = await this.postgres.run<{ accountId: string }>(tx, postStatement, [
        postings.map(({ accountId }) => accountId),
        postings.map(({ amount }) => amount),
        postings.map(({ kind }) => kind),
        postings.map(({ sourceId }) => sourceId),
        postings.map(({ note }) => note ?? null),
      ]);
      const found = new Set(written.map(({ accountId }) => accountId));
      return postings.filter(({ accountId }) => !found.has(accountId));
    } catch (cause) {
      if (sqlState(cause) === CHECK_VIOLATION)
        throw new DomainError('insufficient_credits', 'The balance does not cover this.', { cause });
      if (sqlState(cause) === UNIQUE_VIOLATION) throw new Error('These credits have moved already', { cause });
      throw cause;
    }
  }

  /**
   * Returns the credits that these accounts can spend and locks their balances until the
   * transaction ends.
   */
  async lockBalances(tx: EntityManager, accountIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.postgres.run<{ accountId: string; available: number }>(tx, lockBalancesStatement, [
      accountIds,
    ]);
    return new Map(rows.map(({ accountId, available }) => [accountId, available]));
  }

  /** Freezes credits of a locked account, or releases them when `credits` is negative. */
  async freeze(tx: EntityManager, accountId: string, credits: number): Promise<void> {
    await this.postgres.run(tx, freezeStatement, [accountId, credits]);
  }

  async insertHold(tx: EntityManager, accountId: string, sourceId: string, credits: number): Promise<void> {
    await this.postgres.run(tx, insertHoldStatement, [accountId, sourceId, credits]);
  }

  /** Notes that a dispute lacks this many credits, as far as they are held. */
  async claimHeld(tx: EntityManager, accountId: string, credits: number): Promise<void> {
    await this.postgres.run(tx, claimHeldStatement, [accountId, credits]);
  }

  /** Ends a hold and returns it; undefined without a hold. */
  async endHold(tx: EntityManager, accountId: string, sourceId: string): Promise<EndedHold | undefined> {
    const rows = await this.postgres.run<EndedHold>(tx, endHoldStatement, [accountId, sourceId]);
    return rows[0];
  }

  async takenBack(tx: EntityManager, accountId: string, sourcePrefix: string): Promise<number> {
    const [row] = await this.postgres.run<{ taken: number }>(tx, takenBackStatement, [accountId, sourcePrefix]);
    return row?.taken ?? 0;
  }

  /** Reserves the next numbers of received messages: as many as `counts` has for each account. */
  async numberReceived(tx: EntityManager, counts: ReadonlyMap<string, number>): Promise<Map<string, ReceivedNumbers>> {
    const rows = await this.postgres.run<ReceivedNumbers>(tx, numberReceivedStatement, [
      [...counts.keys()],
      [...counts.values()],
    ]);
    return new Map(rows.map((row) => [row.accountId, row]));
  }

  /** Returns the account's used credits at an instant; 0 without a credit account. */
  async usedBefore(accountId: string, at: Date, tx?: EntityManager): Promise<number> {
    const values = [accountId, at];
    const [row] = tx
      ? await this.postgres.run<{ usedBefore: number }>(tx, usedBeforeStatement, values)
      : await this.postgres.query<{ usedBefore: number }>(usedBeforeStatement, values);
    return row?.usedBefore ?? 0;
  }

  /** Returns undefined without a credit account. */
  async stateOf(accountId: string, weekAgo: Date, monthAgo: Date): Promise<CreditStateRow | undefined> {
    const values = [accountId, weekAgo, monthAgo];
    const [row] = await this.postgres.query<CreditStateRow>(creditStateStatement, values);
    return row;
  }

  async check(): Promise<LedgerCheck> {
    const checks = await this.postgres.queryEach<LedgerCheck>(checkStatement, []);
    const sum = (key: keyof LedgerCheck) => checks.reduce((total, check) => total + check[key], 0);
    return { accounts: sum('accounts'), entries: sum('entries'), mismatches: sum('mismatches') };
  }

  /** Returns balances by account, without accounts that have none. */
  async balances(accountIds: readonly string[], tx?: EntityManager): Promise<Map<string, BalanceRow>> {
    const rows = tx
      ? await this.postgres.run<BalanceRow>(tx, balancesStatement, [accountIds])
      : await this.postgres.query<BalanceRow>(balancesStatement, [accountIds]);
    return new Map(rows.map((row) => [row.accountId, row]));
  }
}
