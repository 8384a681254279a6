import { Injectable } from '@nestjs/common';
import type { NumberTraffic, NumberView } from '#contract/numbers.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { numberIdFromPublic, unknownIdText } from '../rules/ids.js';
import { NumberTrafficFigures } from './number-traffic.js';
import { numberViewOf } from './number-views.js';
import { type NumberRow, NumbersRepository } from './numbers.repository.js';
import type { OrderFailure } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { PoolNumberEntity } from './pool-number.entity.js';

const failures: Readonly<Record<OrderFailure, string>> = {
  taken: 'the number was not available any more',
  refused: 'the carrier does not sell the number',
  not_capable: 'the number carries no messages',
  unavailable: 'the carrier could not sell it then',
  not_sold: 'the carrier did not sell it',
};

/** The numbers of an account, as their owner sees them. */
@Injectable()
export class NumberList {
  constructor(
    private readonly postgres: Postgres,
    private readonly numbers: NumbersRepository,
    private readonly orders: OrdersRepository,
    private readonly traffic: NumberTrafficFigures,
  ) {}

  /** Returns numbers, newest first, and the account's maximum. */
  async list(accountId: string, which: 'live' | 'released'): Promise<{ numbers: NumberView[]; max: number }> {
    const rows = await this.numbers.list(accountId, which);
    const pools = await this.poolsOf(accountId);
    const { max } = await this.numbers.count(accountId);
    return { numbers: rows.map((row) => numberViewOf(row, pools.get(row.id))), max };
  }

  /** Returns a number with its traffic. Throws `number_not_found`. */
  async show(accountId: string, publicId: string): Promise<NumberView & { readonly traffic: NumberTraffic }> {
    const row = await this.find(accountId, publicId);
    return { ...(await this.viewOf(row)), traffic: await this.traffic.of(accountId, row.number) };
  }

  async viewOf(row: NumberRow): Promise<NumberView> {
    return numberViewOf(row, (await this.poolsOf(row.accountId)).get(row.id));
  }

  /** Throws `number_not_found`. */
  async find(accountId: string, publicId: string): Promise<NumberRow> {
    const id = numberIdFromPublic(publicId);
    const row = id === undefined ? undefined : await this.numbers.find(accountId, id);
    if (row) return row;
    const order = id === undefined ? undefined : await this.orders.find(accountId, id);
    if (order?.status !== 'failed') throw new DomainError('number_not_found', unknownIdText('number', publicId));
    const why = order.reason === null ? '' : `: ${failures[order.reason]}`;
    throw new DomainError('number_not_found', `This purchase failed${why}. You were not charged.`);
  }

  private async poolsOf(accountId: string): Promise<ReadonlyMap<string, string[]>> {
    const members = await this.postgres.call((manager) =>
      manager.find(PoolNumberEntity, { where: { accountId }, order: { poolId: 'ASC' } }),
    );
    const pools = new Map<string, string[]>();
    for (const { numberId, poolId } of members) pools.set(numberId, [...(pools.get(numberId) ?? []), poolId]);
    return pools;
  }
}
