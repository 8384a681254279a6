import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { webhookUrlFault } from '../../rules/webhook-url.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';

export interface WebhookUrlView {
  /** The default stands where none is set. */
  readonly webhookUrl: string;
  readonly receiving: boolean;
}

/** Where an account's received messages go. None, or the product's own address, means that receiving is off. */
@Injectable()
export class WebhookUrl {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly auditLog: AuditLog,
    private readonly config: Config,
  ) {}

  async get(accountId: string): Promise<WebhookUrlView> {
    const endpoint = await this.endpoints.find(accountId);
    return this.viewOf(endpoint?.url ?? null);
  }

  /** Throws `webhook_url_invalid`; the old value stands then. */
  async set(accountId: string, text: string): Promise<WebhookUrlView> {
    const given = text.trim();
    const isDefault = given === '' || given.replace(/\/+$/, '') === this.config.http.publicUrl;
    const fault = isDefault ? undefined : webhookUrlFault(given, this.config.webhooks);
    if (fault) throw new DomainError('webhook_url_invalid', fault);
    const webhookUrl = isDefault ? null : given;
    await this.postgres.transaction(async (tx) => {
      await this.endpoints.setUrl(tx, accountId, webhookUrl);
      // What waited for one that was turned off goes to the new one.
      await this.deliveries.resume(tx, accountId);
      // The path may carry a secret of the customer's: the host is enough to tell the change.
      const details = { host: webhookUrl && new URL(webhookUrl).host };
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'webhook.changed', details });
    });
    return this.viewOf(webhookUrl);
  }

  private viewOf(webhookUrl: string | null): WebhookUrlView {
    return { webhookUrl: webhookUrl ?? this.config.http.publicUrl, receiving: webhookUrl !== null };
  }
}
