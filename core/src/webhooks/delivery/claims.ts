import { Injectable } from '@nestjs/common';
import { isRetryable } from '../../database/database-error.js';
import { GroupCommit } from '../../database/group-commit.js';
import { Postgres } from '../../database/postgres.js';
import { claimStatement, type ClaimedDelivery } from './claims.sql.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;
const ATTEMPTS_MAX = 3;

/** Takes deliveries for this worker, with a lease. One winner per delivery, whoever else tries. */
@Injectable()
export class Claims {
  private readonly group = new GroupCommit<string, ClaimedDelivery | undefined>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (ids) => this.claimAll(ids),
    onFull: () => new Error('Too many claims wait for the database'),
  });

  constructor(private readonly postgres: Postgres) {}

  /** Undefined when the delivery does not wait any more, or has nowhere to go for now. */
  claim(id: string): Promise<ClaimedDelivery | undefined> {
    return this.group.submit(id);
  }

  private async claimAll(ids: string[], attempt = 1): Promise<(ClaimedDelivery | undefined)[]> {
    try {
      const rows = await this.postgres.query<ClaimedDelivery>(claimStatement, [ids]);
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
