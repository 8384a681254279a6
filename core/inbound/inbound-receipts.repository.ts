import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';

/**
 * What became of a message that the carrier brought. `unrouted`: nobody had texted that number. `off`: the account does not
 * receive. `full`: the account holds as many as it may.
 */
export type InboundOutcome = 'received' | 'held' | 'unrouted' | 'off' | 'full';

const counts = {
  name: 'inbound-counts-1',
  text: `SELECT outcome, count(*)::int AS count FROM inbound_receipts WHERE created_at > now() - make_interval(hours => $1) GROUP BY outcome`,
};

const purge = {
  name: 'inbound-receipts-purge-1',
  text: `
DELETE FROM inbound_receipts WHERE carrier_id IN (
  SELECT carrier_id FROM inbound_receipts WHERE created_at <= now() - make_interval(days => $1) ORDER BY created_at LIMIT $2
) RETURNING 1`,
};

/** Which messages the carrier has brought already, and what became of each. */
@Injectable()
export class InboundReceiptsRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Answers those that nobody has taken before; waits for another transaction that is taking one. */
  async take(tx: EntityManager, carrierIds: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ carrier_id: string }[]>(
      `INSERT INTO inbound_receipts (carrier_id) SELECT id FROM unnest($1::text[]) AS n (id) ORDER BY id
       ON CONFLICT DO NOTHING RETURNING carrier_id`,
      [carrierIds],
    );
    return new Set(rows.map(({ carrier_id }) => carrier_id));
  }

  async settle(tx: EntityManager, outcomes: ReadonlyMap<string, InboundOutcome>): Promise<void> {
    if (outcomes.size === 0) return;
    await tx.query(
      `UPDATE inbound_receipts r SET outcome = n.outcome
       FROM unnest($1::text[], $2::text[]) AS n (carrier_id, outcome) WHERE r.carrier_id = n.carrier_id`,
      [[...outcomes.keys()], [...outcomes.values()]],
    );
  }

  async counts(hours: number): Promise<Map<InboundOutcome, number>> {
    const rows = await this.postgres.query<{ outcome: InboundOutcome; count: number }>(counts, [hours]);
    return new Map(rows.map(({ outcome, count }) => [outcome, count]));
  }

  /** Forgets those of so many days ago, a batch at most; answers how many. */
  async purge(days: number, receiptsMax: number): Promise<number> {
    return (await this.postgres.query(purge, [days, receiptsMax])).length;
  }
}
