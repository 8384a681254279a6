import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;
/** Exceeds the time for which receipts are polled. */
const KEPT_DAYS = 7;

export const matchedStatement = {
  name: 'carrier-matched-1',
  text: `SELECT carrier_id AS "carrierId", message_id AS "messageId" FROM carrier_matches
    WHERE carrier_id = ANY($1::text[])`,
} as const;

const expired: PurgeRule = {
  table: 'carrier_matches',
  key: ['carrier_id'],
  expired: 'matched_at <= now() - make_interval(days => $1)',
};

/**
 * Carrier messages that were matched to a message of ours by comparing texts. Equal messages may be
 * matched crosswise, so a receipt belongs to the matched message even if its URL names another.
 */
@Injectable()
export class CarrierMatches {
  private readonly lookups = new GroupCommit<string, string | undefined>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (batch) => this.findAll(batch),
    onFull: () => new Error('Too many receipts wait for the database'),
  });

  constructor(private readonly postgres: Postgres) {}

  /** Returns our id of the message matched to this carrier message; undefined for most. */
  messageOf(carrierId: string): Promise<string | undefined> {
    return this.lookups.submit(carrierId);
  }

  /** Throws when the carrier message is matched already. */
  async add(tx: EntityManager, carrierId: string, messageId: string): Promise<void> {
    await tx.query('INSERT INTO public.carrier_matches (carrier_id, message_id) VALUES ($1, $2)', [
      carrierId,
      messageId,
    ]);
  }

  /** Deletes a batch of old matches; returns whether there may be more. */
  purge(): Promise<boolean> {
    return purge(this.postgres, expired, [KEPT_DAYS]);
  }

  private async findAll(batch: string[]): Promise<(string | undefined)[]> {
    const rows = await this.postgres.query<{ carrierId: string; messageId: string }>(matchedStatement, [batch]);
    const found = new Map(rows.map(({ carrierId, messageId }) => [carrierId, messageId]));
    return batch.map((carrierId) => found.get(carrierId));
  }
}
