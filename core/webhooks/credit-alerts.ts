import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AlertsAnswer, AlertsBody } from '#contract/billing.js';
import { limits } from '#contract/limits.js';
import { Notices } from '../mail/notices.js';
import { AuditLog } from '../audit/audit-log.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { newMessageId } from '../rules/ids.js';
import { newYorkDay, startOfNewYorkDay } from '../rules/time.js';
import { EndpointsRepository, type WatchedAccount } from './endpoints/endpoints.repository.js';
import { WebhookEvents, type WebhookEvent } from './webhook-events.js';
import { Every } from '../platform/schedules/every.js';

const CHECKED_EVERY_MS = 5_000;

/**
 * Alerts about an account's credits, as email and as event. `credits.low`: the balance fell below
 * the threshold; sent once until the balance reaches the threshold again. `credits.daily_spend`:
 * the credits used on a New York day, less refunds, reached the threshold; sent once a day. Polls
 * every few seconds, so accepting a message costs nothing extra. Safe in several workers at once.
 */
@Injectable()
export class CreditAlerts {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly credits: Credits,
    private readonly events: WebhookEvents,
    private readonly notices: Notices,
    private readonly auditLog: AuditLog,
  ) {}

  async show(accountId: string): Promise<AlertsAnswer> {
    const {
      lowCreditsMail = false,
      lowCredits = limits.lowCreditsDefault,
      dailySpend = null,
    } = (await this.endpoints.findAlerts(accountId)) ?? {};
    const { used } = await this.credits.balanceOf(accountId);
    const usedBefore = await this.credits.usedBefore(accountId, startOfNewYorkDay(newYorkDay(new Date())));
    return { lowCreditsMail, lowCredits, dailySpend, spentToday: Math.max(0, used - usedBefore) };
  }

  /** Sets the alerts. `address` is the caller's, for the audit log. */
  async change(accountId: string, alerts: AlertsBody, address: string): Promise<AlertsAnswer> {
    const before = await this.endpoints.findAlerts(accountId);
    await this.postgres.change(async (tx) => {
      await this.endpoints.setAlerts(tx, accountId, alerts);
      const entry = { actor: 'account', accountId, action: 'alerts.changed', address } as const;
      await this.auditLog.recordChange(tx, { ...entry, details: alerts }, before && chosen(before), chosen(alerts));
    });
    return this.show(accountId);
  }

  /** Checks one batch of watched accounts; returns how many it checked. */
  @Every({ name: 'credit alerts', everyMs: CHECKED_EVERY_MS, whileMore: true })
  async check(): Promise<number> {
    const { checked, recorded } = await this.postgres.transaction(async (tx) => {
      const accounts = await this.endpoints.takeWatched(tx);
      const events = [...(await this.findLow(tx, accounts)), ...(await this.findSpending(tx, accounts))];
      return { checked: accounts.length, recorded: await this.events.recordAll(tx, events) };
    });
    this.events.enqueue(recorded);
    return checked;
  }

  private async findLow(tx: EntityManager, accounts: readonly WatchedAccount[]): Promise<WebhookEvent[]> {
    const watched = accounts.filter(({ watchesBalance }) => watchesBalance);
    if (watched.length === 0) return [];
    const balances = await this.credits.balancesOf(idsOf(watched), tx);
    const balanceOf = (accountId: string) => balances.get(accountId)?.balance ?? 0;
    const isLow = ({ accountId, lowCredits }: WatchedAccount) => balanceOf(accountId) < lowCredits;
    const fallen = watched.filter((account) => !account.areLow && isLow(account));
    const recovered = watched.filter((account) => account.areLow && !isLow(account));
    await this.endpoints.markLowCredits(tx, idsOf(fallen), true);
    await this.endpoints.markLowCredits(tx, idsOf(recovered), false);
    const events: WebhookEvent[] = [];
    for (const { accountId, lowCredits: threshold, lowCreditsMail } of fallen) {
      const payload = { balance: balanceOf(accountId), threshold };
      const sourceId = newMessageId();
      if (lowCreditsMail) await this.notices.send(tx, accountId, { kind: 'credits_low', ...payload }, sourceId);
      events.push({ accountId, type: 'credits.low', sourceId, payload });
    }
    return events;
  }

  private async findSpending(tx: EntityManager, accounts: readonly WatchedAccount[]): Promise<WebhookEvent[]> {
    const day = newYorkDay(new Date());
    const watched = accounts.filter(({ dailySpend, alertedOn }) => dailySpend !== null && alertedOn !== day);
    if (watched.length === 0) return [];
    const balances = await this.credits.balancesOf(idsOf(watched), tx);
    const events: WebhookEvent[] = [];
    for (const { accountId, dailySpend: threshold, spendDay, spendBase } of watched) {
      const isKnown = spendDay === day && spendBase !== null;
      const base = isKnown ? spendBase : await this.credits.usedBefore(accountId, startOfNewYorkDay(day), tx);
      if (!isKnown) await this.endpoints.startSpendDay(tx, accountId, day, base);
      const spent = (balances.get(accountId)?.used ?? 0) - base;
      if (threshold === null || spent < threshold) continue;
      await this.endpoints.markSpendAlerted(tx, accountId, day);
      const payload = { day, spent, threshold };
      const sourceId = `${accountId}:${day}`;
      await this.notices.send(tx, accountId, { kind: 'daily_spend', ...payload }, sourceId);
      events.push({ accountId, type: 'credits.daily_spend', sourceId, payload });
    }
    return events;
  }
}

function idsOf(accounts: readonly WatchedAccount[]): string[] {
  return accounts.map(({ accountId }) => accountId);
}

function chosen({ lowCreditsMail, lowCredits, dailySpend }: AlertsBody): AlertsBody {
  return { lowCreditsMail, lowCredits, dailySpend };
}
