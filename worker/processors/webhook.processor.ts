import { Processor } from '@nestjs/bullmq';
import { queueNames, webhookPayload, type WebhookPayload } from '#core/platform/queue/queues.js';
import { Telemetry } from '#core/platform/telemetry/telemetry.js';
import { contextFields } from '#core/platform/telemetry/request-context.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { DeliverWebhook } from '#core/webhooks/delivery/deliver-webhook.js';
import { JobRunner } from '../job-runner.js';

/**
 * Jobs of a crashed worker run again after this time. Until then recovery cannot enqueue their
 * deliveries, because the jobs exist.
 */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5_000;
const STALLS_MAX = 10;

/** Attempts a webhook delivery once. */
@Processor(queueNames.webhooks, {
  autorun: false,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_CHECK_MS,
  maxStalledCount: STALLS_MAX,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
})
export class WebhookJob extends JobRunner<WebhookPayload> {
  constructor(
    private readonly deliverWebhook: DeliverWebhook,
    private readonly postgres: Postgres,
    telemetry: Telemetry,
  ) {
    super(webhookPayload, telemetry);
  }

  protected async run({ deliveryId, accountId, ...context }: WebhookPayload): Promise<void> {
    await this.postgres.ofAccount(accountId, () =>
      this.deliverWebhook.deliver(deliveryId, accountId, contextFields(context)),
    );
  }
}
