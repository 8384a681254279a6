import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { dollars } from '#contract/packs.js';
import type { TopUpAnswer, TopUpBody, TopUpsAnswer, TopUpView } from '#contract/billing.js';
import { Accounts } from '../../accounts/accounts.js';
import { AuditLog } from '../../audit/audit-log.js';
import { declineText } from '../../mail/mail-pages.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newYorkTimestamp } from '../../rules/time.js';
import { startOfMonth } from './begin-top-up.js';
import { TopUpsRepository, type TopUp, type TopUpSettings } from './top-ups.repository.js';

const defaults: Pick<TopUpSettings, 'threshold' | 'pack' | 'perMonthMax'> = {
  threshold: 50,
  pack: 'basic',
  perMonthMax: 3,
};

/** A customer's settings of automatic top-up, and its attempts. */
@Injectable()
export class AutoTopUps {
  constructor(
    private readonly postgres: Postgres,
    private readonly repository: TopUpsRepository,
    private readonly accounts: Accounts,
    private readonly auditLog: AuditLog,
    private readonly config: Config,
  ) {}

  async show(accountId: string): Promise<TopUpAnswer> {
    const settings = await this.repository.findSettings(accountId);
    const open = await this.repository.findOpen(accountId);
    const { flaggedAt } = await this.accounts.get(accountId);
    const { threshold, pack, perMonthMax } = settings ?? defaults;
    return {
      available: this.config.stripe !== undefined,
      enabled: settings?.enabled ?? false,
      threshold,
      pack,
      perMonthMax,
      usedThisMonth: await this.repository.countSince(accountId, startOfMonth()),
      card: settings ? cardOf(settings) : null,
      retryAt: settings?.retryAt?.toISOString() ?? null,
      offReason: settings?.offReason ?? null,
      paused: settings?.enabled === true && flaggedAt !== null,
      open: open ? viewOf(open) : null,
    };
  }

  /** Saves the settings. Throws `card_missing`. */
  async change(accountId: string, settings: TopUpBody, address: string): Promise<TopUpAnswer> {
    await this.postgres.change(async (tx) => {
      const known = await this.repository.lockSettings(tx, accountId);
      if (settings.enabled && !known?.paymentMethodId) throw new DomainError('card_missing', 'Nothing was changed.');
      await this.repository.saveSettings(tx, accountId, settings);
      if (!settings.enabled) await this.repository.hastenConfirmation(tx, accountId);
      const entry = { actor: 'account', accountId, action: 'top_up.changed', address } as const;
      await this.auditLog.recordChange(tx, { ...entry, details: settings }, known && chosen(known), chosen(settings));
    });
    return this.show(accountId);
  }

  /**
   * Returns a page of the attempts, newest first; the last page when `requestedPage` is beyond it.
   */
  async page(accountId: string, requestedPage: number): Promise<TopUpsAnswer> {
    const pages = Math.max(1, Math.ceil((await this.repository.count(accountId)) / limits.tablePageSize));
    const page = Math.min(requestedPage, pages);
    const rows = await this.repository.page(accountId, limits.tablePageSize, (page - 1) * limits.tablePageSize);
    return { topUps: rows.map(viewOf), page, pages };
  }
}

function cardOf({ paymentMethodId, cardBrand, cardLast4, cardExpires }: TopUpSettings): TopUpAnswer['card'] {
  if (paymentMethodId === null) return null;
  return { brand: cardBrand ?? '', last4: cardLast4 ?? '', expires: cardExpires ?? '' };
}

function viewOf({ id, createdAt, status, amountCents, credits, cardLast4, reason }: TopUp): TopUpView {
  return {
    id,
    date: newYorkTimestamp(createdAt),
    status,
    amount: dollars(amountCents),
    credits,
    cardLast4,
    reason: status === 'declined' ? declineText(reason ?? '') : null,
  };
}

/** Returns the settings that the customer chooses. */
function chosen({ enabled, threshold, pack, perMonthMax }: TopUpBody): TopUpBody {
  return { enabled, threshold, pack, perMonthMax };
}
