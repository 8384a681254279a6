import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Accounts } from '../../accounts/accounts.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { SavedCardPayments } from '../card-payments.js';
import { TopUpsRepository } from './top-ups.repository.js';

/** The card that automatic top-up charges. The provider has its number; we have its last digits. */
@Injectable()
export class SavedCard {
  constructor(
    private readonly postgres: Postgres,
    private readonly repository: TopUpsRepository,
    private readonly savedCards: SavedCardPayments,
    private readonly accounts: Accounts,
    private readonly auditLog: AuditLog,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /**
   * Opens the page on which the customer saves a card. Throws `stripe_not_configured`,
   * `checkout_failed`, `unavailable`.
   */
  async openPage(accountId: string): Promise<{ url: string }> {
    const { email } = await this.accounts.get(accountId);
    const known = (await this.repository.findSettings(accountId))?.customerId;
    const customerId =
      known ??
      (await this.repository.saveCustomer(accountId, await this.savedCards.createCustomer({ accountId, email })));
    const url = `${this.config.http.publicUrl}/dashboard/purchase`;
    return this.savedCards.openSetup({
      accountId,
      customerId,
      savedUrl: `${url}?card=saved&session_id={SESSION_ID}`,
      cancelledUrl: `${url}?card=canceled`,
    });
  }

  /**
   * Stores the card of a session, as the provider knows it. Unfinished, older and other accounts'
   * sessions change nothing.
   */
  async save(sessionId: string, accountId?: string): Promise<void> {
    const setup = await this.savedCards.findSetup(sessionId);
    if (!setup?.card || !setup.accountId || (accountId !== undefined && setup.accountId !== accountId)) return;
    const { accountId: owner, card, customerId, openedAt } = setup;
    const store = async (tx: EntityManager) => {
      const settings = await this.repository.lockSettings(tx, owner);
      if (!settings || settings.customerId !== customerId) return undefined;
      if (!(await this.repository.saveCard(tx, owner, card, openedAt))) return undefined;
      const details = { brand: card.brand, last4: card.last4 };
      await this.auditLog.record(tx, { actor: 'account', accountId: owner, action: 'top_up.card_saved', details });
      return settings.paymentMethodId ?? undefined;
    };
    const replaced = await this.postgres.ofAccount(owner, () => this.postgres.transaction(store));
    if (replaced !== undefined && replaced !== card.paymentMethodId) await this.detach(owner, replaced);
  }

  /** Removes the card here and at the provider, and turns top-up off. */
  async remove(accountId: string, address: string): Promise<void> {
    const removed = await this.postgres.change(async (tx) => {
      const settings = await this.repository.lockSettings(tx, accountId);
      if (!settings?.paymentMethodId) return undefined;
      await this.repository.removeCard(tx, accountId);
      await this.repository.hastenConfirmation(tx, accountId);
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'top_up.card_removed', address });
      return settings.paymentMethodId;
    });
    if (removed !== undefined) await this.detach(accountId, removed);
  }

  /** Detaches a card that is no longer used, so a failure is only logged. */
  private async detach(accountId: string, paymentMethodId: string): Promise<void> {
    await this.savedCards.removeCard(paymentMethodId).catch((err: unknown) => {
      this.logger.error({ err, accountId }, 'card not removed at the payment provider');
    });
  }
}
