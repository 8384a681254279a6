import { Injectable } from '@nestjs/common';
import type { TopUpStatusAnswer } from '#contract/billing.js';
import { Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SavedCardPayments } from '../card-payments.js';
import { SettleTopUp } from './settle-top-up.js';
import { TopUpsRepository, type TopUp } from './top-ups.repository.js';

/** Lets a customer confirm a charge that the bank does not make without its owner. */
@Injectable()
export class ConfirmTopUp {
  constructor(
    private readonly topUps: TopUpsRepository,
    private readonly settleTopUp: SettleTopUp,
    private readonly savedCards: SavedCardPayments,
    private readonly config: Config,
  ) {}

  /**
   * Begins or continues the confirmation of a charge by its owner. Throws `top_up_not_found`,
   * `unavailable`.
   */
  async confirm(accountId: string, topUpId: string): Promise<TopUpStatusAnswer> {
    const topUp = await this.ownedBy(accountId, topUpId);
    const { status, cardPaymentId, paymentMethodId } = topUp;
    if (status !== 'action_required' || cardPaymentId === null) return { status, url: null };
    const returnUrl = `${this.config.http.publicUrl}/dashboard/purchase?confirmed=${topUpId}`;
    const outcome = await this.savedCards.confirm({ cardPaymentId, paymentMethodId, returnUrl });
    if (outcome.kind === 'action_required' && outcome.url !== null) return { status, url: outcome.url };
    if (outcome.kind === 'unknown')
      throw new DomainError('unavailable', 'Your bank did not answer. Please try again.', { cause: outcome.cause });
    await this.settleTopUp.settle(topUp, outcome);
    return { status: (await this.ownedBy(accountId, topUpId)).status, url: null };
  }

  /**
   * Asks the provider for the state of a charge, for the customer who comes back. Throws
   * `top_up_not_found`, `unavailable`.
   */
  async refresh(accountId: string, topUpId: string): Promise<TopUpStatusAnswer> {
    const topUp = await this.ownedBy(accountId, topUpId);
    const { status, cardPaymentId } = topUp;
    if (status === 'action_required' && cardPaymentId !== null)
      await this.settleTopUp.settle(topUp, await this.savedCards.find(cardPaymentId));
    return { status: (await this.ownedBy(accountId, topUpId)).status, url: null };
  }

  private async ownedBy(accountId: string, topUpId: string): Promise<TopUp> {
    const topUp = await this.topUps.find(topUpId);
    if (topUp?.accountId === accountId) return topUp;
    throw new DomainError('top_up_not_found', 'This account has no such top-up.');
  }
}
