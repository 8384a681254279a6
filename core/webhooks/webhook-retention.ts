import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';
import { ensurePartitions, purge, type PurgeRule } from '../platform/durable-work/retention.js';

const deliveries: PurgeRule = {
  table: 'webhook_deliveries',
  key: ['id'],
  expired: 'finished_at <= now() - make_interval(days => $1)',
};

export const dropAttemptPartitions = {
  name: 'webhook-partitions-drop-1',
  text: `SELECT drop_webhook_partitions(now() - make_interval(days => $1)) AS dropped`,
} as const;

/** Removes deliveries and attempts after their retention time, and all webhook data of an erased account. */
@Injectable()
export class WebhookRetention implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
  ) {
    accountErasure.register(this);
  }

  /**
   * Creates the partitions of the coming months, drops expired months of attempts and deletes one batch of expired deliveries.
   * Returns whether more deliveries are left to delete.
   */
  async run(): Promise<boolean> {
    const { webhookDeliveriesKeptDays: days } = limits;
    await ensurePartitions(this.postgres, 'ensure_webhook_partitions');
    await this.postgres.query(dropAttemptPartitions, [days]);
    return purge(this.postgres, deliveries, [days]);
  }

  /** Deletes endpoint, deliveries and attempts of the account; pending deliveries are not sent. */
  async erase(accountId: string): Promise<void> {
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'])
      await this.postgres.query({ text: `DELETE FROM ${table} WHERE account_id = $1` }, [accountId]);
  }
}
