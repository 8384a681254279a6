import { Injectable } from '@nestjs/common';
import type { NamedKeyView } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import type { Region } from '#contract/regions.js';
import { NamedKeys } from '../keys/named-keys.js';
import { NumberDirectory } from '../numbers/number-directory.js';
import { Config } from '../platform/config/config.js';
import { CurrentRegions } from '../routes/current-regions.js';
import type { ExposedKey } from '../rules/exposure.js';
import { takesMms } from '../rules/mms.js';
import { priceOf } from '../rules/price.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';

/** Finds the keys of an account that can spend credits, and what is left of the limits of each. */
@Injectable()
export class ExposedKeys {
  constructor(
    private readonly namedKeys: NamedKeys,
    private readonly currentRegions: CurrentRegions,
    private readonly webhookEvents: WebhookEvents,
    private readonly directory: NumberDirectory,
    private readonly config: Config,
  ) {}

  /** Returns the account's own key first. `isMonthOver`: a month's budget is spent and begins again. */
  async of(accountId: string, disabledCountries: readonly string[], isMonthOver: boolean): Promise<ExposedKey[]> {
    const named = await this.namedKeys.list(accountId);
    const isReceiving = await this.webhookEvents.isReceiving(accountId);
    const regions = [...(await this.currentRegions.table()).values()];
    const own = await this.directory.ofAccount(accountId);
    const open = regions.filter(({ active, iso2 }) => active && !disabledCountries.includes(iso2));
    const dearestTo = (allowed: readonly string[]) =>
      dearestMessage(
        open.filter(({ iso2 }) => allowed.length === 0 || allowed.includes(iso2)),
        this.config.mmsCredits,
      );
    // Replies to a number of the account's own are received, also without a webhook.
    const receives = isReceiving || own.numbers.some(({ origin }) => origin === 'purchase');
    const usable = named.filter(({ mode, isExpired }) => mode === 'live' && !isExpired);
    return [
      {
        id: null,
        name: null,
        budget: null,
        creditsPerMessage: dearestTo([]),
        buysNumbers: true,
        bringsReplies: true,
      },
      ...usable.map((key) => {
        const { id, name, scopes, countries } = key;
        const otp = scopes.includes('otp') ? limits.otpCredits : 0;
        return {
          id,
          name,
          budget: budgetOf(key, isMonthOver),
          creditsPerMessage: scopes.includes('send') ? Math.max(otp, dearestTo(countries)) : otp,
          buysNumbers: scopes.includes('numbers'),
          // A text with `replyWebhookUrl`, an open stream of events and a bought number receive replies
          // without a webhook.
          bringsReplies: receives || (['send', 'read', 'numbers'] as const).some((scope) => scopes.includes(scope)),
        };
      }),
    ];
  }
}

/** Returns the price of the dearest message to one of the regions. */
function dearestMessage(regions: readonly Region[], mmsCredits: number): number {
  const prices = regions.map((region) => priceOf(limits.messageSegmentsMax, region));
  return Math.max(0, ...prices, regions.some(({ iso2 }) => takesMms(iso2)) ? mmsCredits : 0);
}

/** Returns the credits that the budgets leave; null without a budget. */
function budgetOf(key: NamedKeyView, isMonthOver: boolean): number | null {
  const { creditsPerDay, creditsPerMonth, spentToday, spentThisMonth } = key;
  const budgets = [
    // The rest of today's budget and tomorrow's whole budget.
    ...(creditsPerDay === null ? [] : [Math.max(0, creditsPerDay - spentToday) + creditsPerDay]),
    ...(creditsPerMonth === null
      ? []
      : [Math.max(0, creditsPerMonth - spentThisMonth) + (isMonthOver ? creditsPerMonth : 0)]),
  ];
  return budgets.length === 0 ? null : Math.min(...budgets);
}
