import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Notices } from '../../mail/notices.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { ChargeOutcome } from '../card-payments.js';
import { CreditPurchase } from '../credit-purchase.js';
import { checkoutOfTopUp } from '../purchases.repository.js';
import { TOP_UP_CONFIRM_HOURS, TopUpsRepository, type TopUp } from './top-ups.repository.js';

/** Waits after the first, second and third decline in a row; the fourth turns top-up off. */
const RETRY_SECONDS = [3_600, 6 * 3_600, 24 * 3_600];

/**
 * Applies the outcome of a charge to its attempt: credits a payment, asks the owner to confirm, and
 * after a decline tries again later or turns top-up off. Applying it again changes nothing.
 */
@Injectable()
export class SettleTopUp {
  constructor(
    private readonly postgres: Postgres,
    private readonly topUps: TopUpsRepository,
    private readonly creditPurchase: CreditPurchase,
    private readonly notices: Notices,
    private readonly logger: Logger,
  ) {}

  /** `undefined`: the attempt was never charged and is over. */
  async settle(topUp: TopUp, outcome: ChargeOutcome | undefined): Promise<void> {
    const { id: topUpId, accountId } = topUp;
    switch (outcome?.kind) {
      case 'paid':
        return this.paid(topUp, outcome);
      case 'declined':
        return this.fail(topUp, { status: 'declined', cardPaymentId: outcome.cardPaymentId, reason: outcome.code });
      case 'canceled':
        return this.fail(topUp, { status: 'expired', cardPaymentId: outcome.cardPaymentId, reason: null });
      case 'action_required':
        return this.askToConfirm(topUp, outcome.cardPaymentId);
      case 'unknown':
        this.logger.warn({ err: outcome.cause, topUpId, accountId }, 'top-up without an answer: left to recovery');
        return;
      case 'pending':
        return;
      case undefined:
        return this.fail(topUp, { status: 'failed', cardPaymentId: null, reason: 'no_answer' });
    }
  }

  private async paid(topUp: TopUp, charge: Extract<ChargeOutcome, { kind: 'paid' }>): Promise<void> {
    const { id, accountId } = topUp;
    const { cardPaymentId, amountCents, currency, receiptUrl } = charge;
    const session = { sessionId: checkoutOfTopUp(id), state: 'paid', accountId, amountCents, currency } as const;
    const outcome = await this.creditPurchase.credit({ ...session, cardPaymentId, receiptUrl });
    if (outcome !== 'credited') return this.fail(topUp, { status: 'failed', cardPaymentId, reason: 'amount_mismatch' });
    await this.postgres.transaction(async (tx) => {
      await this.topUps.lockSettings(tx, accountId);
      if (!(await this.topUps.finish(tx, id, { status: 'paid', cardPaymentId, reason: null }))) return;
      await this.topUps.clearFailures(tx, accountId);
      this.logger.info({ accountId, topUpId: id }, 'top-up paid');
    });
  }

  private async askToConfirm(
    { id, accountId, amountCents, credits, cardLast4 }: TopUp,
    cardPaymentId: string,
  ): Promise<void> {
    await this.postgres.transaction(async (tx) => {
      if (!(await this.topUps.awaitConfirmation(tx, id, cardPaymentId))) return;
      const confirmBy = new Date(Date.now() + TOP_UP_CONFIRM_HOURS * 3_600_000).toISOString();
      const content = { kind: 'top_up_confirm', topUpId: id, amountCents, credits, cardLast4, confirmBy } as const;
      await this.notices.send(tx, accountId, content, id);
      this.logger.info({ accountId, topUpId: id }, 'top-up waits for its confirmation');
    });
  }

  private async fail(
    topUp: TopUp,
    result: Parameters<TopUpsRepository['finish']>[2] & { status: 'declined' | 'expired' | 'failed' },
  ): Promise<void> {
    const { id, accountId } = topUp;
    const { status, reason } = result;
    await this.postgres.transaction(async (tx) => {
      const settings = await this.topUps.lockSettings(tx, accountId);
      if (!(await this.topUps.finish(tx, id, result))) return;
      this.logger.info({ accountId, topUpId: id, status, reason }, 'top-up not paid');
      const waitSeconds = RETRY_SECONDS[settings?.failures ?? 0];
      if (status === 'expired' || waitSeconds === undefined) await this.turnOff(tx, topUp, status);
      else {
        await this.topUps.postpone(tx, accountId, waitSeconds);
        if (status === 'declined' && settings?.failures === 0) await this.tellDeclined(tx, topUp, reason, waitSeconds);
      }
    });
  }

  private async turnOff(
    tx: EntityManager,
    { id, accountId, cardLast4 }: TopUp,
    status: TopUp['status'],
  ): Promise<void> {
    const reason = status === 'expired' ? 'not_confirmed' : 'declined';
    // The owner may have turned it off before.
    if (!(await this.topUps.turnOff(tx, accountId, reason))) return;
    await this.notices.send(tx, accountId, { kind: 'top_up_off', reason, cardLast4 }, id);
  }

  private async tellDeclined(
    tx: EntityManager,
    topUp: TopUp,
    reason: string | null,
    waitSeconds: number,
  ): Promise<void> {
    const { id, accountId, amountCents, cardLast4 } = topUp;
    const retryAt = new Date(Date.now() + waitSeconds * 1_000).toISOString();
    const content = { kind: 'top_up_declined', amountCents, cardLast4, reason: reason ?? '', retryAt } as const;
    await this.notices.send(tx, accountId, content, id);
  }
}
