import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../../accounts/account-erasure.js';
import { SavedCardPayments } from '../card-payments.js';
import { TopUpsRepository } from './top-ups.repository.js';

@Injectable()
export class TopUpErasure implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly repository: TopUpsRepository,
    private readonly savedCards: SavedCardPayments,
  ) {
    accountErasure.register(this);
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
}
