import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { dollars } from '#contract/packs.js';
import type { TopUpAnswer, TopUpBody, TopUpsAnswer, TopUpStatusAnswer, TopUpView } from '#contract/billing.js';
import { AccountErasure, type FeatureErasure } from '../../accounts/account-erasure.js';
import { Accounts } from '../../accounts/accounts.js';
import { AuditLog } from '../../audit/audit-log.js';
import { declineText } from '../../mail/mail-pages.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { newYorkTimestamp } from '../../rules/time.js';
import { SavedCardPayments } from '../card-payments.js';
import { startOfMonth, TopUps } from './top-ups.js';
import { TopUpsRepository, type TopUp, type TopUpSettings } from './top-ups.repository.js';

const defaults: Pick<TopUpSettings, 'threshold' | 'pack' | 'perMonthMax'> = {
  threshold: 50,
  pack: 'basic',
  perMonthMax: 3,
};

/**
 * What a customer decides about automatic top-up: settings, the saved card, and charges that need a
 * confirmation.
 */
@Injectable()
export class AutoTopUps implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
    private readonly repository: TopUpsRepository,
    private readonly topUps: TopUps,
    private readonly savedCards: SavedCardPayments,
    private readonly accounts: Accounts,
    private readonly auditLog: AuditLog,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {
    accountErasure.register(this);
  }

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
    await this.postgres.transaction(async (tx) => {
      const known = await this.repository.lockSettings(tx, accountId);
      if (settings.enabled && !known?.paymentMethodId) throw new DomainError('card_missing', 'Nothing was changed.');
      await this.repository.saveSettings(tx, accountId, settings);
      if (!settings.enabled) await this.repository.hastenConfirmation(tx, accountId);
      const entry = { actor: 'account', accountId, action: 'top_up.changed', address } as const;
      await this.auditLog.record(tx, { ...entry, details: settings });
    });
    return this.show(accountId);
  }

  /**
   * Opens the page on which the customer saves a card. Throws `stripe_not_configured`,
   * `checkout_failed`, `unavailable`.
   */
  async openSetup(accountId: string): Promise<{ url: string }> {
    const { email } = await this.accounts.get(accountId);
    const known = (await this.repository.findSettings(accountId))?.customerId;
    const customerId =
      known ??
      (await this.repository.saveCustomer(accountId, await this.savedCards.createCustomer({ accountId, email })));
    const url = this.pageUrl;
    return this.savedCards.openSetup({
      accountId,
      customerId,
      savedUrl: `${url}?card=saved&session_id={SESSION_ID}`,
      cancelledUrl: `${url}?card=canceled`,
    });
  }

  /**
   * Stores the card of a session, as the provider knows it. Sessions of others, unfinished and
   * older ones change nothing.
   */
  async saveCard(sessionId: string, accountId?: string): Promise<void> {
    const setup = await this.savedCards.findSetup(sessionId);
    if (!setup?.card || !setup.accountId || (accountId !== undefined && setup.accountId !== accountId)) return;
    const { accountId: owner, card, customerId, openedAt } = setup;
    const save = async (tx: EntityManager) => {
      const settings = await this.repository.lockSettings(tx, owner);
      if (!settings || settings.customerId !== customerId) return undefined;
      if (!(await this.repository.saveCard(tx, owner, card, openedAt))) return undefined;
      const details = { brand: card.brand, last4: card.last4 };
      await this.auditLog.record(tx, { actor: 'account', accountId: owner, action: 'top_up.card_saved', details });
      return settings.paymentMethodId ?? undefined;
    };
    const replaced = await this.postgres.ofAccount(owner, () => this.postgres.transaction(save));
    if (replaced !== undefined && replaced !== card.paymentMethodId) await this.detach(owner, replaced);
  }

  /** Removes the card here and at the provider, and turns top-up off. */
  async removeCard(accountId: string, address: string): Promise<TopUpAnswer> {
    const removed = await this.postgres.transaction(async (tx) => {
      const settings = await this.repository.lockSettings(tx, accountId);
      if (!settings?.paymentMethodId) return undefined;
      await this.repository.removeCard(tx, accountId);
      await this.repository.hastenConfirmation(tx, accountId);
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'top_up.card_removed', address });
      return settings.paymentMethodId;
    });
    if (removed !== undefined) await this.detach(accountId, removed);
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

  /**
   * Begins or continues the confirmation of a charge by its owner. Throws `top_up_not_found`,
   * `unavailable`.
   */
  async confirm(accountId: string, topUpId: string): Promise<TopUpStatusAnswer> {
    const topUp = await this.ownedBy(accountId, topUpId);
    const { status, cardPaymentId, paymentMethodId } = topUp;
    if (status !== 'action_required' || cardPaymentId === null) return { status, url: null };
    const returnUrl = `${this.pageUrl}?confirmed=${topUpId}`;
    const outcome = await this.savedCards.confirm({ cardPaymentId, paymentMethodId, returnUrl });
    if (outcome.kind === 'action_required' && outcome.url !== null) return { status, url: outcome.url };
    if (outcome.kind === 'unknown')
      throw new DomainError('unavailable', 'Your bank did not answer. Please try again.', { cause: outcome.cause });
    await this.topUps.settle(topUp, outcome);
    return { status: (await this.ownedBy(accountId, topUpId)).status, url: null };
  }

  /**
   * Asks the provider for the state of a charge, for the customer who comes back. Throws
   * `top_up_not_found`, `unavailable`.
   */
  async refresh(accountId: string, topUpId: string): Promise<TopUpStatusAnswer> {
    const { status, cardPaymentId } = await this.ownedBy(accountId, topUpId);
    if (status === 'action_required' && cardPaymentId !== null) await this.topUps.refresh(topUpId, cardPaymentId);
    return { status: (await this.ownedBy(accountId, topUpId)).status, url: null };
  }

  async inProgress(accountId: string): Promise<string | undefined> {
    return (await this.repository.findOpen(accountId)) ? 'an automatic top-up' : undefined;
  }

  /** Removes the customer at the provider, the card and the settings. Amounts stay. */
  async erase(accountId: string): Promise<void> {
    const customerId = (await this.repository.findSettings(accountId))?.customerId;
    if (customerId) await this.savedCards.removeCustomer(customerId);
    await this.repository.erase(accountId);
  }

  private get pageUrl(): string {
    return `${this.config.http.publicUrl}/dashboard/purchase`;
  }

  private async ownedBy(accountId: string, topUpId: string): Promise<TopUp> {
    const topUp = await this.repository.find(topUpId);
    if (topUp?.accountId === accountId) return topUp;
    throw new DomainError('top_up_not_found', 'This account has no such top-up.');
  }

  /** The card is not used any more, so a failure here is only logged. */
  private async detach(accountId: string, paymentMethodId: string): Promise<void> {
    await this.savedCards.removeCard(paymentMethodId).catch((err: unknown) => {
      this.logger.error({ err, accountId }, 'card not removed at the payment provider');
    });
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
