import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { NumberView } from '#contract/numbers.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { publicNumberId } from '../rules/ids.js';
import { NumberDirectory } from './number-directory.js';
import { NumberList } from './number-list.js';
import { NumberMoney } from './number-money.js';
import { type NumberRow, NumbersRepository } from './numbers.repository.js';
import { ReleaseNumber } from './release-number.js';

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

/** Changes and releases the numbers of an account. */
@Injectable()
export class Numbers {
  constructor(
    private readonly postgres: Postgres,
    private readonly numbers: NumbersRepository,
    private readonly list: NumberList,
    private readonly money: NumberMoney,
    private readonly releaseNumber: ReleaseNumber,
    private readonly directory: NumberDirectory,
    private readonly auditLog: AuditLog,
  ) {}

  /** Throws `number_not_found`, `number_not_changeable`. */
  async change(accountId: string, publicId: string, changes: Changes, by: NumberChanger): Promise<NumberView> {
    const { id, origin } = await this.list.find(accountId, publicId);
    const { autoRenew, strangersPerDay } = changes;
    if (origin === 'operator' && (autoRenew ?? strangersPerDay) !== undefined) throw notOwned();
    return this.list.viewOf(await this.postgres.change((tx) => this.changeWithin(tx, accountId, id, changes, by)));
  }

  private async changeWithin(tx: EntityManager, accountId: string, id: string, changes: Changes, by: NumberChanger) {
    const { label, autoRenew, strangersPerDay } = changes;
    const releaseAt = by.isFresh ? null : afterNotice();
    const before = await this.numbers.lock(tx, id);
    const row = await this.numbers.change(tx, id, { label, autoRenew, strangersPerDay, releaseAt });
    if (!row) throw new DomainError('number_not_changeable', 'Only a number that works can be changed.');
    if (before?.autoRenew && !row.autoRenew) await this.releaseNumber.announce(tx, row);
    const details = {
      id,
      ...(autoRenew !== undefined && { autoRenew }),
      ...(strangersPerDay !== undefined && { strangersPerDay }),
    };
    const entry = { actor: 'account', accountId, action: 'number.changed', address: by.address, details } as const;
    await this.auditLog.recordChange(tx, entry, before && settingsOf(before), settingsOf(row));
    return row;
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
    const { id, origin } = await this.list.find(accountId, publicId);
    if (origin === 'operator') throw notOwned();
    const releasing = await this.postgres.change(async (tx) => {
      const { frozen } = await this.money.lock(tx, accountId);
      const row = await this.numbers.lock(tx, id);
      if (row?.status === 'released' || (row?.status === 'releasing' && !(isFresh && row.releaseAt))) return row;
      if (!row || row.status === 'reserving')
        throw new DomainError('number_not_changeable', 'The purchase of this number is not decided yet.');
      if (frozen > 0)
        throw new DomainError(
          'number_release_blocked',
          'Credits of your account are frozen by a dispute; nothing is released until it is decided.',
        );
      const begun = { reason: 'owner', at: isFresh ? null : afterNotice(), address } as const;
      const released = await this.releaseNumber.begin(tx, row, begun);
      await this.releaseNumber.announce(tx, released);
      return released;
    });
    this.directory.refresh();
    const released = releasing.status === 'releasing' ? await this.releaseNumber.complete(releasing) : releasing;
    await this.directory.renewed();
    return this.list.viewOf(released);
  }

  /**
   * Undoes a release that has not taken effect; another number stays as it is. Throws
   * `number_not_found`, `number_not_changeable` once it is given back.
   */
  async keep(accountId: string, publicId: string, by: NumberChanger): Promise<NumberView> {
    const { id, autoRenew, status } = await this.list.find(accountId, publicId);
    if (status === 'active' || status === 'past_due')
      return autoRenew
        ? this.list.show(accountId, publicId)
        : this.change(accountId, publicId, { autoRenew: true }, by);
    const kept = await this.postgres.transaction((tx) => this.keepWithin(tx, accountId, id, by));
    await this.directory.renewed();
    return this.list.viewOf(kept);
  }

  private async keepWithin(tx: EntityManager, accountId: string, id: string, { address }: NumberChanger) {
    const row = await this.numbers.keep(tx, id);
    if (!row) throw new DomainError('number_not_changeable', 'The number is given back already.');
    await this.auditLog.record(tx, { actor: 'account', accountId, action: 'number.kept', address, details: { id } });
    return row;
  }

  /** Returns a number by its UUID. Throws `number_not_found`. */
  async find(accountId: string, id: string): Promise<NumberRow> {
    return this.list.find(accountId, publicNumberId(id));
  }

  /**
   * Undoes a pending release of a number that its account buys again, and sets what the purchase
   * asks for, with `remember` in the same transaction. Returns undefined for any other number.
   */
  async boughtBack(
    accountId: string,
    number: string,
    settings: Changes,
    by: NumberChanger,
    remember: (tx: EntityManager, id: string) => Promise<void>,
  ): Promise<NumberRow | undefined> {
    const { numbers } = await this.directory.ofAccount(accountId);
    const row = numbers.some((known) => known.number === number) ? await this.numbers.findLive(number) : undefined;
    if (row?.accountId !== accountId || !row.releaseAt || row.status !== 'releasing') return undefined;
    const kept = await this.postgres.change(async (tx) => {
      await remember(tx, row.id);
      const undone = await this.keepWithin(tx, accountId, row.id, by);
      const isChanged = Object.keys(settings).length > 0;
      return isChanged ? this.changeWithin(tx, accountId, row.id, settings, by) : undone;
    });
    await this.directory.renewed();
    return kept;
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
