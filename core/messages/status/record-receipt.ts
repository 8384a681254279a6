import { Injectable } from '@nestjs/common';
import type { CarrierReceipt } from '../../carriers/carrier.js';
import { carrierNameOf, Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { contextFields } from '../../platform/telemetry/request-context.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { ApplyReceipt } from './apply-receipt.js';
import { MessageCosts } from './message-costs.js';
import type { AppliedReceipt } from './status-updates.js';

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
