import { Injectable } from '@nestjs/common';
import { Postgres } from '../database/postgres.js';

const ROWS_MAX = 20_000;

export interface WaitingRows {
  readonly kind: 'dispatch' | 'webhooks' | 'mail' | 'held' | 'media';
  /** Counted up to 20,000. */
  readonly rows: number;
  readonly oldestAgeSeconds: number;
}

/**
 * Reads bounded ranges of the partial indexes of unfinished rows, and the checks of queued
 * messages. Recovery looks at queued messages at least every ten minutes, so they are all in this
 * range of the index, while most messages that wait for a receipt are not. A webhook that was
 * attempted waits for its receiver, not for us, so it does not count for the age. Read-only view on
 * the tables of five features.
 */
const waitingRowsSql = {
  name: 'waiting-rows-6',
  text: `
SELECT kind, rows, coalesce(greatest(0, extract(epoch FROM now() - oldest)), 0)::float8 AS "oldestAgeSeconds"
FROM (
  SELECT 'dispatch' AS kind, count(*)::int AS rows, min(since) AS oldest FROM (
    SELECT coalesce(send_at, created_at) AS since FROM messages
    WHERE status = 'queued' AND id = ANY(ARRAY(
      (SELECT unnest(message_ids) FROM (SELECT * FROM message_checks WHERE kind = 'retry' ORDER BY due_at, id) c
        LIMIT ${ROWS_MAX})
      UNION ALL
      (SELECT unnest(message_ids) FROM (SELECT * FROM message_checks WHERE kind = 'queued' ORDER BY due_at, id) c
        LIMIT ${ROWS_MAX})
    )) LIMIT ${ROWS_MAX}
  ) m
  UNION ALL
  SELECT 'webhooks', count(*)::int, min(created_at) FILTER (WHERE attempts = 0) FROM (
    SELECT created_at, attempts FROM webhook_deliveries
    WHERE due_at IS NOT NULL AND status = 'pending' ORDER BY due_at LIMIT ${ROWS_MAX}
  ) d
  UNION ALL
  SELECT 'mail', count(*)::int, min(created_at) FROM (
    SELECT created_at FROM mails WHERE due_at IS NOT NULL AND status = 'queued' ORDER BY due_at LIMIT ${ROWS_MAX}
  ) e
  UNION ALL
  SELECT 'media', count(*)::int, min(created_at) FROM (
    SELECT created_at FROM media WHERE due_at IS NOT NULL AND state = 'pending' ORDER BY due_at LIMIT ${ROWS_MAX}
  ) f
  UNION ALL
  SELECT 'held', count(*)::int, min(created_at) FROM (
    SELECT created_at FROM inbound_messages WHERE status = 'held' LIMIT ${ROWS_MAX}
  ) h
) counted`,
};

/** Counts the rows that wait for dispatch, delivery, a carrier's file or credits. */
@Injectable()
export class WaitingRowsRepository {
  constructor(private readonly postgres: Postgres) {}

  async count(): Promise<WaitingRows[]> {
    const counts = await this.postgres.queryEachInReach<WaitingRows>(waitingRowsSql, []);
    return [...new Set(counts.map(({ kind }) => kind))].map((kind) => {
      const some = counts.filter((count) => count.kind === kind);
      return {
        kind,
        rows: some.reduce((total, { rows }) => total + rows, 0),
        oldestAgeSeconds: Math.max(...some.map(({ oldestAgeSeconds }) => oldestAgeSeconds)),
      };
    });
  }
}
