import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { NumberTraffic, NumberView } from '#contract/numbers.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { numberIdFromPublic, publicNumberId, unknownIdText } from '../rules/ids.js';
import { NumberDirectory } from './number-directory.js';
import { NumberEvents } from './number-events.js';
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
  readonly strangersPerDay?: number | undefined;
}

/**
 * Person or program that changes a number. `isFresh`: its owner, who has just signed in. Changes by
 * others release no number before the owner could undo it.
 */
export interface NumberChanger {
  /** The caller's network address. */
  readonly address: string;
  readonly isFresh: boolean;
}

const HOUR_MS = 3_600_000;

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
    private readonly events: NumberEvents,
    private readonly auditLog: AuditLog,
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

  /** Throws `number_not_found`, `number_not_changeable`. */
  async change(accountId: string, publicId: string, changes: Changes, by: NumberChanger): Promise<NumberView> {
    const { id, origin } = await this.find(accountId, publicId);
    const { label, autoRenew, strangersPerDay } = changes;
    if (origin === 'operator' && (autoRenew ?? strangersPerDay) !== undefined) throw notOwned();
    const releaseAt = by.isFresh ? null : afterNotice();
    const changed = await this.postgres.change(async (tx) => {
      const before = await this.numbers.lock(tx, id);
      const row = await this.numbers.change(tx, id, { label, autoRenew, strangersPerDay, releaseAt });
      if (!row) throw new DomainError('number_not_changeable', 'Only a number that works can be changed.');
      if (before?.autoRenew && !row.autoRenew) await this.tellOfRelease(tx, row);
      const details = {
        id,
        ...(autoRenew !== undefined && { autoRenew }),
        ...(strangersPerDay !== undefined && { strangersPerDay }),
      };
      const entry = { actor: 'account', accountId, action: 'number.changed', address: by.address, details } as const;
      await this.auditLog.recordChange(tx, entry, before && settingsOf(before), settingsOf(row));
      return row;
    });
    return this.viewOf(changed);
  }

  /** Throws as {@link change} and {@link release} do. */
  async releaseAt(
    accountId: string,
    publicId: string,
    { at, ...by }: NumberChanger & { readonly at: 'now' | 'renews_at' },
  ): Promise<NumberView> {
    if (at === 'renews_at') return this.change(accountId, publicId, { autoRenew: false }, by);
    return this.release(accountId, publicId, by);
  }

  /**
   * Gives a number up, which may be lost for good: at once if its owner has just signed in,
   * otherwise after `limits.numberReleaseHours`, in which nothing is sent from it. Throws
   * `number_not_found`, `number_not_changeable`, `number_release_blocked`.
   */
  async release(accountId: string, publicId: string, { isFresh, address }: NumberChanger): Promise<NumberView> {
    const { id, origin } = await this.find(accountId, publicId);
    if (origin === 'operator') throw notOwned();
    const releasing = await this.postgres.change(async (tx) => {
      const isAllowed = await this.releaseNumber.isAllowed(tx, accountId);
      const row = await this.numbers.lock(tx, id);
      if (row?.status === 'released' || (row?.status === 'releasing' && !(isFresh && row.releaseAt))) return row;
      if (!row || row.status === 'reserving')
        throw new DomainError('number_not_changeable', 'The purchase of this number is not decided yet.');
      if (isAllowed) {
        const begun = { reason: 'owner', at: isFresh ? null : afterNotice(), address } as const;
        const released = await this.releaseNumber.begin(tx, row, begun);
        await this.tellOfRelease(tx, released);
        return released;
      }
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

  /**
   * Undoes a release that has not taken effect; another number stays as it is. Throws
   * `number_not_found`, `number_not_changeable` once it is given back.
   */
  async keep(accountId: string, publicId: string, by: NumberChanger): Promise<NumberView> {
    const { id, autoRenew, status } = await this.find(accountId, publicId);
    if (status === 'active' || status === 'past_due')
      return autoRenew ? this.show(accountId, publicId) : this.change(accountId, publicId, { autoRenew: true }, by);
    const kept = await this.postgres.transaction(async (tx) => {
      const row = await this.numbers.keep(tx, id);
      if (!row) throw new DomainError('number_not_changeable', 'The number is given back already.');
      const entry = {
        actor: 'account',
        accountId,
        action: 'number.kept',
        address: by.address,
        details: { id },
      } as const;
      await this.auditLog.record(tx, entry);
      return row;
    });
    await this.directory.renewed();
    return this.viewOf(kept);
  }

  /**
   * Undoes a pending release of a number that its account buys again. Returns undefined for any
   * other number.
   */
  async boughtBack(
    accountId: string,
    number: string,
    by: NumberChanger,
  ): Promise<Pick<NumberRow, 'id' | 'number' | 'status' | 'renewsAt'> | undefined> {
    const { numbers } = await this.directory.ofAccount(accountId);
    const row = numbers.some((known) => known.number === number) ? await this.numbers.findLive(number) : undefined;
    if (row?.accountId !== accountId || !row.releaseAt || row.status !== 'releasing') return undefined;
    const { status } = await this.keep(accountId, publicNumberId(row.id), by);
    return { ...row, status };
  }

  /** Emails the owner about a release that takes effect later: at most once an hour. */
  private async tellOfRelease(tx: EntityManager, number: NumberRow): Promise<void> {
    const { id, accountId } = number;
    const { releases_at: releasesAt } = numberViewOf(number);
    if (releasesAt === null) return;
    const facts = { numberId: publicNumberId(id), number: number.number, releasesAt };
    const hour = Math.floor(Date.now() / HOUR_MS);
    await this.events.mail(tx, accountId, { kind: 'number_releasing', ...facts }, `${id}:${hour}`);
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

/** Returns the settings that a change may set. */
function settingsOf({ label, autoRenew, strangersPerDay }: NumberRow) {
  return { label, autoRenew, strangersPerDay };
}

/** Returns the time of a release of which the owner may not know. */
function afterNotice(): Date {
  return new Date(Date.now() + limits.numberReleaseHours * HOUR_MS);
}

function notOwned(): DomainError {
  return new DomainError('number_not_changeable', 'The operator has given you this number. Contact support.');
}
