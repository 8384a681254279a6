import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { WebhookRetentionRepository } from './webhook-retention.repository.js';

const MONTHS_AHEAD = 3;
const PURGED_MAX = 10_000;

/** Makes the coming months' partitions of attempts, drops those that are over, and forgets deliveries that ended long ago. */
@Injectable()
export class WebhookRetention {
  constructor(
    private readonly partitions: WebhookRetentionRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** Answers whether there is more to forget at once. */
  async run(): Promise<boolean> {
    const { webhookDeliveriesKeptDays: days } = limits;
    await this.partitions.ensurePartitions(MONTHS_AHEAD);
    await this.partitions.dropPartitions(days);
    return (await this.deliveries.purge(days, PURGED_MAX)) === PURGED_MAX;
  }
}
