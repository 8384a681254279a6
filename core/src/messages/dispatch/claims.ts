import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { isRetryable } from '../../database/database-error.js';
import { GroupCommit } from '../../database/group-commit.js';
import { Postgres } from '../../database/postgres.js';
import { AccountNews } from '../../news/account-news.js';
import { claimStatement, type ClaimRow } from './claims.sql.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 2_000;
const ATTEMPTS_MAX = 3;

/** Takes messages for this worker: queued → sending, with a lease. One winner per message, whoever else tries. */
@Injectable()
export class Claims {
  private readonly group = new GroupCommit<string, ClaimRow | undefined>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (ids) => this.claimAll(ids),
    onFull: () => new Error('Too many claims wait for the database'),
  });

  constructor(
    private readonly postgres: Postgres,
    private readonly news: AccountNews,
    private readonly config: Config,
  ) {}

  /** Undefined when the message is not queued any more. */
  claim(id: string): Promise<ClaimRow | undefined> {
    return this.group.submit(id);
  }

  private async claimAll(ids: string[], attempt = 1): Promise<(ClaimRow | undefined)[]> {
    try {
      const rows = await this.postgres.query<ClaimRow>(claimStatement, [ids, this.config.dispatch.leaseSeconds]);
      for (const { id, accountId, verdict } of rows) if (verdict === 'claimed') this.news.changed(accountId, id);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => {
        const row = byId.get(id);
        byId.delete(id);
        return row;
      });
    } catch (error) {
      if (isRetryable(error) && attempt < ATTEMPTS_MAX) return this.claimAll(ids, attempt + 1);
      throw error;
    }
  }
}
