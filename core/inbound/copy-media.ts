import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { MediaReason } from '#contract/media.js';
import { type Download, MediaDownload } from '../media/media-download.js';
import { MediaFilesUnavailable } from '../media/media-files.js';
import { MediaStore, type StoreOutcome } from '../media/media-store.js';
import { type ClaimedMedia, LEASE_SECONDS, ReplyMedia } from '../media/reply-media.js';
import type { Reception } from '../media/received-file.js';
import { type CarrierMedia, Carriers } from '../carriers/carrier.js';
import { Config } from '../platform/config/config.js';
import { BatchClaim, eachDueRow, exponentialWaits, retryDelayMs } from '../platform/durable-work/durable-work.js';
import { MediaQueue } from '../platform/queue/queues.js';
import { Every } from '../platform/schedules/every.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import { AwaitedMedia } from './awaited-media.js';

const RECOVERY_EVERY_MS = 10_000;
const FETCH_TIMEOUT_MS = 20_000;
/** Age after which a file is no longer copied. */
const GIVEN_UP_AFTER_MS = 3 * 86_400_000;
/** The carrier's storage may know a file a moment later than its callback. */
const REFUSALS_MAX = 5;
/** Wait at a day's limit, which ends as the previous day's files become older. */
const DAY_FULL_WAIT_MS = 3_600_000;
/** Attempts to delete the carrier's copy. */
const DELETIONS_MAX = 12;

const waits = {
  waitMs: exponentialWaits({ firstMs: 2_000, factor: 3, maxMs: 3_600_000 }),
  jitter: [0.8, 1.2],
} as const;

/** `retry`: the same file again after the delay. */
export type CopyResult = { readonly kind: 'done' } | { readonly kind: 'retry'; readonly delayMs: number };

type Copied =
  | { readonly kind: 'stored' | 'settled' }
  | { readonly kind: 'failed'; readonly reason: MediaReason }
  | { readonly kind: 'later'; readonly delayMs: number; readonly cause: string };

/**
 * Copies the files of replies from their carrier into our store, and deletes the carrier's copy
 * once ours is safe. The reply goes on when its last file is settled.
 */
@Injectable()
export class CopyMedia implements OnApplicationShutdown {
  private readonly claims: BatchClaim<ClaimedMedia>;
  private readonly download: MediaDownload;

  constructor(
    private readonly carriers: Carriers,
    private readonly replyMedia: ReplyMedia,
    private readonly mediaStore: MediaStore,
    private readonly awaitedMedia: AwaitedMedia,
    private readonly telemetry: Telemetry,
    config: Config,
    private readonly queue: MediaQueue,
  ) {
    this.claims = new BatchClaim({ leaseMs: LEASE_SECONDS * 1_000, claim: (ids) => replyMedia.claim(ids) });
    // The operator sets a simulated carrier's address, so it may be private.
    const standsIn = (config.twilio.apiUrl ?? config.telnyx?.apiUrl) !== undefined;
    const allowPrivate = config.webhooks.allowPrivate || standsIn;
    this.download = new MediaDownload({ allowPrivate, timeoutMs: FETCH_TIMEOUT_MS });
  }

  /** Makes one attempt to copy a file, or to delete the carrier's copy of a stored file. */
  async copy(id: string): Promise<CopyResult> {
    const claimed = await this.claims.claim(id);
    if (!claimed) return { kind: 'done' };
    const { row } = claimed;
    const carrier = this.carriers.find(row.carrier)?.capabilities.media;
    if (row.state !== 'pending') return this.deleteCopy(row, carrier);
    const copied = await this.attempt(row, carrier);
    const { logger, metrics } = this.telemetry;
    const fields = { mediaId: id, accountId: row.accountId, carrier: row.carrier, attempts: row.attempts };
    metrics.mediaCopies.inc({ outcome: copied.kind });
    if (copied.kind === 'later') {
      logger.warn({ ...fields, delayMs: copied.delayMs, reason: copied.cause }, 'file of a reply delayed');
      await this.replyMedia.release(row, copied.delayMs);
      return { kind: 'retry', delayMs: copied.delayMs };
    }
    if (copied.kind === 'failed') {
      logger.error({ ...fields, reason: copied.reason }, 'file of a reply not stored');
      await this.replyMedia.fail(row, copied.reason);
    }
    await this.awaitedMedia.advance(row.accountId, row.messageId);
    return copied.kind === 'stored' ? this.deleteCopy({ ...row, failures: 0 }, carrier) : { kind: 'done' };
  }

