import { Injectable } from '@nestjs/common';
import type { TopUpAnswer } from '#contract/billing.js';
import type { ExposureAnswer } from '#contract/exposure.js';
import { limits } from '#contract/limits.js';
import { packs } from '#contract/packs.js';
import { Accounts } from '../accounts/accounts.js';
import { AutoTopUps } from '../billing/top-ups/auto-top-ups.js';
import { Credits } from '../credits/credits.js';
import { takenDaysStatement } from '../messages/store/day-reservations.sql.js';
import { ReserveNumber } from '../numbers/reserve-number.js';
import { Postgres } from '../platform/database/postgres.js';
import { dearestOf, exposureOf, type ExposureLimits } from '../rules/exposure.js';
import { dayAfter, newYorkDay } from '../rules/time.js';
import { ExposedKeys } from './exposed-keys.js';

/**
 * The owner is assumed to notice within this time. No alert ends the spending sooner: one bulk can
 * be spent before its email arrives.
 */
const NOTICED_WITHIN_HOURS = 24;
const CREDITS_OF_REPLIES = limits.chargedRepliesPerHourMax * NOTICED_WITHIN_HOURS * limits.replyCredits;

/** Computes the amount that leaked keys could spend, and the rest without automatic top-up. */
@Injectable()
export class ExposureFigures {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: Accounts,
    private readonly credits: Credits,
    private readonly exposedKeys: ExposedKeys,
    private readonly autoTopUps: AutoTopUps,
    private readonly reserveNumber: ReserveNumber,
  ) {}

  async show(accountId: string, now = new Date()): Promise<ExposureAnswer> {
    const today = newYorkDay(now);
    const tomorrow = dayAfter(today);
    const isMonthOver = today.slice(0, 7) !== tomorrow.slice(0, 7);
    // The reads are sequential, so that a request takes one connection.
    const account = await this.accounts.get(accountId);
    const { balance, frozen } = await this.credits.balanceOf(accountId);
    const keys = await this.exposedKeys.of(accountId, account.disabledCountries, isMonthOver);
    const topUp = await this.autoTopUps.show(accountId);
    const days = [accountId, [today, tomorrow]];
    const taken = await this.postgres.query<{ day: string; taken: number }>(takenDaysStatement, days);
    const purchases = await this.reserveNumber.allowedUntilTomorrow(accountId, now);
    const leftOn = (day: string) =>
      Math.max(0, account.dailyLimit - (taken.find((one) => one.day === day)?.taken ?? 0));
    const available = balance - frozen;
    const topUps = account.deleteAt === null ? toppedUp(topUp, isMonthOver) : null;
    const canPay = purchases.hasPaid || topUps !== null;
    const current: ExposureLimits = {
      maySend: account.blockedAt === null && account.deliverySuspendedAt === null,
      credits: available + (topUps ?? 0),
      messages: leftOn(today) + leftOn(tomorrow),
      creditsOfReplies: CREDITS_OF_REPLIES,
      creditsOfNumbers: account.blockedAt === null && canPay ? purchases.credits : 0,
      keys,
    };
    const { credits, bound } = exposureOf(current);
    // A top-up is also a purchase, without which no numbers can be bought.
    const withoutTopUps = { ...current, credits: available, ...(!purchases.hasPaid && { creditsOfNumbers: 0 }) };
    const off = exposureOf(withoutTopUps).credits;
    return {
      success: 'true',
      credits,
      bound,
      within_hours: NOTICED_WITHIN_HOURS,
      available,
      top_up_credits: topUps ?? 0,
      number_credits: current.creditsOfNumbers,
      messages: current.messages,
      credits_per_message: dearestOf(keys),
      keys: keys
        .map((key) => ({
          key_id: key.id,
          name: key.name,
          credits: exposureOf({ ...current, keys: [key] }).credits,
        }))
        .sort((one, other) => other.credits - one.credits),
      switches:
        off < credits ? [{ switch: 'top_up_off', key_id: null, text: 'Turn off automatic top-up.', credits: off }] : [],
    };
  }
}

/** Returns the credits that top-ups may buy; null when top-up is off. */
function toppedUp(
  { enabled, card, paused, pack, perMonthMax, usedThisMonth }: TopUpAnswer,
  isMonthOver: boolean,
): number | null {
  if (!enabled || card === null || paused) return null;
  const charges = Math.max(0, perMonthMax - usedThisMonth) + (isMonthOver ? perMonthMax : 0);
  return charges * (packs.find(({ id }) => id === pack)?.credits ?? 0);
}
