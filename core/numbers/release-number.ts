import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReleaseReason } from '#contract/numbers.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import { publicNumberId } from '../rules/ids.js';
import { NumberCarriers } from './number-carriers.js';
import { NumberEvents } from './number-events.js';
import { numberViewOf } from './number-views.js';
import { type NumberRow, NumbersRepository } from './numbers.repository.js';
import { PoolNumberEntity } from './pool-number.entity.js';
import { WaitingMessages } from './waiting-messages.js';

/** Wait before a failed call to the carrier is repeated. */
const AGAIN_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Releases numbers: nothing is sent from a number once its release begins. When the release takes
 * effect, the carrier gets the number back, its waiting messages fail, and it rests. A worker ends
 * interrupted releases.
 */
@Injectable()
export class ReleaseNumber {
  constructor(
    private readonly postgres: Postgres,
    private readonly carriers: NumberCarriers,
    private readonly numbers: NumbersRepository,
    private readonly events: NumberEvents,
    private readonly waitingMessages: WaitingMessages,
    private readonly auditLog: AuditLog,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Begins a release of a locked number that works, or whose release was to take effect later. Not
   * to be called while a dispute has frozen credits of the account. `at`: time of the effect; null:
   * at once.
   */
  async begin(
    tx: EntityManager,
    { id, accountId }: NumberRow,
    {
      reason,
      at = null,
      address,
    }: { readonly reason: ReleaseReason; readonly at?: Date | null; readonly address?: string },
  ): Promise<NumberRow> {
    const releasing = await this.numbers.releasing(tx, id, reason, at);
    if (!releasing) throw new Error('A number that does not work is not released');
    const actor = reason === 'owner' ? 'account' : 'operator';
    const details = { id, reason, ...(at && { at: at.toISOString() }) };
    await this.auditLog.record(tx, { actor, accountId, action: 'number.releasing', address, details });
    return releasing;
  }

  /** Emails the owner about a release that takes effect later: at most once an hour. */
  async announce(tx: EntityManager, number: NumberRow): Promise<void> {
    const { id, accountId } = number;
    const { releases_at: releasesAt } = numberViewOf(number);
    if (releasesAt === null) return;
    const facts = { numberId: publicNumberId(id), number: number.number, releasesAt };
    const hour = Math.floor(Date.now() / HOUR_MS);
    await this.events.mail(tx, accountId, { kind: 'number_releasing', ...facts }, `${id}:${hour}`);
  }

  /**
   * Gives a number back whose release takes effect by now. Returns the number's new state: while
   * the carrier does not answer, or more messages wait than are ended at once, it stays
   * `releasing`.
   */
  async complete(number: NumberRow, now = new Date()): Promise<NumberRow> {
    const { id, carrier, carrierId, accountId } = number;
    // The owner may undo the release until then, also when a worker has just found that it is due.
    if (number.releaseAt && !(await this.postgres.transaction((tx) => this.numbers.endNotice(tx, id, now))))
      return number;
    try {
      if (carrier !== null && carrierId !== null) await this.carriers.of(carrier).release(carrierId);
    } catch (err) {
      this.telemetry.logger.warn({ err, numberId: id }, 'number not given back yet');
      const lookAt = new Date(now.getTime() + AGAIN_MS);
      await this.postgres.transaction((tx) => this.numbers.postpone(tx, id, lookAt));
      return number;
    }
    if (await this.waitingMessages.end(accountId, number.number)) return number;
    const ended = await this.postgres.transaction(async (tx) => {
      const released = await this.numbers.released(tx, id);
      if (!released) return undefined;
      await tx.delete(PoolNumberEntity, { accountId, numberId: id });
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

  /** Also notifies the owner who released it: another person may have used a key. */
  private async tell(tx: EntityManager, { accountId, id, number, releaseReason: reason }: NumberRow): Promise<void> {
    if (reason !== 'unpaid' && reason !== 'not_renewed' && reason !== 'owner') return;
    await this.events.mail(tx, accountId, { kind: 'number_released', number, reason }, id);
  }
}
