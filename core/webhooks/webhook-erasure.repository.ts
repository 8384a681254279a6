import { Injectable } from '@nestjs/common';
import { AccountErasures, type AccountErasure } from '../accounts/deletion/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';

/** Where webhooks went, what they said, and what was answered; what waits is not sent any more. */
@Injectable()
export class WebhookErasureRepository implements AccountErasure {
  constructor(
    traces: AccountErasures,
    private readonly postgres: Postgres,
  ) {
    traces.add(this);
  }

  async forget(accountId: string): Promise<void> {
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'])
      await this.postgres.query({ text: `DELETE FROM ${table} WHERE account_id = $1` }, [accountId]);
  }
}
