import { Injectable } from '@nestjs/common';
import { BatchClaim, type Claimed } from '../../platform/durable-work/durable-work.js';
import { Postgres } from '../../platform/database/postgres.js';
import { claimStatement, LEASE_SECONDS, type ClaimedDelivery } from './claims.sql.js';

/** Takes deliveries for this worker, with a lease. One winner per delivery, whoever else tries. */
@Injectable()
export class Claims {
  private readonly batches: BatchClaim<ClaimedDelivery>;

  constructor(postgres: Postgres) {
    this.batches = new BatchClaim({
      leaseMs: LEASE_SECONDS * 1_000,
      claim: (ids) => postgres.query<ClaimedDelivery>(claimStatement, [ids]),
    });
  }

  /** Undefined when the delivery does not wait any more, or has nowhere to go for now. */
  claim(id: string): Promise<Claimed<ClaimedDelivery> | undefined> {
    return this.batches.claim(id);
  }
}
