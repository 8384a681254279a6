import { Injectable } from '@nestjs/common';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { WatchLedgerRepository } from './watch-ledger.repository.js';

/** A transaction's rows carry the time it began at, and it may end this much later. */
const OVERLAP_MS = 5 * 60_000;
const LOGGED_MAX = 10;

/**
 * The cheap half of `admin ledger check`, to be run again and again: looks at the accounts that have moved since the last round,
 * in the first round at all, and goes on looking at those it found wrong until they are mended.
 */
@Injectable()
export class WatchLedger {
  private since = new Date(0);
  private known: readonly string[] = [];

  constructor(
    private readonly ledger: WatchLedgerRepository,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Answers how many accounts are wrong. */
  async run(): Promise<number> {
    const now = await this.ledger.now();
    const faults = await this.ledger.faults(this.since, this.known);
    this.since = new Date(now.getTime() - OVERLAP_MS);
    const fresh = faults.filter((accountId) => !this.known.includes(accountId));
    this.known = faults;
    this.metrics.ledgerMismatches.set(faults.length);
    this.metrics.ledgerCheckedAt.setToCurrentTime();
    if (fresh.length > 0)
      this.logger.error(
        { accounts: faults.length, accountIds: fresh.slice(0, LOGGED_MAX) },
        'balances and ledger disagree',
      );
    return faults.length;
  }
}
