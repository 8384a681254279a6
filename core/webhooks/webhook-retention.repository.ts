import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';

const ensurePartitions = {
  name: 'webhook-partitions-1',
  text: `SELECT ensure_webhook_partitions((now() AT TIME ZONE 'UTC')::date, $1)`,
};

const dropPartitions = {
  name: 'webhook-partitions-drop-1',
  text: `SELECT drop_webhook_partitions(now() - make_interval(days => $1)) AS dropped`,
};

/** The months of attempts. */
@Injectable()
export class WebhookRetentionRepository {
  constructor(private readonly postgres: Postgres) {}

  async ensurePartitions(monthsAhead: number): Promise<void> {
    await this.postgres.query(ensurePartitions, [monthsAhead]);
  }

  /** Drops whole months that ended so many days ago; answers how many. */
  async dropPartitions(days: number): Promise<number> {
    const [row] = await this.postgres.query<{ dropped: number }>(dropPartitions, [days]);
    return row?.dropped ?? 0;
  }
}
