import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReleaseReason } from '#contract/numbers.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import { NumberCarriers } from './number-carriers.js';
import { NumberEvents } from './number-events.js';
import { NumberMoney } from './number-money.js';
import { type NumberRow, NumbersRepository } from './numbers.repository.js';

/** After a call to the carrier that failed, it is called again. */
const AGAIN_MS = 60_000;

/** What was lost: the number leaves its pools with it. Parameters: account, number. */
const leavePools = 'DELETE FROM pool_numbers WHERE account_id = $1 AND number_id = $2';

/**
 * Releases numbers: nothing is sent from one from the moment on at which its release begins, then the
 * carrier gets it back, and it rests. What a crash interrupts, a worker ends.
 */
@Injectable()
export class ReleaseNumber {
  constructor(
    private readonly postgres: Postgres,
    private readonly carriers: NumberCarriers,
    private readonly numbers: NumbersRepository,
    private readonly money: NumberMoney,
    private readonly events: NumberEvents,
    private readonly auditLog: AuditLog,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Whether numbers of the account may be released: not while a dispute has frozen credits of it. Locks
   * the account's balance, which keeps it so until the transaction ends.
   */
  async isAllowed(tx: EntityManager, accountId: string): Promise<boolean> {
    return (await this.money.lock(tx, accountId)).frozen === 0;
  }

  /** Begins a release that is allowed, of a number that the transaction has locked and that works. */
  async begin(tx: EntityManager, { id, accountId }: NumberRow, reason: ReleaseReason): Promise<NumberRow> {
    const releasing = await this.numbers.releasing(tx, id, reason);
    if (!releasing) throw new Error('A number that does not work is not released');
    const actor = reason === 'owner' ? 'account' : 'operator';
    await this.auditLog.record(tx, { actor, accountId, action: 'number.releasing', details: { id, reason } });
    return releasing;
  }

  /**
   * Gives a number back whose release has begun. Returns the number as it is then: while the carrier
   * cannot be asked it stays `releasing`.
   */
  async complete(number: NumberRow, now = new Date()): Promise<NumberRow> {
    const { id, carrier, carrierId, accountId } = number;
    try {
      if (carrier !== null && carrierId !== null) await this.carriers.of(carrier).release(carrierId);
    } catch (err) {
      this.telemetry.logger.warn({ err, numberId: id }, 'number not given back yet');
      const lookAt = new Date(now.getTime() + AGAIN_MS);
      await this.postgres.transaction((tx) => this.numbers.postpone(tx, id, lookAt));
      return number;
    }
    const ended = await this.postgres.transaction(async (tx) => {
      const released = await this.numbers.released(tx, id);
      if (!released) return undefined;
      await tx.query(leavePools, [accountId, id]);
      await this.tell(tx, released);
      const about = { reason: released.releaseReason };
      return { released, eventId: await this.events.record(tx, 'number.released', released, about) };
    });
    if (!ended) return number;
    this.events.enqueue([ended.eventId]);
    const { releaseReason: reason } = ended.released;
    this.telemetry.metrics.numberReleases.inc({ reason: reason ?? 'owner' });
    this.telemetry.logger.info({ accountId, numberId: id, reason }, 'number released');
    return ended.released;
  }

  /** The owner who released it knows. */
  private async tell(tx: EntityManager, { accountId, id, number, releaseReason: reason }: NumberRow): Promise<void> {
    if (reason !== 'unpaid' && reason !== 'not_renewed') return;
    await this.events.mail(tx, accountId, { kind: 'number_released', number, reason }, id);
  }
}