  /**
   * Enqueues one batch of files whose job was lost or whose worker died; returns how many. Safe in
   * several workers at once.
   */
  @Every({ name: 'media recovery', everyMs: RECOVERY_EVERY_MS, whileMore: true })
  async recover(): Promise<number> {
    const { logger } = this.telemetry;
    const due = await this.replyMedia.takeDue();
    return eachDueRow(due, { name: 'files of replies', logger }, (file) => this.queue.enqueued(file));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.download.close();
  }

  private async attempt(row: ClaimedMedia, carrier: CarrierMedia | undefined): Promise<Copied> {
    const { accountId, id, sourceUrl } = row;
    const isOver = Date.now() - row.createdAt.getTime() > GIVEN_UP_AFTER_MS;
    try {
      const fetched = await this.download.fetch(
        sourceUrl,
        (url) => carrier?.headersFor(url),
        (content) => this.mediaStore.receive(content, limits.replyMediaBytesMax),
      );
      if (fetched.kind !== 'done') return this.notFetched(row, fetched, isOver);
      const { result } = fetched;
      if (result.kind === 'too_large') return { kind: 'failed', reason: 'too_large' };
      return storedAs(await this.storeReceived({ accountId, id }, result), isOver);
    } catch (error) {
      if (!(error instanceof MediaFilesUnavailable)) throw error;
      return isOver
        ? { kind: 'failed', reason: 'unreachable' }
        : { kind: 'later', delayMs: delayAfter(row.failures), cause: error.message };
    }
  }

  private async storeReceived(
    target: { readonly accountId: string; readonly id: string },
    { file }: Extract<Reception, { kind: 'received' }>,
  ): Promise<StoreOutcome> {
    try {
      return await this.mediaStore.storeReceived({ direction: 'inbound', ...target }, file);
    } finally {
      await file.remove();
    }
  }

  private notFetched(
    row: ClaimedMedia,
    fetched: Exclude<Download<unknown>, { kind: 'done' }>,
    isOver: boolean,
  ): Copied {
    const { failures } = row;
    switch (fetched.kind) {
      case 'foreign':
        this.telemetry.logger.error(
          { mediaId: row.id, reason: fetched.reason },
          'file of a reply at a foreign address',
        );
        return { kind: 'failed', reason: 'foreign' };
      case 'refused':
        if (failures + 1 >= REFUSALS_MAX) return { kind: 'failed', reason: 'gone' };
        return { kind: 'later', delayMs: delayAfter(failures), cause: `HTTP ${fetched.status}` };
      case 'unavailable':
        if (isOver) return { kind: 'failed', reason: 'unreachable' };
        return { kind: 'later', delayMs: delayAfter(failures), cause: fetched.reason };
    }
  }

  /** Deletes the carrier's copy. The reply has gone on already. */
  private async deleteCopy(row: ClaimedMedia, carrier: CarrierMedia | undefined): Promise<CopyResult> {
    try {
      const url = new URL(row.sourceUrl);
      if (carrier?.headersFor(url) !== undefined) await carrier.deleteFile?.(url);
    } catch (err) {
      const isLast = row.failures + 1 >= DELETIONS_MAX;
      const fields = { err, mediaId: row.id, failures: row.failures + 1 };
      if (!isLast) {
        const delayMs = delayAfter(row.failures);
        this.telemetry.logger.warn(fields, 'copy at the carrier not deleted yet');
        await this.replyMedia.release(row, delayMs);
        return { kind: 'retry', delayMs };
      }
      this.telemetry.logger.error(fields, 'copy at the carrier not deleted');
    }
    await this.replyMedia.end(row);
    return { kind: 'done' };
  }
}

function storedAs(outcome: StoreOutcome, isOver: boolean): Copied {
  switch (outcome.kind) {
    case 'stored':
    case 'settled':
      return { kind: outcome.kind };
    case 'too_large':
      return { kind: 'failed', reason: 'too_large' };
    case 'day_full':
      return isOver
        ? { kind: 'failed', reason: 'day_full' }
        : { kind: 'later', delayMs: DAY_FULL_WAIT_MS, cause: 'The account has received all files of a day' };
  }
}

/** Returns milliseconds after this many earlier failures. */
function delayAfter(failures: number): number {
  return retryDelayMs(waits, failures + 1) ?? 0;
}
