import { Injectable } from '@nestjs/common';
import { Postgres } from '../database/postgres.js';

const ROWS_MAX = 20_000;

/** What waits, and since when at the longest. */
export interface WaitingRows {
  readonly kind: 'dispatch' | 'webhooks' | 'mail' | 'held';
  /** Counted no further than 20,000. */
  readonly rows: number;
  readonly oldestAgeSeconds: number;
}

/**
 * One bounded look along the partial indexes of what is not final. Recovery looks at queued messages every ten minutes at the
 * least, so all of them stand in that part of the index and those that wait for a receipt mostly do not. A webhook that was
 * tried waits for its receiver, not for us. The operator's view of four features' tables: it reads, and decides nothing.
 */
const waiting = {
  name: 'waiting-rows-1',
  text: `
SELECT kind, rows, coalesce(greatest(0, extract(epoch FROM now() - oldest)), 0)::float8 AS "oldestAgeSeconds"
FROM (
  SELECT 'dispatch' AS kind, count(*)::int AS rows, min(created_at) AS oldest FROM (
    SELECT created_at FROM messages
    WHERE due_at <= now() + interval '11 minutes' AND status = 'queued' ORDER BY due_at LIMIT ${ROWS_MAX}
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
  SELECT 'held', count(*)::int, min(created_at) FROM (
    SELECT created_at FROM inbound_messages WHERE status = 'held' LIMIT ${ROWS_MAX}
  ) h
) counted`,
};

/** Rows of any kind that wait for somebody. */
@Injectable()
export class WaitingRowsRepository {
  constructor(private readonly postgres: Postgres) {}

  count(): Promise<WaitingRows[]> {
    return this.postgres.query<WaitingRows>(waiting, []);
  }
}
