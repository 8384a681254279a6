import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { eachDueRow } from '../platform/durable-work/durable-work.js';
import { Every } from '../platform/schedules/every.js';
import { Logger } from '../platform/telemetry/logger.js';
import { publicNumberId } from '../rules/ids.js';
import { NumberDirectory } from './number-directory.js';
import { NumberEvents } from './number-events.js';
import { NumberMoney } from './number-money.js';
import { graceEnd } from './number-views.js';
import { type NumberRow, NumbersRepository } from './numbers.repository.js';
import { ReleaseNumber } from './release-number.js';

const RENT_EVERY_MS = 15_000;
const NUMBERS_MAX = 50;
const DAY_MS = 86_400_000;
/** Interval for a past due number: credits also come without a purchase. */
const LOOKED_EVERY_MS = 3_600_000;

/** Result of processing a due number. */
interface Looked {
  readonly number: NumberRow;
  readonly eventId?: string | undefined;
  /** The number is due again, because several months are. */
  readonly again?: boolean;
}

/**
 * Takes the rent of numbers, month by month, each once: the ledger's entry is unique by number and
 * month. Without enough credits a number works for some days more, its owner is notified, and then
 * it is released.
 */
@Injectable()
export class NumberRent {
  constructor(
    private readonly postgres: Postgres,
    private readonly numbers: NumbersRepository,
    private readonly money: NumberMoney,
    private readonly releaseNumber: ReleaseNumber,
    private readonly events: NumberEvents,
    private readonly directory: NumberDirectory,
    private readonly logger: Logger,
  ) {}

  /** Processes the due numbers; returns how many there were. */
  @Every({ name: 'number rent', everyMs: RENT_EVERY_MS, whileMore: false, wholeDatabase: true })
  async run(now = new Date()): Promise<number> {
    const due = await this.numbers.due(now, NUMBERS_MAX);
    await eachDueRow(due, { name: 'rents of numbers', logger: this.logger, atOnceMax: 1 }, (number) =>
      this.postgres.ofAccount(number.accountId, () => this.look(number, now)),
    );
    if (due.length > 0) await this.directory.renewed();
    return due.length;
  }

  /** Takes the due rent when credits have come. */
  async creditsAdded(accountId: string, now = new Date()): Promise<void> {
    for (const number of await this.numbers.pastDueOf(accountId)) await this.look(number, now);
  }

  private async look(number: NumberRow, now: Date): Promise<void> {
    let looked: Looked = { number, again: number.status === 'active' || number.status === 'past_due' };
    while (looked.again) {
      looked = await this.postgres.transaction((tx) => this.collect(tx, number, now));
      this.events.enqueue([looked.eventId]);
    }
    if (looked.number.status === 'releasing') await this.releaseNumber.complete(looked.number, now);
  }

  /** Locks the balance first, as everywhere. */
  private async collect(tx: EntityManager, { id, accountId }: NumberRow, now: Date): Promise<Looked> {
    const { available } = await this.money.lock(tx, accountId);
    const number = await this.numbers.lock(tx, id);
    if (!number) throw new Error('A number that was due is gone');
    const { status, renewsAt, autoRenew, creditsPerMonth } = number;
    if ((status !== 'active' && status !== 'past_due') || !renewsAt || renewsAt > now) return { number };
    if (!autoRenew) return this.end(tx, number, 'not_renewed', now);
    if (available >= (creditsPerMonth ?? 0)) return this.take(tx, number, now);
    return status === 'active' ? this.becomePastDue(tx, number, now) : this.remind(tx, number, now);
  }

  private async take(tx: EntityManager, before: NumberRow, now: Date): Promise<Looked> {
    const { id, accountId, number, monthsPaid, creditsPerMonth, renewsAt, status } = before;
    const month = { numberId: id, accountId, number, month: monthsPaid + 1, credits: creditsPerMonth ?? 0 };
    await this.money.takeMonth(tx, { ...month, from: renewsAt ?? now });
    const paid = await this.numbers.paid(tx, id);
    if (!paid) throw new Error('A number that is locked is gone');
    const eventId =
      status === 'past_due'
        ? await this.events.record(tx, 'number.active', paid, { about: monthsPaid + 1 })
        : undefined;
    return { number: paid, eventId, again: paid.renewsAt !== null && paid.renewsAt <= now };
  }

  private async becomePastDue(tx: EntityManager, number: NumberRow, now: Date): Promise<Looked> {
    return this.tell(tx, number, { since: now, notices: 1, day: 0, now });
  }

  /**
   * Notifies the owner on the notice days, only for the latest if several have passed, and ends the
   * grace.
   */
  private async remind(tx: EntityManager, number: NumberRow, now: Date): Promise<Looked> {
    const since = number.pastDueAt ?? now;
    if (graceEnd(since) <= now) return this.end(tx, number, 'unpaid', now);
    const days = limits.numberNoticeDays.filter((day) => now.getTime() - since.getTime() >= day * DAY_MS);
    const day = days.at(-1) ?? 0;
    if (days.length > number.pastDueNotices) return this.tell(tx, number, { since, notices: days.length, day, now });
    await this.numbers.postpone(tx, number.id, nextLook(since, now));
    return { number };
  }

  private async tell(
    tx: EntityManager,
    before: NumberRow,
    { since, notices, day, now }: { since: Date; notices: number; day: number; now: Date },
  ): Promise<Looked> {
    const { id, accountId, monthsPaid, creditsPerMonth } = before;
    const lookAt = nextLook(since, now);
    const number = await this.numbers.pastDue(tx, id, { since, notices, lookAt });
    if (!number) throw new Error('A number that is locked is gone');
    const about = `${monthsPaid + 1}:${day}`;
    const facts = { numberId: publicNumberId(id), number: number.number, credits: creditsPerMonth ?? 0, day };
    const content = { kind: 'number_past_due', ...facts, releasesAt: graceEnd(since).toISOString() } as const;
    await this.events.mail(tx, accountId, content, `${id}:${about}`);
    return { number, eventId: await this.events.record(tx, 'number.past_due', number, { about, day }) };
  }

  /** Releases nothing while a dispute has frozen credits: the number waits until it is decided. */
  private async end(
    tx: EntityManager,
    number: NumberRow,
    reason: 'unpaid' | 'not_renewed',
    now: Date,
  ): Promise<Looked> {
    const { frozen } = await this.money.lock(tx, number.accountId);
    if (frozen === 0) {
      const at = reason === 'not_renewed' && number.releaseAt && number.releaseAt > now ? number.releaseAt : null;
      return { number: await this.releaseNumber.begin(tx, number, { reason, at }) };
    }
    await this.numbers.postpone(tx, number.id, new Date(now.getTime() + LOOKED_EVERY_MS));
    return { number };
  }
}

/**
 * Returns the next time to check a past due number: soon, and at its next notice day at the latest.
 */
function nextLook(since: Date, now: Date): Date {
  const days = [...limits.numberNoticeDays, limits.numberGraceDays].map((day) => since.getTime() + day * DAY_MS);
  const next = Math.min(now.getTime() + LOOKED_EVERY_MS, ...days.filter((at) => at > now.getTime()));
  return new Date(next);
}
