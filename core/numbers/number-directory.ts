import { Injectable } from '@nestjs/common';
import type { NumberStatus, NumberType } from '#contract/numbers.js';
import { Postgres, type Statement } from '../platform/database/postgres.js';
import type { ApiKey } from '../keys/api-key.js';

/** Acceptance notices at once that a number is not an account's any more; this finds new ones. */
const FRESH_MS = 10_000;
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
 * acceptance statement refuses a sender that was chosen from outdated knowledge.
 */
@Injectable()
export class NumberDirectory {
  private reading: Promise<Known> | undefined;
  private readAtMs = -Infinity;

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

  /** All numbers that one account has to itself, by number. */
  async all(): Promise<ReadonlyMap<string, KnownNumber>> {
    return (await this.current()).byNumber;
  }

  /** Makes the next call read them again. */
  refresh(): void {
    this.readAtMs = -Infinity;
  }

  /** As {@link refresh}, unless they were read within the last second; returns whether they are read again. */
  lookUp(): boolean {
    if (performance.now() - this.readAtMs < LOOKED_UP_MS) return false;
    this.refresh();
    return true;
  }

  private current(): Promise<Known> {
    if (this.reading && performance.now() - this.readAtMs < FRESH_MS) return this.reading;
    this.readAtMs = performance.now();
    const reading = this.read();
    this.reading = reading;
    reading.catch(() => {
      if (this.reading === reading) this.reading = undefined;
    });
    return reading;
  }

  private async read(): Promise<Known> {
    const numbers = await this.postgres.ofAll(() => this.postgres.query<KnownNumber>(liveNumbersStatement, []));
    const onEach = async <Row extends object>(statement: Statement, values: unknown[]) =>
      (await this.postgres.onEachInReach(() => this.postgres.query<Row>(statement, values))).flat();
    // An account keeps its pools when it has given up their numbers.
    const pools = await onEach<PoolRow>(allPoolsStatement, []);
    const accountIds = [...new Set([...numbers, ...pools].map(({ accountId }) => accountId))];
    const keys = accountIds.length === 0 ? [] : await onEach<KeyRow>(keysOfAccountsStatement, [accountIds]);
    const byId = new Map(numbers.map((number) => [number.id, number]));
    const byAccount = new Map<string, { readonly numbers: KnownNumber[]; readonly pools: KnownPool[] }>();
    for (const id of accountIds) byAccount.set(id, { numbers: [], pools: [] });
    for (const number of numbers) byAccount.get(number.accountId)?.numbers.push(number);
    for (const pool of pools) byAccount.get(pool.accountId)?.pools.push(poolOf(pool, byId));
    return {
      byAccount,
      byNumber: new Map(numbers.map((number) => [number.number, number])),
      accountOfKey: new Map(keys.map(({ hash, accountId }) => [hash.toString('base64'), accountId])),
    };
  }
}

function poolOf({ id, isDefault, numberIds }: PoolRow, byId: ReadonlyMap<string, KnownNumber>): KnownPool {
  const numbers = numberIds.map((numberId) => byId.get(numberId)).filter((number) => number !== undefined);
  return { id, isDefault, senders: numbers.filter(mayBeSender).map(({ number }) => number) };
}
