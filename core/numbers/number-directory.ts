import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { NumberStatus, NumberType } from '#contract/numbers.js';
import { Postgres } from '../platform/database/postgres.js';
import type { ApiKey } from '../keys/api-key.js';
import { numberIdFromPublic } from '../rules/ids.js';
import { numberOrSender } from '../rules/phone-numbers.js';

/**
 * Acceptance notices at once that an account has lost a number; this interval finds new numbers.
 */
const FRESH_MS = 10_000;
/** All numbers are read at most this often, because any account can change its own without end. */
const READ_EVERY_MS = 250;
/** Minimum interval of look-ups for callers that name an unknown number. */
const LOOKED_UP_MS = 1_000;

/** All numbers except released numbers. */
export const liveNumbersStatement = {
  name: 'numbers-live-2',
  text: `
SELECT id, number, account_id AS "accountId", origin, status, carrier, type, can_mms AS "canMms",
  filtered_at IS NOT NULL AS "isFiltered"
FROM numbers WHERE status <> 'released' ORDER BY created_at, number`,
  shared: true,
  answerWithinMs: 5_000,
} as const;

/** Accounts that have given up bought numbers. */
export const formerBuyersStatement = {
  name: 'numbers-former-buyers-1',
  text: `
SELECT DISTINCT account_id AS "accountId" FROM numbers WHERE status = 'released' AND origin = 'purchase'`,
  shared: true,
  answerWithinMs: 5_000,
} as const;

/** Returns whether an account has had a number. Parameters: account, number. */
export const hadStatement = {
  name: 'numbers-had-1',
  text: `SELECT EXISTS (SELECT FROM numbers WHERE account_id = $1 AND number = $2) AS had`,
} as const;

/**
 * Returns whether an account has released a number. Parameters: account, number, id of a number or
 * null.
 */
export const releasedStatement = {
  name: 'numbers-released-1',
  text: `
SELECT EXISTS (
  SELECT FROM numbers WHERE account_id = $1 AND status = 'released' AND (number = $2 OR id = $3)
) AS released`,
} as const;

/** All pools with the ids of the numbers that have not left them. */
export const allPoolsStatement = {
  name: 'numbers-pools-1',
  text: `
SELECT p.id, p.account_id AS "accountId", p.is_default AS "isDefault",
  ARRAY(
    SELECT m.number_id FROM pool_numbers m
    WHERE m.account_id = p.account_id AND m.pool_id = p.id AND m.left_at IS NULL
  ) AS "numberIds"
FROM pools p`,
  answerWithinMs: 5_000,
} as const;

/** Secrets of the accounts' keys. Parameter: accounts. */
export const keysOfAccountsStatement = {
  name: 'numbers-keys-1',
  text: `
SELECT hash, account_id AS "accountId" FROM key_secrets
WHERE account_id = ANY ($1::uuid[]) AND (expires_at IS NULL OR expires_at > now())`,
  answerWithinMs: 5_000,
} as const;

/** A number that belongs to one account alone. */
export interface KnownNumber {
  readonly id: string;
  /** E.164, or the id of a messaging service. */
  readonly number: string;
  readonly accountId: string;
  readonly origin: 'operator' | 'purchase';
  readonly status: NumberStatus;
  /**
   * Carrier that sold the number, as in `messages.carrier`; null before, and for the operator's
   * numbers.
   */
  readonly carrier: number | null;
  /** Null for the operator's numbers. */
  readonly type: NumberType | null;
  /** True if the number carries files; false for the operator's numbers, whose carrier decides. */
  readonly canMms: boolean;
  /** True while carriers filter its messages. */
  readonly isFiltered: boolean;
}

export interface PoolRow {
  readonly id: string;
  readonly accountId: string;
  readonly isDefault: boolean;
  readonly numberIds: readonly string[];
}

export interface KeyRow {
  readonly hash: Buffer;
  readonly accountId: string;
}

/** A pool, and its numbers from which messages are sent. */
export interface KnownPool {
  readonly id: string;
  readonly isDefault: boolean;
  readonly senders: readonly string[];
}

/** An account's own numbers and pools. */
export interface AccountNumbers {
  readonly numbers: readonly KnownNumber[];
  readonly pools: readonly KnownPool[];
}

interface Known {
  readonly byAccount: ReadonlyMap<string, AccountNumbers>;
  readonly byNumber: ReadonlyMap<string, KnownNumber>;
  readonly formerBuyers: ReadonlySet<string>;
  /** Accounts by the API key's hash in base64. */
  readonly accountOfKey: ReadonlyMap<string, string>;
}

const none: AccountNumbers = { numbers: [], pools: [] };

/** Returns whether messages may be sent from a number. */
export function mayBeSender({ status }: Pick<KnownNumber, 'status'>): boolean {
  return status === 'active' || status === 'past_due';
}

/**
 * The numbers and pools of all accounts, in memory, so a message needs no statement for them. The
 * acceptance statement refuses a sender that was chosen from outdated data. One read runs at a
 * time, and at most one begins every quarter of a second; meanwhile, and while the database cannot
 * be read, callers get the latest known data: on Citus, messages are accepted without the
 * coordinator.
 */
@Injectable()
export class NumberDirectory {
  private known: Known | undefined;
  private reading: Promise<Known> | undefined;
  private readAtMs = -Infinity;
  /**
   * Number of changes: all known to this process, before the latest read's start, and before its
   * end.
   */
  private readonly changes = { noted: 0, reading: 0, known: 0 };

  constructor(private readonly postgres: Postgres) {}

