import { Injectable } from '@nestjs/common';
import type { WebhookEventType } from '#contract/webhooks.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { WebhookQueue } from '../../platform/queue/queues.js';
import { newMessageId, publicWebhookId } from '../../rules/ids.js';
import { webhookBody } from '../webhook-body.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { examplePayload } from './example-payload.js';

/** Sends an example of an event to an account's webhook, once, also when it is turned off. Throws `webhook_off` without a URL. */
@Injectable()
export class SendTestEvent {
  constructor(
    private readonly postgres: Postgres,
    private readonly deliveries: DeliveriesRepository,
    private readonly queue: WebhookQueue,
    private readonly auditLog: AuditLog,
  ) {}

  /** Answers the id of the delivery, as its owner sees it. */
  async run(accountId: string, type: WebhookEventType): Promise<string> {
    const at = new Date();
    const id = newMessageId();
    const body = webhookBody(type, examplePayload(type, at), at);
    await this.postgres.transaction(async (tx) => {
      const written = await this.deliveries.insert(tx, [
        { id, accountId, type, sourceId: `test ${id}`, body, isTest: true },
      ]);
      if (!written.has(id)) throw new DomainError('webhook_off', 'Set a webhook URL first.');
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'webhook.tested', details: { type } });
    });
    this.queue.enqueue({ id, accountId });
    return publicWebhookId(id);
  }
}
