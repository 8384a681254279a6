import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { InboundReceiptsRepository } from './inbound-receipts.repository.js';

const MONTHS_AHEAD = 3;
const PURGED_MAX = 10_000;

const ensurePartitions = {
  name: 'inbound-partitions-1',
  text: `SELECT ensure_inbound_partitions((now() AT TIME ZONE 'UTC')::date, $1)`,
};

/** Makes the coming months' partitions, and forgets the carrier's ids after a time in which a repeat would have come. */
@Injectable()
export class InboundRetention {
  constructor(
    private readonly postgres: Postgres,
    private readonly receipts: InboundReceiptsRepository,
  ) {}

  /** Answers whether there is more to forget. */
  async run(): Promise<boolean> {
    await this.postgres.query(ensurePartitions, [MONTHS_AHEAD]);
    return (await this.receipts.purge(limits.inboundReceiptsKeptDays, PURGED_MAX)) === PURGED_MAX;
  }
}
