import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { PaidAccounts } from '../credits/paid-accounts.js';
import { Config } from '../platform/config/config.js';
import { inProgress, type KeyedRequest, remember } from '../platform/database/keyed-requests.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { newMessageId } from '../rules/ids.js';
import { MediaFiles, MediaFilesUnavailable } from './media-files.js';
import { keptDaysOf } from './media-retention.js';
import type { DayUse, FittedTo, Media } from './media.js';
import { MediaRepository } from './media.repository.js';
import { receiveFile, type ReceivedFile, type Reception } from './received-file.js';
import { Thumbnails } from './thumbnails.js';

/** A file that is being deleted can be stored again a moment later. */
const DELETING_TRIES_MAX = 10;
const DELETING_WAIT_MS = 200;
const DAY_MS = 86_400_000;

/** A file to store: an upload of an account, or a pending file of a reply. */
export type MediaTarget =
  | {
      readonly direction: 'outbound';
      readonly accountId: string;
      /**
       * For a picture that was made of another picture, to have at most this many bytes. It counts
       * against no limit.
       */
      readonly fitted?: FittedTo | undefined;
      /** The request of an upload that has an Idempotency-Key. */
      readonly request?: KeyedRequest | undefined;
    }
  | { readonly direction: 'inbound'; readonly accountId: string; readonly id: string };

export type StoreOutcome =
  | { readonly kind: 'stored'; readonly media: Media }
  | { readonly kind: 'too_large'; readonly bytesMax: number }
  /** The account has stored as much as it may within 24 hours: `used` of `most`. */
  | { readonly kind: 'day_full'; readonly used: DayUse; readonly most: DayUse }
  /** The pending file was settled or erased meanwhile. */
  | { readonly kind: 'settled' };

/**
 * The files of messages. A file is in the store once for each account, under the SHA-256 of its
 * bytes; rows name it. A row is `stored` only when the whole file is, and a file that no row names
 * any more is deleted: docs/design/media.md has the protocol.
 */
@Injectable()
export class MediaStore {
  private readonly thumbnails: Thumbnails;

  constructor(
    private readonly files: MediaFiles,
    private readonly media: MediaRepository,
    private readonly paidAccounts: PaidAccounts,
    private readonly postgres: Postgres,
    private readonly config: Config,
    metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.thumbnails = new Thumbnails(files.incoming, metrics);
  }

