import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { MessageMedia } from '#contract/message-media.js';
import type { ApiKey } from '../../keys/api-key.js';
import { MediaLinks } from '../../media/media-links.js';
import { MediaStore } from '../../media/media-store.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { publicMediaId } from '../../rules/ids.js';
import { Senders } from '../senders/senders.js';
import { type FileToSend, FitFiles, type FittedFile } from '../files/fit-files.js';
import { GivenFiles, type GivenFile, whileAvailable } from '../files/given-files.js';
import type { AttachedFiles } from './accept-message.js';
import { LinkedTexts } from './linked-texts.js';
import type { FormedMessage, MessageMediaOptions } from './price-message.js';

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

/** Makes the final text of a message with links of `text`, without links, or `body`, with placeholders. */
export type LinkText = (message: { readonly text: string; readonly body: string }) => string;

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
    private readonly linkedTexts: LinkedTexts,
  ) {}

  /** Finds or fetches the files. Throws as `GivenFiles`. */
  find({ key, accountId }: FilesCaller, { references }: MessageMediaOptions): Promise<GivenFile[]> {
    return this.givenFiles.of({ accountId, isTest: key.test }, references);
  }

  /** Finds the files that are in the store. Nothing is fetched. Throws as `GivenFiles.known`. */
  async known(
    { key, accountId }: Omit<FilesCaller, 'leavesAt'>,
    { references }: MessageMediaOptions,
  ): Promise<GivenFile[]> {
    return [...(await this.givenFiles.known({ accountId, isTest: key.test }, references)).values()];
  }

  /**
   * Finds or fetches the files of a message and prepares them for its form: as its sender takes
   * them, or as links. Throws as {@link find}, {@link forSender} and `Senders.senderFor`.
   */
  async attach(
    caller: FilesCaller,
    { as, message: { price, body }, text }: FormedMessage,
    media: MessageMediaOptions,
  ): Promise<AttachedFiles> {
    const files = await this.find(caller, media);
    if (as === 'links') return { body: (await this.asLinks(caller, files))({ text, body }) };
    const { key, from } = caller;
    const sender = await this.senders.senderFor(key, price.recipient, price.country, { from, hasFiles: true });
    return this.forSender(caller, files, { sender, transcode: media.transcode });
  }

  /**
   * Returns the files as a sender takes them. Throws `media_too_large`, `media_expired` and
   * `unavailable`.
   */
  async forSender(
    caller: FilesCaller,
    files: readonly GivenFile[],
    { sender, transcode }: { readonly sender: string; readonly transcode: boolean },
  ): Promise<AttachedFiles> {
    const fitted = await whileAvailable(() =>
      this.fitFiles.fit(files, { accountId: caller.accountId, sender, transcode }),
    );
    const shown = fitted.map((file) => this.shownOf(file));
    if (caller.key.test) return { shown };
    const [givenIds, sentIds] = [idsOf(files), idsOf(fitted)];
    await this.keep(caller, [...givenIds, ...sentIds]);
    const hash = createHash('sha256')
      .update(files.map(({ sha256 }) => sha256).join(','))
      .digest();
    return { row: { givenIds, sentIds, transcode, sender, hash }, shown };
  }

  /**
   * Returns a function that puts links to the files at the end of a text, in place of those of
   * `body` that lead nowhere. A test has no files, so its links stay.
   */
  async asLinks(caller: FilesCaller, files: readonly GivenFile[]): Promise<LinkText> {
    if (caller.key.test) return ({ body }) => body;
    const ids = idsOf(files);
    await this.keep(caller, ids);
    return ({ text }) => this.linkedTexts.of(text, ids, caller.leavesAt);
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
