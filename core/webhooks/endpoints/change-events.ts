import { Injectable } from '@nestjs/common';
import type { OptionalWebhookEvent } from '#contract/webhooks.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { EndpointsRepository } from './endpoints.repository.js';

/** What an account wants to be told beyond received messages, and below which balance its credits are low. */
@Injectable()
export class ChangeEvents {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly auditLog: AuditLog,
  ) {}

  /** Without `lowCredits` the threshold stays as it is. */
  async run(accountId: string, wanted: readonly OptionalWebhookEvent[], lowCredits?: number): Promise<void> {
    const events = [...new Set(wanted)].sort();
    await this.postgres.transaction(async (tx) => {
      await this.endpoints.setEvents(tx, accountId, events, lowCredits ?? null);
      await this.auditLog.record(tx, {
        actor: 'account',
        accountId,
        action: 'webhook.events_changed',
        details: { events, lowCredits },
      });
    });
  }
}
