import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import { Every } from '../platform/schedules/every.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import { numberIdFromPublic } from '../rules/ids.js';
import { publicIdInName } from '../rules/numbers.js';
import { type CarrierNumber, NumberCarrier } from './number-carrier.js';
import { OrdersRepository } from './orders.repository.js';

const RECONCILED_EVERY_MS = 600_000;
const LOGGED_MAX = 10;

/** Numbers that accounts have and that the carrier is to have sold. */
export const soldNumbersStatement = {
  name: 'numbers-sold-1',
  text: `
SELECT id, carrier_id AS "carrierId" FROM numbers
WHERE origin = 'purchase' AND status IN ('active', 'past_due') AND carrier_id IS NOT NULL
  AND activated_at < now() - interval '1 hour'`,
} as const;

/**
 * Compares our numbers with the carrier's: a number that a purchase of ours got after it had ended,
 * or that was not given back, is given back; one that the carrier does not have any more is told to
 * the operator. Numbers that were not bought by us are left alone.
 */
@Injectable()
export class ReconcileNumbers {
  constructor(
    private readonly carrier: NumberCarrier,
    private readonly orders: OrdersRepository,
    private readonly postgres: Postgres,
    private readonly telemetry: Telemetry,
  ) {}

  /** Returns how many numbers were given back. */
  @Every({ name: 'number reconciliation', everyMs: RECONCILED_EVERY_MS, once: true })
  async run(): Promise<number> {
    const sold = await this.postgres.ofAll(() =>
      this.postgres.query<{ id: string; carrierId: string }>(soldNumbersStatement, []),
    );
    const theirs = new Map<string, CarrierNumber>();
    const ids = new Map<string, string>();
    for await (const number of this.carrier.all()) {
      theirs.set(number.carrierId, number);
      const id = numberIdFromPublic(publicIdInName(number.name) ?? '');
      if (id !== undefined) ids.set(number.carrierId, id);
    }
    this.report(sold.filter(({ carrierId }) => !theirs.has(carrierId)).map(({ id }) => id));
    const ended = await this.orders.ended([...ids.values()]);
    const left = [...ids].filter(([, id]) => ended.has(id));
    for (const [carrierId, numberId] of left) {
      await this.carrier.release(carrierId);
      this.telemetry.logger.warn({ carrierId, numberId }, 'number without an owner given back');
    }
    return left.length;
  }

  private report(missing: readonly string[]): void {
    this.telemetry.metrics.numbersMissing.set(missing.length);
    if (missing.length === 0) return;
    const about = { numbers: missing.length, numberIds: missing.slice(0, LOGGED_MAX) };
    this.telemetry.logger.error(about, 'the carrier does not have numbers of accounts');
  }
}
