import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { NumberStatus, PoolView } from '#contract/numbers.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import {
  newMessageId,
  numberIdFromPublic,
  poolIdFromPublic,
  publicNumberId,
  publicPoolId,
  unknownIdText,
} from '../rules/ids.js';
import { numberOrSender } from '../rules/phone-numbers.js';
import { mayBeSender, NumberDirectory } from './number-directory.js';
import { PoolNumberEntity } from './pool-number.entity.js';
import { PoolEntity } from './pool.entity.js';

/** Parameters: account, pool or null for all. */
export const poolsStatement = {
  name: 'pools-list-1',
  text: `
SELECT p.id, p.name, p.is_default AS "isDefault", p.created_at AS "createdAt",
  (SELECT coalesce(json_agg(json_build_object('id', n.id, 'number', n.number, 'status', n.status, 'filtered',
      m.left_at IS NOT NULL, 'filteredAt', n.filtered_at) ORDER BY n.created_at, n.id), '[]')
   FROM pool_numbers m JOIN numbers n ON n.id = m.number_id
   WHERE m.account_id = p.account_id AND m.pool_id = p.id AND n.status <> 'released') AS numbers
FROM pools p WHERE p.account_id = $1 AND ($2::uuid IS NULL OR p.id = $2) ORDER BY p.created_at, p.id`,
} as const;

const lockAccount = {
  name: 'pools-lock-account-1',
  text: 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
} as const;
/** Numbers that the owner puts into a pool are used again. */
const unfilter = {
  name: 'pools-unfilter-1',
  text: `
UPDATE public.numbers SET filtered_at = NULL, judged_since = now()
WHERE id = ANY ($1::uuid[]) AND filtered_at IS NOT NULL`,
} as const;
const ownNumbers = {
  name: 'pools-own-numbers-1',
  text: `SELECT id, number FROM numbers WHERE account_id = $1 AND status <> 'released'`,
} as const;

export interface StoredPool extends Readonly<Omit<PoolEntity, 'accountId'>> {
  readonly numbers: readonly {
    readonly id: string;
    readonly number: string;
    readonly status: NumberStatus;
    readonly filtered: boolean;
    readonly filteredAt: string | null;
  }[];
}

interface PoolRequest {
  readonly name: string;
  /** Numbers, or their public ids. */
  readonly numbers: readonly string[];
  readonly isDefault: boolean | undefined;
  /** The caller's network address. */
  readonly address: string;
}

/** Pools of an account's numbers: a message from a pool takes one of its numbers. */
@Injectable()
export class Pools {
  constructor(
    private readonly postgres: Postgres,
    private readonly directory: NumberDirectory,
    private readonly auditLog: AuditLog,
  ) {}

  /** Returns pools, oldest first. */
  async list(accountId: string): Promise<PoolView[]> {
    return (await this.postgres.query<StoredPool>(poolsStatement, [accountId, null])).map(viewOf);
  }

  /** Throws `pool_not_found`. */
  async show(accountId: string, publicId: string): Promise<PoolView> {
    const id = poolIdFromPublic(publicId);
    const [row] = id === undefined ? [] : await this.postgres.query<StoredPool>(poolsStatement, [accountId, id]);
    if (!row) throw new DomainError('pool_not_found', unknownIdText('pool', publicId));
    return viewOf(row);
  }

  /**
   * Creates a pool, or gives the pool of this name these numbers. The first pool is the default
   * pool. Throws `pool_invalid`, `pool_limit`.
   */
  async put(accountId: string, request: PoolRequest): Promise<PoolView> {
    const id = await this.postgres.change((tx) => this.store(tx, accountId, request));
    await this.directory.renewed();
    return this.show(accountId, publicPoolId(id));
  }

  /** Deletes a pool; its numbers stay the account's. Throws `pool_not_found`. */
  async delete(accountId: string, publicId: string, address: string): Promise<void> {
    // A missing pool needs no lock.
    await this.show(accountId, publicId);
    const id = poolIdFromPublic(publicId);
    await this.postgres.change(async (tx) => {
      // Otherwise a call that changes the pool at this moment leaves numbers without a pool.
      await this.postgres.run(tx, lockAccount, [accountId]);
      const deleted = id !== undefined && (await tx.delete(PoolEntity, { accountId, id })).affected === 1;
      if (!deleted) throw new DomainError('pool_not_found', unknownIdText('pool', publicId));
      await tx.delete(PoolNumberEntity, { accountId, poolId: id });
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'pool.deleted', address, details: { id } });
    });
    await this.directory.renewed();
  }

  private async store(tx: EntityManager, accountId: string, request: PoolRequest): Promise<string> {
    const { name, address } = request;
    await this.postgres.run(tx, lockAccount, [accountId]);
    const numberIds = await this.idsOf(tx, accountId, request.numbers);
    const pools = await tx.findBy(PoolEntity, { accountId });
    const known = pools.find((pool) => pool.name === name);
    if (!known && pools.length >= limits.poolsMax)
      throw new DomainError('pool_limit', `An account has at most ${limits.poolsMax} pools. Delete one first.`);
    const isDefault = request.isDefault ?? (known ? known.isDefault : !pools.some((pool) => pool.isDefault));
    if (known?.isDefault === isDefault && (await this.isUsing(tx, accountId, known.id, numberIds))) return known.id;
    if (isDefault) await tx.update(PoolEntity, { accountId, isDefault: true }, { isDefault: false });
    const id = known?.id ?? newMessageId();
    if (known) await tx.update(PoolEntity, { accountId, id }, { isDefault });
    else await tx.insert(PoolEntity, { id, accountId, name, isDefault });
    await tx.delete(PoolNumberEntity, { accountId, poolId: id });
    if (numberIds.length > 0) {
      const members = numberIds.map((numberId) => ({ accountId, poolId: id, numberId }));
      await tx.insert(PoolNumberEntity, members);
      await this.postgres.run(tx, unfilter, [numberIds]);
    }
    const details = { id, numbers: numberIds.length, isDefault };
    await this.auditLog.record(tx, { actor: 'account', accountId, action: 'pool.changed', address, details });
    return id;
  }

  /** Returns whether a pool has exactly these numbers, all in use. */
  private async isUsing(tx: EntityManager, accountId: string, poolId: string, numberIds: readonly string[]) {
    const used = (await tx.findBy(PoolNumberEntity, { accountId, poolId })).filter(({ leftAt }) => leftAt === null);
    return used.length === numberIds.length && used.every(({ numberId }) => numberIds.includes(numberId));
  }

  /** Throws `pool_invalid`. */
  private async idsOf(tx: EntityManager, accountId: string, given: readonly string[]): Promise<string[]> {
    const own = await this.postgres.run<{ id: string; number: string }>(tx, ownNumbers, [accountId]);
    const ids = given.map((text) => {
      const id = numberIdFromPublic(text);
      const number = numberOrSender(text);
      const found = own.find((one) => one.id === id || one.number === number);
      if (!found) throw new DomainError('pool_invalid', `${text} is not a number of your account.`);
      return found.id;
    });
    return [...new Set(ids)];
  }
}

function viewOf({ id, name, isDefault, createdAt, numbers }: StoredPool): PoolView {
  return {
    pool_id: publicPoolId(id),
    name,
    default: isDefault,
    numbers: numbers.map(({ id: numberId, number, status, filtered, filteredAt }) => ({
      number_id: publicNumberId(numberId),
      number,
      status,
      active: mayBeSender({ status }) && !filtered,
      filtered_at: filteredAt === null ? null : new Date(filteredAt).toISOString(),
    })),
    created_at: createdAt.toISOString(),
  };
}
