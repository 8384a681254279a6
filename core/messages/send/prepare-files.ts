import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { MessageMedia } from '#contract/message-media.js';
import type { ApiKey } from '../../keys/api-key.js';
import { MediaLinks } from '../../media/media-links.js';
import { MediaStore } from '../../media/media-store.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { publicMediaId } from '../../rules/ids.js';
import type { RowFiles } from '../files/message-files.repository.js';
import { Senders } from '../senders/senders.js';
import { type FileToSend, FitFiles, type FittedFile } from '../files/fit-files.js';
import { GivenFiles, type GivenFile } from '../files/given-files.js';
import type { MessageMediaOptions } from './price-mms.js';

/** Time within which a message may be handed over and its files fetched after it has left. */
const KEPT_DAYS = 8;
/** The id of a test's file, which is not stored. */
export const TEST_FILE_ID = publicMediaId('00000000-0000-7000-8000-000000000000');

/** Caller whose files are prepared, and the time when the message leaves. */
export interface FilesCaller {
  readonly key: ApiKey;
  readonly accountId: string;
  /** The number or the pool that the caller named. */
  readonly from?: string | undefined;
  readonly leavesAt: Date;
}

/** The files of a message that is about to be accepted. */
export interface PreparedFiles {
  /** Undefined in a test, which stores no files. */
  readonly row: RowFiles | undefined;
  readonly shown: readonly MessageMedia[];
}

/** Destination of a message. */
interface Destination {
  readonly recipient: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/**
 * Stores the files of messages before the messages are accepted, and keeps them until after the
 * messages have left.
 */
@Injectable()
export class PrepareFiles {
  constructor(
    private readonly givenFiles: GivenFiles,
    private readonly fitFiles: FitFiles,
    private readonly senders: Senders,
    private readonly store: MediaStore,
    private readonly links: MediaLinks,
  ) {}

  /** Finds or fetches the files. Throws as `GivenFiles`. */
  find({ key, accountId }: FilesCaller, { references }: MessageMediaOptions): Promise<GivenFile[]> {
    return this.givenFiles.of({ accountId, isTest: key.test }, references);
  }

  /** Finds the files that are in the store. Nothing is fetched. Throws as `GivenFiles.known`. */
  async known({ key, accountId }: FilesCaller, { references }: MessageMediaOptions): Promise<GivenFile[]> {
    return [...(await this.givenFiles.known({ accountId, isTest: key.test }, references)).values()];
  }

  /**
   * Returns the files as the message's sender takes them. Throws `media_too_large`,
   * `media_expired`, `unavailable` and the errors of `Senders.senderFor`.
   */
  async forMms(
    caller: FilesCaller,
    files: readonly GivenFile[],
    { recipient, country }: Destination,
    { transcode }: MessageMediaOptions,
  ): Promise<PreparedFiles> {
    const { key, from } = caller;
    const sender = await this.senders.senderFor(key, recipient, country, { from, hasFiles: true });
    return this.forSender(caller, files, { sender, transcode });
  }

  /** As {@link forMms}, for a given sender. */
  async forSender(
    caller: FilesCaller,
    files: readonly GivenFile[],
    { sender, transcode }: { readonly sender: string; readonly transcode: boolean },
  ): Promise<PreparedFiles> {
    const fitted = await this.fitFiles.fit(files, { accountId: caller.accountId, sender, transcode });
    const shown = fitted.map((file) => this.shownOf(file));
    if (caller.key.test) return { row: undefined, shown };
    const [givenIds, sentIds] = [idsOf(files), idsOf(fitted)];
    await this.keep(caller, [...givenIds, ...sentIds]);
    const hash = createHash('sha256')
      .update(files.map(({ sha256 }) => sha256).join(','))
      .digest();
    return { row: { givenIds, sentIds, transcode, sender, hash }, shown };
  }

  /** Returns the ids of files for links; none in a test. */
  async forLinks(caller: FilesCaller, files: readonly GivenFile[]): Promise<readonly string[]> {
    if (caller.key.test) return [];
    const ids = idsOf(files);
    await this.keep(caller, ids);
    return ids;
  }

  private shownOf({ id, originalId, type, bytes, sha256 }: FittedFile): MessageMedia {
    return {
      media_id: id === null ? TEST_FILE_ID : publicMediaId(id),
      url: id === null ? null : this.links.to(id),
      type,
      bytes,
      sha256,
      ...(originalId !== null && { original_id: publicMediaId(originalId) }),
    };
  }

  private async keep({ accountId, leavesAt }: FilesCaller, ids: readonly string[]): Promise<void> {
    const wanted = new Set(ids);
    const kept = await this.store.keep(accountId, [...wanted], { from: leavesAt, days: KEPT_DAYS });
    if (kept.length === wanted.size) return;
    throw new DomainError('media_expired', 'A file of the message was deleted meanwhile. You were not charged.');
  }
}

function idsOf(files: readonly FileToSend[]): string[] {
  return files.flatMap(({ id }) => (id === null ? [] : [id]));
}
