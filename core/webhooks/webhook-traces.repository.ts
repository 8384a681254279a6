import { Injectable } from '@nestjs/common';
import { AccountTraces, type AccountTrace } from '../accounts/deletion/account-traces.js';
import { Postgres } from '../platform/database/postgres.js';

/** Where webhooks went, what they said, and what was answered; what waits is not sent any more. */
@Injectable()
export class WebhookTracesRepository implements AccountTrace {
  constructor(
    traces: AccountTraces,
    private readonly postgres: Postgres,
  ) {
    traces.add(this);
  }

  async forget(accountId: string): Promise<void> {
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'])
      await this.postgres.query({ text: `DELETE FROM ${table} WHERE account_id = $1` }, [accountId]);
  }
}
