import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';

/** Where webhooks went, what they said, and what was answered; what waits is not sent any more. */
@Injectable()
export class WebhookErasureRepository implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
  ) {
    accountErasure.register(this);
  }

  async erase(accountId: string): Promise<void> {
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'])
      await this.postgres.query({ text: `DELETE FROM ${table} WHERE account_id = $1` }, [accountId]);
  }
}
