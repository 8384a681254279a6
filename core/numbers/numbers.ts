import { Injectable } from '@nestjs/common';
import type { NumberTraffic, NumberView } from '#contract/numbers.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { numberIdFromPublic, unknownIdText } from '../rules/ids.js';
import { NumberDirectory } from './number-directory.js';
import { NumberTrafficFigures } from './number-traffic.js';
import { numberViewOf } from './number-views.js';
import { type NumberRow, NumbersRepository } from './numbers.repository.js';
import { type OrderFailure, OrdersRepository } from './orders.repository.js';
import { ReleaseNumber } from './release-number.js';

/** Pools of an account by number. */
const poolsStatement = {
  name: 'numbers-pool-ids-1',
  text: `
SELECT number_id AS "numberId", array_agg(pool_id ORDER BY pool_id) AS "poolIds" FROM pool_numbers
WHERE account_id = $1 GROUP BY number_id`,
} as const;

const failures: Readonly<Record<OrderFailure, string>> = {
  taken: 'the number was not available any more',
  refused: 'the carrier does not sell the number',
  not_capable: 'the number carries no messages',
  unavailable: 'the carrier could not sell it then',
  not_sold: 'the carrier did not sell it',
};

interface Changes {
  readonly label?: string | null | undefined;
  readonly autoRenew?: boolean | undefined;
}

/** The numbers of an account: listed, shown, changed and released. */
@Injectable()
export class Numbers {
  constructor(
    private readonly postgres: Postgres,
    private readonly numbers: NumbersRepository,
    private readonly orders: OrdersRepository,
    private readonly releaseNumber: ReleaseNumber,
    private readonly traffic: NumberTrafficFigures,
    private readonly directory: NumberDirectory,
    private readonly auditLog: AuditLog,
  ) {}

  /** Newest first, and how many the account may have. */
  async list(accountId: string, which: 'live' | 'released'): Promise<{ numbers: NumberView[]; max: number }> {
    const rows = await this.numbers.list(accountId, which);
    const pools = await this.poolsOf(accountId);
    const { max } = await this.numbers.count(accountId);
    return { numbers: rows.map((row) => numberViewOf(row, pools.get(row.id))), max };
  }

  /** With what went through it. Throws `number_not_found`. */
  async show(accountId: string, publicId: string): Promise<NumberView & { readonly traffic: NumberTraffic }> {
    const row = await this.find(accountId, publicId);
    return { ...(await this.viewOf(row)), traffic: await this.traffic.of(accountId, row.number) };
  }

  /** Throws `number_not_found`, `number_not_changeable`. */
  async change(accountId: string, publicId: string, changes: Changes, address: string): Promise<NumberView> {
    const before = await this.find(accountId, publicId);
    const { id, origin } = before;
    const { label, autoRenew } = changes;
    if (origin === 'operator' && autoRenew !== undefined) throw notOwned();
    const changed = await this.postgres.change(async (tx) => {
      const row = await this.numbers.change(tx, id, { label, autoRenew });
      if (!row) throw new DomainError('number_not_changeable', 'Only a number that works can be changed.');
      const details = { id, ...(autoRenew !== undefined && { autoRenew }) };
      const entry = { actor: 'account', accountId, action: 'number.changed', address, details } as const;
      await this.auditLog.recordChange(tx, entry, [before.label, before.autoRenew], [row.label, row.autoRenew]);
      return row;
    });
    return this.viewOf(changed);
  }

  /**
   * Gives a number up, which may be lost for good. Throws `number_not_found`, `number_not_changeable`,
   * `number_release_blocked`.
   */
  async release(accountId: string, publicId: string): Promise<NumberView> {
    const { id, origin } = await this.find(accountId, publicId);
    if (origin === 'operator') throw notOwned();
    const releasing = await this.postgres.change(async (tx) => {
      const isAllowed = await this.releaseNumber.isAllowed(tx, accountId);
      const row = await this.numbers.lock(tx, id);
      if (row?.status === 'releasing' || row?.status === 'released') return row;
      if (row?.status !== 'active' && row?.status !== 'past_due')
        throw new DomainError('number_not_changeable', 'The purchase of this number is not decided yet.');
      if (isAllowed) return this.releaseNumber.begin(tx, row, 'owner');
      throw new DomainError(
        'number_release_blocked',
        'Credits of your account are frozen by a dispute; nothing is released until it is decided.',
      );
    });
    this.directory.refresh();
    const released = releasing.status === 'releasing' ? await this.releaseNumber.complete(releasing) : releasing;
    await this.directory.renewed();
    return this.viewOf(released);
  }

  private async viewOf(row: NumberRow): Promise<NumberView> {
    return numberViewOf(row, (await this.poolsOf(row.accountId)).get(row.id));
  }

  /** Throws `number_not_found`. */
  private async find(accountId: string, publicId: string): Promise<NumberRow> {
    const id = numberIdFromPublic(publicId);
    const row = id === undefined ? undefined : await this.numbers.find(accountId, id);
    if (row) return row;
    const order = id === undefined ? undefined : await this.orders.find(accountId, id);
    if (order?.status !== 'failed') throw new DomainError('number_not_found', unknownIdText('number', publicId));
    const why = order.reason === null ? '' : `: ${failures[order.reason]}`;
    throw new DomainError('number_not_found', `This purchase failed${why}. You were not charged.`);
  }

  private async poolsOf(accountId: string): Promise<ReadonlyMap<string, string[]>> {
    const rows = await this.postgres.query<{ numberId: string; poolIds: string[] }>(poolsStatement, [accountId]);
    return new Map(rows.map(({ numberId, poolIds }) => [numberId, poolIds]));
  }
}

function notOwned(): DomainError {
  return new DomainError('number_not_changeable', 'The operator has given you this number. Contact support.');
}
