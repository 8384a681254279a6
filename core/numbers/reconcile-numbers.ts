import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import { Every } from '../platform/schedules/every.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import { numberIdFromPublic } from '../rules/ids.js';
import { publicIdInName } from '../rules/numbers.js';
import type { NumberCarrier } from './number-carrier.js';
import { NumberCarriers } from './number-carriers.js';
import { OrdersRepository } from './orders.repository.js';

const RECONCILED_EVERY_MS = 600_000;
const LOGGED_MAX = 10;

/** Accounts' numbers that a carrier should have sold. */
export const soldNumbersStatement = {
  name: 'numbers-sold-2',
  text: `
SELECT id, carrier, carrier_id AS "carrierId" FROM numbers
WHERE origin = 'purchase' AND status IN ('active', 'past_due') AND carrier_id IS NOT NULL
  AND activated_at < now() - interval '1 hour'`,
} as const;

/** A number that an account has. */
export interface SoldNumber {
  readonly id: string;
  /** Carrier, as in `messages.carrier`. */
  readonly carrier: number;
  readonly carrierId: string;
}

/**
 * Compares our numbers with the lists of their carriers: a number that an ended purchase of ours
 * got, or that was not given back, is given back; a number that its carrier no longer has, or whose
 * carrier is no longer configured, is reported to the operator. Numbers that we did not buy are
 * left alone.
 */
@Injectable()
export class ReconcileNumbers {
  /** Missing numbers by carrier, as of its last list. */
  private readonly missing = new Map<number, readonly string[]>();

  constructor(
    private readonly carriers: NumberCarriers,
    private readonly orders: OrdersRepository,
    private readonly postgres: Postgres,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Returns how many numbers were given back. Throws when a carrier does not answer, after the
   * other carriers.
   */
  @Every({ name: 'number reconciliation', everyMs: RECONCILED_EVERY_MS, wholeDatabase: true })
  async run(): Promise<number> {
    const sold = await this.postgres.query<SoldNumber>(soldNumbersStatement, []);
    const soldBy = (carrier: number) => sold.filter((number) => number.carrier === carrier);
    const results = await Promise.allSettled(
      this.carriers.all.map((carrier) => this.compare(carrier, soldBy(carrier.carrier))),
    );
    const known = new Set(this.carriers.all.map(({ carrier }) => carrier));
    this.report(sold.filter(({ carrier }) => !known.has(carrier)).map(({ id }) => id));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
  }

  private async compare(carrier: NumberCarrier, sold: readonly SoldNumber[]): Promise<number> {
    const theirs = new Set<string>();
    const ids = new Map<string, string>();
    for await (const { carrierId, name } of carrier.all()) {
      theirs.add(carrierId);
      const id = numberIdFromPublic(publicIdInName(name) ?? '');
      if (id !== undefined) ids.set(carrierId, id);
    }
    this.missing.set(
      carrier.carrier,
      sold.filter(({ carrierId }) => !theirs.has(carrierId)).map(({ id }) => id),
    );
    const ended = await this.orders.ended([...ids.values()]);
    const left = [...ids].filter(([, id]) => ended.has(id));
    for (const [carrierId, numberId] of left) {
      await carrier.release(carrierId);
      this.telemetry.logger.warn({ carrierId, numberId }, 'number without an owner given back');
    }
    return left.length;
  }

  private report(withoutCarrier: readonly string[]): void {
    const missing = [...withoutCarrier, ...[...this.missing.values()].flat()];
    this.telemetry.metrics.numbersMissing.set(missing.length);
    if (missing.length === 0) return;
    const about = { numbers: missing.length, numberIds: missing.slice(0, LOGGED_MAX) };
    this.telemetry.logger.error(about, 'the carrier does not have numbers of accounts');
  }
}
