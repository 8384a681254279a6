import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { queueNames, type WebhookJob as WebhookPayload } from '#core/platform/queue/queues.js';
import { contextFields } from '#core/platform/telemetry/request-context.js';
import { DeliverWebhook } from '#core/webhooks/delivery/deliver-webhook.js';
import { JobRunner } from '../job-runner.js';

/** A dead worker's jobs are put back in line this soon: recovery cannot enqueue a delivery whose job is still there. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5_000;
const STALLS_MAX = 10;

/** Makes one attempt to deliver a webhook. */
@Processor(queueNames.webhooks, {
  autorun: false,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_CHECK_MS,
  maxStalledCount: STALLS_MAX,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
})
export class WebhookJob extends JobRunner {
  constructor(private readonly deliverWebhook: DeliverWebhook) {
    super();
  }

  async process({ data }: Job<WebhookPayload>): Promise<void> {
    await this.deliverWebhook.deliver(data.deliveryId, data.accountId, contextFields(data));
  }
}