  /** Returns the own numbers and pools of a key's account; empty for an unknown key. */
  async ofKey({ hash }: ApiKey): Promise<AccountNumbers> {
    const { accountOfKey, byAccount } = await this.current();
    if (byAccount.size === 0) return none;
    return byAccount.get(accountOfKey.get(hash.toString('base64')) ?? '') ?? none;
  }

  async ofAccount(accountId: string): Promise<AccountNumbers> {
    return (await this.current()).byAccount.get(accountId) ?? none;
  }

  /**
   * Returns whether an account has or had a number. Needs a statement only if the account has given
   * up numbers.
   */
  async hasHad(accountId: string, number: string): Promise<boolean> {
    const { byNumber, formerBuyers } = await this.current();
    if (byNumber.get(number)?.accountId === accountId) return true;
    if (!formerBuyers.has(accountId)) return false;
    const [row] = await this.postgres.query<{ had: boolean }>(hadStatement, [accountId, number]);
    return row?.had === true;
  }

  /**
   * Returns whether a key's account has released the number that a caller names, by its digits or
   * its id. Needs a statement only if the account has given up numbers.
   */
  async hasReleased({ hash }: ApiKey, from: string): Promise<boolean> {
    const { accountOfKey, formerBuyers } = await this.current();
    const accountId = accountOfKey.get(hash.toString('base64'));
    if (accountId === undefined || !formerBuyers.has(accountId)) return false;
    const values = [accountId, numberOrSender(from), numberIdFromPublic(from) ?? null];
    const [row] = await this.postgres.query<{ released: boolean }>(releasedStatement, values);
    return row?.released === true;
  }

  /** Returns whether a number is known as bought; reads nothing. */
  isBought(number: string): boolean {
    return this.known?.byNumber.get(number)?.origin === 'purchase';
  }

  /** Returns all accounts' own numbers, by number. */
  async all(): Promise<ReadonlyMap<string, KnownNumber>> {
    return (await this.current()).byNumber;
  }

  /**
   * Notes a change: the next call reads the numbers again, unless a read was within the last
   * quarter of a second.
   */
  refresh(): void {
    this.changes.noted += 1;
  }

  /**
   * Notes a change, and waits until it is known. Ends also when the numbers cannot be read: the
   * change is stored, and later calls read again.
   */
  async renewed(): Promise<void> {
    this.refresh();
    const change = this.changes.noted;
    while (this.changes.known < change) {
      const waitMs = this.readAtMs + READ_EVERY_MS - performance.now();
      if (!this.reading && waitMs > 0) await pause(waitMs);
      else if (!(await this.read().then(succeeded, failed))) return;
    }
  }

  /**
   * Like {@link refresh}, unless the numbers were read within the last second; returns whether they
   * are read again.
   */
  lookUp(): boolean {
    if (performance.now() - this.readAtMs < LOOKED_UP_MS) return false;
    this.refresh();
    return true;
  }

  private async current(): Promise<Known> {
    const isOutdated = this.changes.noted > this.changes.reading;
    const ageMs = performance.now() - this.readAtMs;
    if (this.known && ageMs < (isOutdated ? READ_EVERY_MS : FRESH_MS)) return this.known;
    try {
      return await this.read();
    } catch (error) {
      // Callers that write to the database report that it is unavailable.
      if (this.known) return this.known;
      throw error;
    }
  }

  /** Joins a running read. */
  private read(): Promise<Known> {
    this.reading ??= this.readOnce().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readOnce(): Promise<Known> {
    const { noted } = this.changes;
    this.changes.reading = noted;
    this.readAtMs = performance.now();
    try {
      this.known = await this.readAll();
      this.changes.known = noted;
      return this.known;
    } catch (error) {
      this.changes.reading = this.changes.known;
      throw error;
    }
  }

  private async readAll(): Promise<Known> {
    const { postgres } = this;
    const numbers = await postgres.query<KnownNumber>(liveNumbersStatement, []);
    const former = await postgres.query<{ accountId: string }>(formerBuyersStatement, []);
    // An account keeps its pools when it has given up their numbers.
    const pools = await postgres.queryEachInReach<PoolRow>(allPoolsStatement, []);
    const ids = [...new Set([...numbers, ...pools, ...former].map(({ accountId }) => accountId))];
    const keys = ids.length === 0 ? [] : await postgres.queryEachInReach<KeyRow>(keysOfAccountsStatement, [ids]);
    const byId = new Map(numbers.map((number) => [number.id, number]));
    const byAccount = new Map<string, { readonly numbers: KnownNumber[]; readonly pools: KnownPool[] }>();
    for (const id of ids) byAccount.set(id, { numbers: [], pools: [] });
    for (const number of numbers) byAccount.get(number.accountId)?.numbers.push(number);
    for (const pool of pools) byAccount.get(pool.accountId)?.pools.push(poolOf(pool, byId));
    return {
      byAccount,
      formerBuyers: new Set(former.map(({ accountId }) => accountId)),
      byNumber: new Map(numbers.map((number) => [number.number, number])),
      accountOfKey: new Map(keys.map(({ hash, accountId }) => [hash.toString('base64'), accountId])),
    };
  }
}

const succeeded = () => true;
const failed = () => false;

function poolOf({ id, isDefault, numberIds }: PoolRow, byId: ReadonlyMap<string, KnownNumber>): KnownPool {
  const numbers = numberIds.map((numberId) => byId.get(numberId)).filter((number) => number !== undefined);
  return { id, isDefault, senders: numbers.filter(mayBeSender).map(({ number }) => number) };
}
