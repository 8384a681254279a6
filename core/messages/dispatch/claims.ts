import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { ClaimBatches } from '../../platform/database/claim-batches.js';
import { Postgres } from '../../platform/database/postgres.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { claimStatement, type ClaimRow } from './claims.sql.js';

const WAITING_MAX = 2_000;

/** Takes messages for this worker: queued → sending, with a lease. One winner per message, whoever else tries. */
@Injectable()
export class Claims {
  private readonly batches = new ClaimBatches<ClaimRow>({ waitingMax: WAITING_MAX, run: (ids) => this.take(ids) });

  constructor(
    private readonly postgres: Postgres,
    private readonly news: AccountEvents,
    private readonly config: Config,
  ) {}

  /** Undefined when the message is not queued any more. */
  claim(id: string): Promise<ClaimRow | undefined> {
    return this.batches.claim(id);
  }

  private async take(ids: string[]): Promise<ClaimRow[]> {
    const rows = await this.postgres.query<ClaimRow>(claimStatement, [ids, this.config.dispatch.leaseSeconds]);
    for (const { id, accountId, verdict } of rows) if (verdict === 'claimed') this.news.changed(accountId, id);
    return rows;
  }
}
