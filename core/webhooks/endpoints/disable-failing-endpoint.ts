import { Injectable } from '@nestjs/common';
import { Logger } from '../../platform/telemetry/logger.js';
import { Accounts } from '../../accounts/accounts.js';
import { Mails } from '../../mail/mails.js';
import { Postgres } from '../../platform/database/postgres.js';
import { EndpointsRepository } from './endpoints.repository.js';

/** Turns an endpoint off after 410 Gone or days of failures, and notifies its owner by email. */
@Injectable()
export class DisableFailingEndpoint {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly accounts: Accounts,
    private readonly mails: Mails,
    private readonly logger: Logger,
  ) {}

  /** Does nothing when the endpoint is off already or its URL has changed since. */
  async disable(accountId: string, url: string, reason: 'gone' | 'failing'): Promise<void> {
    const { email } = await this.accounts.get(accountId);
    await this.postgres.transaction(async (tx) => {
      const disabledAt = await this.endpoints.disable(tx, { accountId, url, reason });
      if (!disabledAt) return;
      const { host } = new URL(url);
      const content = { kind: 'webhook_disabled' as const, host, reason };
      const sourceId = `${accountId} ${disabledAt.toISOString()}`;
      this.logger.warn({ accountId, host, reason }, 'webhook turned off');
      await this.mails.queue(tx, { accountId, recipient: email, sourceId, content });
    });
  }
}
