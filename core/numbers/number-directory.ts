import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { NumberStatus, NumberType } from '#contract/numbers.js';
import { Postgres, type Statement } from '../platform/database/postgres.js';
import type { ApiKey } from '../keys/api-key.js';
import { numberIdFromPublic } from '../rules/ids.js';
import { numberOrSender } from '../rules/phone-numbers.js';

/** Acceptance notices at once that a number is not an account's any more; this finds new ones. */
const FRESH_MS = 10_000;
/** All numbers are read at most this often: any account can change its own without end. */
const READ_EVERY_MS = 250;
/** Those who name a number that is not known have it looked up at most this often. */
const LOOKED_UP_MS = 1_000;

/** All numbers but the released ones. */
export const liveNumbersStatement = {
  name: 'numbers-live-2',
  text: `
SELECT id, number, account_id AS "accountId", origin, status, carrier, type, can_mms AS "canMms",
  filtered_at IS NOT NULL AS "isFiltered"
FROM numbers WHERE status <> 'released' ORDER BY created_at, number`,
  answerWithinMs: 5_000,
} as const;

/** Accounts that have given up numbers that they had bought. */
export const formerBuyersStatement = {
  name: 'numbers-former-buyers-1',
  text: `
SELECT DISTINCT account_id AS "accountId" FROM numbers WHERE status = 'released' AND origin = 'purchase'`,
  answerWithinMs: 5_000,
} as const;

/** Whether an account has had a number. Parameters: account, number. */
export const hadStatement = {
  name: 'numbers-had-1',
  text: `SELECT EXISTS (SELECT FROM numbers WHERE account_id = $1 AND number = $2) AS had`,
} as const;

/** Whether an account has released a number. Parameters: account, number, the id of a number or null. */
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

/** A number that an account has to itself. */
export interface KnownNumber {
  readonly id: string;
  /** E.164, or the id of a messaging service. */
  readonly number: string;
  readonly accountId: string;
  readonly origin: 'operator' | 'purchase';
  readonly status: NumberStatus;
  /** Where it was bought, as in `messages.carrier`; null for one of the operator, and until then. */
  readonly carrier: number | null;
  /** Null for one of the operator. */
  readonly type: NumberType | null;
  /** Whether it carries files; false for one of the operator, whose carrier tells it. */
  readonly canMms: boolean;
  /** Carriers filter its messages. */
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

/** A pool, and those of its numbers from which messages are sent. */
export interface KnownPool {
  readonly id: string;
  readonly isDefault: boolean;
  readonly senders: readonly string[];
}

/** What an account has to itself. */
export interface AccountNumbers {
  readonly numbers: readonly KnownNumber[];
  readonly pools: readonly KnownPool[];
}

interface Known {
  readonly byAccount: ReadonlyMap<string, AccountNumbers>;
  readonly byNumber: ReadonlyMap<string, KnownNumber>;
  readonly formerBuyers: ReadonlySet<string>;
  /** By the API key's hash in base64. */
  readonly accountOfKey: ReadonlyMap<string, string>;
}

const none: AccountNumbers = { numbers: [], pools: [] };

/** Whether messages may be sent from a number. */
export function mayBeSender({ status }: Pick<KnownNumber, 'status'>): boolean {
  return status === 'active' || status === 'past_due';
}

/**
 * The numbers and pools of all accounts, in memory: a message costs no statement for them. The
 * acceptance statement refuses a sender that was chosen from outdated knowledge. One read runs at a
 * time, and at most one begins every quarter of a second; meanwhile, and while the database cannot be
 * read, callers get what is known: on Citus, messages are accepted without the coordinator.
 */
@Injectable()
export class NumberDirectory {
  private known: Known | undefined;
  private reading: Promise<Known> | undefined;
  private readAtMs = -Infinity;
  /** Changes that this process knows of, and those before the read that began last and that ended last. */
  private readonly changes = { noted: 0, reading: 0, known: 0 };

  constructor(private readonly postgres: Postgres) {}

  /** What the account of a key has to itself; nothing for an unknown key. */
  async ofKey({ hash }: ApiKey): Promise<AccountNumbers> {
    const { accountOfKey, byAccount } = await this.current();
    if (byAccount.size === 0) return none;
    return byAccount.get(accountOfKey.get(hash.toString('base64')) ?? '') ?? none;
  }

  async ofAccount(accountId: string): Promise<AccountNumbers> {
    return (await this.current()).byAccount.get(accountId) ?? none;
  }

  /** Whether an account has a number, or had it. Only one that has given up numbers costs a statement. */
  async hasHad(accountId: string, number: string): Promise<boolean> {
    const { byNumber, formerBuyers } = await this.current();
    if (byNumber.get(number)?.accountId === accountId) return true;
    if (!formerBuyers.has(accountId)) return false;
    const [row] = await this.postgres.query<{ had: boolean }>(hadStatement, [accountId, number]);
    return row?.had === true;
  }

  /**
   * Whether the account of a key has released the number that a caller names, by its digits or its id.
   * Only an account that has given up numbers costs a statement.
   */
  async hasReleased({ hash }: ApiKey, from: string): Promise<boolean> {
    const { accountOfKey, formerBuyers } = await this.current();
    const accountId = accountOfKey.get(hash.toString('base64'));
    if (accountId === undefined || !formerBuyers.has(accountId)) return false;
    const values = [accountId, numberOrSender(from), numberIdFromPublic(from) ?? null];
    const [row] = await this.postgres.ofAccount(accountId, () =>
      this.postgres.query<{ released: boolean }>(releasedStatement, values),
    );
    return row?.released === true;
  }

  /** Whether a number is known as one that an account has bought; reads nothing. */
  isBought(number: string): boolean {
    return this.known?.byNumber.get(number)?.origin === 'purchase';
  }

  /** All numbers that one account has to itself, by number. */
  async all(): Promise<ReadonlyMap<string, KnownNumber>> {
    return (await this.current()).byNumber;
  }

  /** Notes a change: the next call reads them again, unless one did so within the last quarter of a second. */
  refresh(): void {
    this.changes.noted += 1;
  }

  /**
   * Notes a change, and waits until it is known. When they cannot be read, it ends too: the change is
   * stored, and the next calls that need them try to read them.
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

  /** As {@link refresh}, unless they were read within the last second; returns whether they are read again. */
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
      // Those who write to the database report that it is unavailable.
      if (this.known) return this.known;
      throw error;
    }
  }

  /** Joins a read that runs. */
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
    const numbers = await this.postgres.ofAll(() => this.postgres.query<KnownNumber>(liveNumbersStatement, []));
    const former = await this.postgres.ofAll(() =>
      this.postgres.query<{ accountId: string }>(formerBuyersStatement, []),
    );
    const onEach = async <Row extends object>(statement: Statement, values: unknown[]) =>
      (await this.postgres.onEachInReach(() => this.postgres.query<Row>(statement, values))).flat();
    // An account keeps its pools when it has given up their numbers.
    const pools = await onEach<PoolRow>(allPoolsStatement, []);
    const accountIds = [...new Set([...numbers, ...pools, ...former].map(({ accountId }) => accountId))];
    const keys = accountIds.length === 0 ? [] : await onEach<KeyRow>(keysOfAccountsStatement, [accountIds]);
    const byId = new Map(numbers.map((number) => [number.id, number]));
    const byAccount = new Map<string, { readonly numbers: KnownNumber[]; readonly pools: KnownPool[] }>();
    for (const id of accountIds) byAccount.set(id, { numbers: [], pools: [] });
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
