import { Injectable } from '@nestjs/common';
import type { NamedKeyView } from '#contract/account.js';
import type { TopUpAnswer } from '#contract/billing.js';
import type { ExposureAnswer } from '#contract/exposure.js';
import { limits } from '#contract/limits.js';
import { packs } from '#contract/packs.js';
import type { Region } from '#contract/regions.js';
import { Accounts } from '../accounts/accounts.js';
import { AutoTopUps } from '../billing/top-ups/auto-top-ups.js';
import { Credits } from '../credits/credits.js';
import { NamedKeys } from '../keys/named-keys.js';
import { takenDaysStatement } from '../messages/store/day-reservations.sql.js';
import { CurrentRegions } from '../routes/current-regions.js';
import { NumberDirectory } from '../numbers/number-directory.js';
import { ReserveNumber } from '../numbers/reserve-number.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { dearestOf, type ExposedKey, exposureOf, type ExposureLimits } from '../rules/exposure.js';
import { takesMms } from '../rules/mms.js';
import { priceOf } from '../rules/price.js';
import { dayAfter, newYorkDay } from '../rules/time.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';

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
    private readonly namedKeys: NamedKeys,
    private readonly autoTopUps: AutoTopUps,
    private readonly webhookEvents: WebhookEvents,
    private readonly currentRegions: CurrentRegions,
    private readonly reserveNumber: ReserveNumber,
    private readonly directory: NumberDirectory,
    private readonly config: Config,
  ) {}

  async show(accountId: string, now = new Date()): Promise<ExposureAnswer> {
    const today = newYorkDay(now);
    const tomorrow = dayAfter(today);
    // The reads are sequential, so that a request takes one connection.
    const account = await this.accounts.get(accountId);
    const { balance, frozen } = await this.credits.balanceOf(accountId);
    const named = await this.namedKeys.list(accountId);
    const topUp = await this.autoTopUps.show(accountId);
    const receiving = await this.postgres.call((manager) => this.webhookEvents.receiving(manager, [accountId]));
    const days = [accountId, [today, tomorrow]];
    const taken = await this.postgres.query<{ day: string; taken: number }>(takenDaysStatement, days);
    const table = await this.currentRegions.table();
    const purchases = await this.reserveNumber.allowedUntilTomorrow(accountId, now);
    const own = await this.directory.ofAccount(accountId);
    const offered = [...table.values()].filter(({ active }) => active);
    const { mmsCredits } = this.config;
    const isMonthOver = today.slice(0, 7) !== tomorrow.slice(0, 7);
    const leftOn = (day: string) =>
      Math.max(0, account.dailyLimit - (taken.find((one) => one.day === day)?.taken ?? 0));
    const isUsable = ({ mode, isExpired }: NamedKeyView) => mode === 'live' && !isExpired;
    const usable = named.filter(isUsable);
    const disabled = account.disabledCountries;
    const exposed: ExposedKey[] = [
      {
        id: null,
        name: null,
        budget: null,
        creditsPerMessage: dearestMessage(mmsCredits, offered, disabled),
        buysNumbers: true,
        asksForReplies: true,
      },
      ...usable.map((key) =>
        exposedOf(key, (allowed) => dearestMessage(mmsCredits, offered, disabled, allowed), isMonthOver),
      ),
    ];
    const topUps = account.deleteAt === null ? toppedUp(topUp, isMonthOver) : null;
    const canPay = purchases.hasPaid || topUps !== null;
    const current: ExposureLimits = {
      maySend: account.blockedAt === null && account.deliverySuspendedAt === null,
      balance,
      frozen,
      topUp: topUps,
      messages: leftOn(today) + leftOn(tomorrow),
      // Replies to a number of the account's own are received, also without a webhook.
      receives: receiving.has(accountId) || own.numbers.some(({ origin }) => origin === 'purchase'),
      creditsOfReplies: CREDITS_OF_REPLIES,
      creditsOfNumbers: account.blockedAt === null && canPay ? purchases.credits : 0,
      keys: exposed,
    };
    const { credits, bound } = exposureOf(current);
    return {
      success: 'true',
      credits,
      bound,
      within_hours: NOTICED_WITHIN_HOURS,
      available: balance - frozen,
      top_up_credits: current.topUp?.credits ?? 0,
      number_credits: current.creditsOfNumbers,
      messages: current.messages,
      credits_per_message: dearestOf(current.keys),
      keys: current.keys
        .map((key) => ({
          key_id: key.id,
          name: key.name,
          credits: exposureOf({ ...current, keys: [key] }).credits,
        }))
        .sort((one, other) => other.credits - one.credits),
      switches: topUpSwitch(current, purchases.hasPaid).filter((one) => one.credits < credits),
    };
  }
}

function openOf(offered: readonly Region[], disabled: readonly string[]): Region[] {
  return offered.filter(({ iso2 }) => !disabled.includes(iso2));
}

/** Returns the price of the dearest message to an open country. */
function dearestMessage(
  mmsCredits: number,
  offered: readonly Region[],
  disabled: readonly string[],
  allowed: readonly string[] = [],
): number {
  const open = openOf(offered, disabled).filter(({ iso2 }) => allowed.length === 0 || allowed.includes(iso2));
  const prices = open.map((region) => priceOf(limits.messageSegmentsMax, region));
  return Math.max(0, ...prices, open.some(({ iso2 }) => takesMms(iso2)) ? mmsCredits : 0);
}

function exposedOf(
  key: NamedKeyView,
  dearestTo: (allowed: readonly string[]) => number,
  isMonthOver: boolean,
): ExposedKey {
  const { id, name, scopes, countries, creditsPerDay, creditsPerMonth, spentToday, spentThisMonth } = key;
  const otp = scopes.includes('otp') ? limits.otpCredits : 0;
  const budgets = [
    // The rest of today's budget and tomorrow's whole budget.
    creditsPerDay === null ? Infinity : Math.max(0, creditsPerDay - spentToday) + creditsPerDay,
    creditsPerMonth === null
      ? Infinity
      : Math.max(0, creditsPerMonth - spentThisMonth) + (isMonthOver ? creditsPerMonth : 0),
  ];
  const budget = Math.min(...budgets);
  return {
    id,
    name,
    budget: budget === Infinity ? null : budget,
    creditsPerMessage: scopes.includes('send') ? Math.max(otp, dearestTo(countries)) : otp,
    buysNumbers: scopes.includes('numbers'),
    // A text with `replyWebhookUrl`, an open stream of events and a bought number receive replies
    // without a webhook.
    asksForReplies: scopes.includes('send') || scopes.includes('read') || scopes.includes('numbers'),
  };
}

function toppedUp({ enabled, card, paused, pack, perMonthMax, usedThisMonth }: TopUpAnswer, isMonthOver: boolean) {
  if (!enabled || card === null || paused) return null;
  const charges = Math.max(0, perMonthMax - usedThisMonth) + (isMonthOver ? perMonthMax : 0);
  return { credits: charges * (packs.find(({ id }) => id === pack)?.credits ?? 0) };
}

/** A top-up is also a purchase, without which no numbers can be bought. */
function topUpSwitch(current: ExposureLimits, hasPaid: boolean): ExposureAnswer['switches'] {
  if (!current.topUp) return [];
  const { credits } = exposureOf({ ...current, topUp: null, ...(!hasPaid && { creditsOfNumbers: 0 }) });
  return [{ switch: 'top_up_off', key_id: null, text: 'Turn off automatic top-up.', credits }];
}
