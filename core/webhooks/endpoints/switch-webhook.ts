import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/accounts.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Mails } from '../../mail/mails.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';

/** Turns webhooks off and on. What comes for one that is off waits, for up to seven days. */
@Injectable()
export class SwitchWebhook {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly accounts: Accounts,
    private readonly mails: Mails,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  /** Off because the receiver said so, or has failed for days; its owner gets an e-mail. A URL that has changed since stays on. */
  async giveUp(accountId: string, url: string, reason: 'gone' | 'failing'): Promise<void> {
    const { email } = await this.accounts.get(accountId);
    const mailId = await this.postgres.transaction(async (tx) => {
      const disabledAt = await this.endpoints.disable(tx, { accountId, url, reason });
      if (!disabledAt) return undefined;
      const { host } = new URL(url);
      const content = { kind: 'webhook_disabled' as const, host, reason };
      const sourceId = `${accountId} ${disabledAt.toISOString()}`;
      this.logger.warn({ accountId, host, reason }, 'webhook turned off');
      return this.mails.add(tx, { accountId, recipient: email, sourceId, content });
    });
    if (mailId) this.mails.put(mailId);
  }

  /** The operator turns it off. Throws `account_not_found`, `webhook_off`. */
  async disable(email: string): Promise<void> {
    const { id: accountId } = await this.accounts.getByEmail(email);
    const disabledAt = await this.postgres.transaction((tx) =>
      this.endpoints.disable(tx, { accountId, url: null, reason: 'operator' }),
    );
    if (!disabledAt) throw new DomainError('webhook_off', 'There is no webhook that is on.');
  }

  /** The operator turns it on. Throws `account_not_found`, `webhook_off`. */
  async enableOf(email: string): Promise<void> {
    const { id } = await this.accounts.getByEmail(email);
    await this.enable(id, 'operator');
  }

  /** What waited for it comes now. Throws `webhook_off` when there is no URL, or only the operator may do it. */
  async enable(accountId: string, actor: 'account' | 'operator'): Promise<void> {
    await this.postgres.transaction(async (tx) => {
      if (!(await this.endpoints.enable(tx, accountId, actor))) {
        const endpoint = await this.endpoints.find(accountId);
        if (!endpoint?.url) throw new DomainError('webhook_off', 'Set a webhook URL first.');
        if (endpoint.disabledAt)
          throw new DomainError('webhook_off', 'The operator has turned it off. Contact support.');
        return;
      }
      await this.deliveries.resume(tx, accountId);
      if (actor === 'account') await this.auditLog.record(tx, { actor, accountId, action: 'webhook.enabled' });
    });
  }
}
