import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { CopyMedia } from '#core/inbound/copy-media.js';
import { mediaPayload, type MediaPayload, queueNames } from '#core/platform/queue/queues.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { Telemetry } from '#core/platform/telemetry/telemetry.js';
import { JobRunner, later } from '../job-runner.js';

/** Copies one file of a reply from its carrier. */
@Processor(queueNames.media, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class MediaJob extends JobRunner<MediaPayload> {
  constructor(
    private readonly copyMedia: CopyMedia,
    private readonly postgres: Postgres,
    telemetry: Telemetry,
  ) {
    super(mediaPayload, telemetry);
  }

  protected async run({ mediaId, accountId }: MediaPayload, job: Job, token: string | undefined): Promise<void> {
    const result = await this.postgres.ofAccount(accountId, () => this.copyMedia.copy(mediaId));
    if (result.kind === 'retry') await later(job, token, result.delayMs);
  }
}