  /**
   * Receives a stream of at most `bytesMax` bytes, never held in memory, and stores it. Throws
   * {@link MediaFilesUnavailable} when the store has no room or does not answer, and the error of a
   * stream that breaks; nothing is stored then.
   */
  async store(target: MediaTarget, content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<StoreOutcome> {
    const received = await this.receive(content, bytesMax);
    if (received.kind === 'too_large') return { kind: 'too_large', bytesMax };
    try {
      return await this.storeReceived(target, received.file);
    } finally {
      await received.file.remove();
    }
  }

  /**
   * First half of {@link store}, for a caller that has to know a file before it is stored, or
   * changes it. The caller removes the file.
   */
  receive(content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Reception> {
    return receiveFile(content, { folder: this.files.incoming, bytesMax });
  }

  /**
   * Second half of {@link store}. The file is moved into the store. Throws `idempotency_in_progress`,
   * and stores nothing, if another upload with the Idempotency-Key was faster.
   */
  async storeReceived(target: MediaTarget, file: ReceivedFile): Promise<StoreOutcome> {
    const id = target.direction === 'inbound' ? target.id : newMessageId();
    const most = mostOfDay(await this.paidAccounts.hasPaid(target.accountId));
    const reserved = await this.reserve(target, id, file, most);
    if (reserved !== 'reserved') return reserved;
    const { accountId } = target;
    try {
      const how = { hasThumbnail: await this.put(accountId, file), keptDays: keptDaysOf(this.config) };
      const request = target.direction === 'outbound' ? target.request : undefined;
      const media = await this.postgres.transaction(async (tx) => {
        if (request && !(await remember(tx, request, id))) throw inProgress();
        return this.media.markStored(tx, { accountId, id }, how);
      });
      return media ? { kind: 'stored', media } : { kind: 'settled' };
    } catch (error) {
      // Recovery stores a reply's file later; an upload is repeated by its caller.
      if (target.direction === 'outbound') await this.giveUp(accountId, id);
      throw error;
    }
  }

  /** Returns whether the file has a thumbnail, which is then beside it. */
  private async put(accountId: string, file: ReceivedFile): Promise<boolean> {
    const { sha256 } = file;
    const thumbnail = await this.thumbnails.of(accountId, file.path, file.type);
    try {
      await this.files.put({ accountId, sha256, kind: 'original' }, file);
      if (thumbnail) await this.files.put({ accountId, sha256, kind: 'thumbnail' }, thumbnail);
    } finally {
      if (thumbnail) await rm(thumbnail.path, { force: true });
    }
    return thumbnail !== undefined;
  }

  /** If this fails too, retention removes the upload within two hours. */
  private async giveUp(accountId: string, id: string): Promise<void> {
    await this.postgres
      .transaction((tx) => this.media.removePending(tx, accountId, id))
      .catch((err: unknown) => this.logger.warn({ err, mediaId: id }, 'upload left to retention'));
  }

  /** Returns the account's file, in any state. */
  find(accountId: string, id: string): Promise<Media | undefined> {
    return this.media.find(accountId, id);
  }

  /** Returns the account's files among these, in any state and order. */
  findAll(accountId: string, ids: readonly string[]): Promise<Media[]> {
    return this.media.findAll(accountId, ids);
  }

  /**
   * Returns the stored picture that was made of another picture to have at most this many bytes, if
   * there is one.
   */
  findFitted(accountId: string, fitted: FittedTo): Promise<Media | undefined> {
    return this.media.findFitted(accountId, fitted);
  }

  /**
   * Keeps files for at least `days` from an instant on, or for as long as files are kept, whatever
   * their age. Returns the ids of the stored files; the others are gone.
   */
  async keep(
    accountId: string,
    ids: readonly string[],
    { from, days }: { from: Date; days: number },
  ): Promise<string[]> {
    const keptDays = Math.max(days, keptDaysOf(this.config));
    return this.media.keepUntil(accountId, ids, new Date(from.getTime() + keptDays * DAY_MS));
  }

  /** Returns the files of a reply, in order. */
  ofMessage(tx: EntityManager, accountId: string, messageId: string): Promise<Media[]> {
    return this.media.ofMessage(tx, accountId, messageId);
  }

  /** Returns a file of any account, for a caller with a signed link. */
  findLinked(id: string): Promise<Media | undefined> {
    return this.postgres.ofRow('media', id, () => this.media.findById(id));
  }

  /** Opens a stored file, or its thumbnail; undefined if it does not exist, or no longer exists. */
  async open(media: Media, kind: 'original' | 'thumbnail' = 'original'): Promise<Readable | undefined> {
    const { accountId, sha256, state, hasThumbnail } = media;
    if (state !== 'stored' || sha256 === null || (kind === 'thumbnail' && !hasThumbnail)) return undefined;
    return this.files.open({ accountId, sha256, kind });
  }

  /**
   * Names the content of a file, within the account's limits, so that nothing deletes it from now
   * on.
   */
  private async reserve(
    target: MediaTarget,
    id: string,
    file: ReceivedFile,
    most: DayUse,
  ): Promise<StoreOutcome | 'reserved'> {
    for (let tries = 1; tries <= DELETING_TRIES_MAX; tries += 1) {
      const outcome = await this.tryReserve(target, id, file, most);
      if (outcome !== 'deleting') return outcome;
      await pause(DELETING_WAIT_MS);
    }
    throw new MediaFilesUnavailable('The same file is being deleted');
  }

  private tryReserve(
    target: MediaTarget,
    id: string,
    file: ReceivedFile,
    most: DayUse,
  ): Promise<StoreOutcome | 'reserved' | 'deleting'> {
    const { accountId, direction } = target;
    return this.postgres.transaction(async (tx) => {
      await this.media.lock(tx, accountId);
      const fitted = target.direction === 'outbound' ? target.fitted : undefined;
      const used = await this.media.usedToday(tx, accountId, { direction, exceptId: id });
      if (!fitted && (used.files >= most.files || used.bytes + file.bytes > most.bytes))
        return { kind: 'day_full', used, most };
      if (!(await this.media.keep(tx, accountId, file.sha256))) return 'deleting';
      if (direction === 'outbound') await this.media.insertUpload(tx, id, accountId, file, fitted);
      else if (!(await this.media.nameContent(tx, id, accountId, file))) return { kind: 'settled' };
      return 'reserved';
    });
  }
}

/** Returns the most that an account stores within 24 hours. */
function mostOfDay(hasPaid: boolean): DayUse {
  const { mediaPerDayMax: files, mediaBytesPerDayMax: bytes, unpaidQuotaDivisor } = limits;
  if (hasPaid) return { files, bytes };
  return { files: Math.floor(files / unpaidQuotaDivisor), bytes: Math.floor(bytes / unpaidQuotaDivisor) };
}
