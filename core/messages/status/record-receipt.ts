import { Injectable } from '@nestjs/common';
import { failureClassOf } from '#contract/delivery-errors.js';
import type { CarrierReceipt } from '../../carriers/carrier.js';
import { carrierNameOf, Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { contextFields } from '../../platform/telemetry/request-context.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { MessageAttempts } from '../handover/message-attempts.js';
import { Reroute } from '../handover/reroute.js';
import { ConversationOwner } from '../senders/conversation-owner.js';
import { insertOptOuts } from '../store/opt-outs.sql.js';
import { CarrierMatches } from './carrier-matches.js';
import { MessageCosts } from './message-costs.js';
import { type AppliedReceipt, StatusUpdates } from './status-updates.js';

/** A receipt of a hand-over that is not, or no longer, the current one of its message. */
const ofOther: AppliedReceipt = { transition: undefined, standing: undefined };

/**
 * Finds the hand-over that a receipt is about, and changes its message: the current hand-over, an
 * earlier one, or that of the message to which the carrier's message was matched.
 */
@Injectable()
export class ApplyReceipt {
  constructor(
    private readonly postgres: Postgres,
    private readonly statusUpdates: StatusUpdates,
    private readonly matches: CarrierMatches,
    private readonly conversationOwner: ConversationOwner,
    private readonly attempts: MessageAttempts,
    private readonly reroute: Reroute,
  ) {}

  /** Returns the change of state by the receipt, whose cost is stored with it. */
  async apply(named: string, receipt: CarrierReceipt): Promise<AppliedReceipt> {
    const { carrier, carrierId, status, carrierError, sender, service, costMicrousd, context } = receipt;
    const failed = status === 'failed' || status === 'undelivered';
    // The failure of an earlier hand-over neither changes the message's route nor its sender.
    const isAskedFirst = failed || sender !== undefined;
    if (isAskedFirst && (await this.isOfEarlierAttempt(named, receipt))) return ofOther;
    // The sender is stored before the state, whose events name it.
    if (sender !== undefined)
      await this.conversationOwner.recordSender(carrier, (await this.matches.messageOf(carrierId)) ?? named, sender);
    if (failed && (await this.isRerouted(named, status, receipt))) return ofOther;
    const update = {
      status,
      carrier,
      carrierId,
      carrierError,
      service,
      costMicrousd,
      context,
      ...(failed && { errorCode: receipt.errorCode ?? ('not_delivered' as const) }),
    };
    // Changes nothing if the receipt is of an earlier hand-over, or of a carrier message that was matched to
    // another message.
    const applied = await this.statusUpdates.applyReceipt({ ...update, id: named });
    if (applied.transition || isRepeated(applied.standing, receipt)) return applied;
    if (!isAskedFirst && (await this.isOfEarlierAttempt(named, receipt))) return ofOther;
    const matched = await this.matches.messageOf(carrierId);
    if (matched === undefined || matched === named) return applied;
    const change = () => this.statusUpdates.apply({ ...update, id: matched });
    return { ...applied, transition: await this.postgres.ofRow('messages', matched, change) };
  }

  /**
   * Records the receipt of an earlier hand-over. If that was delivered, so is the message;
   * otherwise the latest hand-over decides.
   */
  private async isOfEarlierAttempt(id: string, receipt: CarrierReceipt): Promise<boolean> {
    if (!this.reroute.areSeveral) return false;
    const attempt = await this.attempts.record(id, receipt);
    if (!attempt) return false;
    const { status, carrier, carrierId, carrierError, service = null, context } = receipt;
    if (status !== 'delivered') {
      const { recipient, sender } = attempt;
      const optOut = { recipient, sender, service, source: 'carrier' } as const;
      if (failureClassOf(carrier, carrierError, 'receipt') === 'opted_out')
        await this.postgres.transaction((tx) => insertOptOuts(this.postgres, tx, [optOut]));
      return true;
    }
    await this.postgres.transaction(async (tx) => {
      if (await this.attempts.resume(tx, id, attempt.n))
        await this.statusUpdates.applyIn(tx, { id, status, carrier, carrierId, context });
    });
    return true;
  }

  /**
   * Queues an undelivered message for another route and returns whether it did. A receipt whose
   * carrier message was matched to another message is ignored.
   */
  private async isRerouted(
    id: string,
    receipt: 'failed' | 'undelivered',
    { carrier, carrierId, carrierError, context }: CarrierReceipt,
  ): Promise<boolean> {
    if (!this.reroute.areSeveral) return false;
    const matched = await this.matches.messageOf(carrierId);
    if (matched !== undefined && matched !== id) return false;
    return this.reroute.leaveFailed(id, {
      reason: 'route_failed',
      outcome: 'accepted',
      from: ['sending', 'sent'],
      carrier,
      carrierError,
      carrierId,
      receipt,
      context,
    });
  }
}

/** Whether a receipt that changed nothing repeats known data of the message's current hand-over. */
function isRepeated(standing: AppliedReceipt['standing'], { carrier, carrierId }: CarrierReceipt): boolean {
  return standing?.hadCome === true && standing.carrier === carrier && standing.carrierId === carrierId;
}

/**
 * Records a delivery receipt. Repeated and late receipts, and receipts of unknown messages or from
 * a carrier that never had the message, change nothing.
 */
@Injectable()
export class RecordReceipt {
  constructor(
    private readonly postgres: Postgres,
    private readonly applyReceipt: ApplyReceipt,
    private readonly costs: MessageCosts,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  async record(receipt: CarrierReceipt): Promise<void> {
    const { messageId, accountId, carrierId, status, context } = receipt;
    this.metrics.receipts.inc({ status });
    const named = messageIdFromPublic(messageId);
    if (!named) {
      this.logger.warn({ ...contextFields(context), carrierId }, 'receipt without a valid message id');
      return;
    }
    const record = () => this.recordOf(named, receipt);
    await (accountId === undefined
      ? this.postgres.ofRow('messages', named, record)
      : this.postgres.ofAccount(accountId, record));
  }

  private async recordOf(named: string, receipt: CarrierReceipt): Promise<void> {
    const { carrier, status, carrierError, costMicrousd, context } = receipt;
    const { transition, standing } = await this.applyReceipt.apply(named, receipt);
    if (!transition) {
      this.noticeForeign(named, receipt, standing);
      if (costMicrousd !== undefined) await this.costs.record({ id: named, carrier, costMicrousd });
    } else if (status === 'failed' || status === 'undelivered') {
      const about = { messageId: transition.id, status, carrierError, refunded: transition.refunded };
      this.logger.info({ ...contextFields(context), ...about }, 'message not delivered');
    }
  }

  /** Reports a receipt that names another carrier's message. */
  private noticeForeign(id: string, { carrier, context }: CarrierReceipt, standing: AppliedReceipt['standing']): void {
    if (!standing || standing.carrier === carrier) return;
    this.metrics.foreignReceipts.inc({ carrier: carrierNameOf(this.config, carrier) });
    const about = { ...contextFields(context), messageId: id, carrier, handedTo: standing.carrier };
    this.logger.warn(about, 'receipt ignored: another carrier has the message');
  }
}
