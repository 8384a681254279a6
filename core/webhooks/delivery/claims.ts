import { Injectable } from '@nestjs/common';
import { ClaimBatches } from '../../platform/database/claim-batches.js';
import { Postgres } from '../../platform/database/postgres.js';
import { claimStatement, type ClaimedDelivery } from './claims.sql.js';

const WAITING_MAX = 10_000;

/** Takes deliveries for this worker, with a lease. One winner per delivery, whoever else tries. */
@Injectable()
export class Claims {
  private readonly batches: ClaimBatches<ClaimedDelivery>;

  constructor(postgres: Postgres) {
    const run = (ids: string[]) => postgres.query<ClaimedDelivery>(claimStatement, [ids]);
    this.batches = new ClaimBatches({ waitingMax: WAITING_MAX, run });
  }

  /** Undefined when the delivery does not wait any more, or has nowhere to go for now. */
  claim(id: string): Promise<ClaimedDelivery | undefined> {
    return this.batches.claim(id);
  }
}
