import { Injectable } from '@nestjs/common';
import type { MediaView } from '#contract/media.js';
import type { MessageMedia } from '#contract/message-media.js';
import { MediaLinks } from '../../media/media-links.js';
import { MediaViews } from '../../media/media-views.js';
import type { Media } from '../../media/media.js';
import { MediaStore } from '../../media/media-store.js';

import { DomainError } from '../../platform/errors/domain-error.js';
import { messageIdFromPublic, publicMediaId, publicMessageId } from '../../rules/ids.js';
import { mmsBytesMaxOf } from '../../rules/mms.js';
import { FitFiles } from './fit-files.js';
import { type MessageFileIds, MessageFilesRepository } from './message-files.repository.js';

/** A message whose files a carrier will fetch. */
interface CarriedMessage {
  readonly id: string;
  readonly accountId: string;
  readonly sender: string;
}

/**
 * `links`: URLs of the files for the carrier. `gone`: a file has been deleted. `too_large`: the
 * sender has changed since acceptance, and the files exceed its limit.
 */
export type CarriedFiles =
  | { readonly kind: 'links'; readonly urls: readonly string[] }
  | { readonly kind: 'gone' | 'too_large' };

/** The files of messages: as their accounts see them, and as carriers fetch them. */
@Injectable()
export class MessageFiles {
  constructor(
    private readonly files: MessageFilesRepository,
    private readonly store: MediaStore,
    private readonly links: MediaLinks,
    private readonly views: MediaViews,
    private readonly fitFiles: FitFiles,
  ) {}

  /** The files of some messages of an account, by the messages' ids. */
  async ofMessages(accountId: string, messageIds: readonly string[]): Promise<Map<string, MessageMedia[]>> {
    if (messageIds.length === 0) return new Map();
    const rows = await this.files.ofMessages(accountId, messageIds);
    const ids = [...new Set(rows.flatMap(({ sentIds }) => sentIds))];
    const media = ids.length === 0 ? [] : await this.store.findAll(accountId, ids);
    const found = new Map(media.map((file) => [file.id, file]));
    return new Map(rows.map((row) => [row.messageId, this.shownOf(row, found)]));
  }

  /** As {@link ofMessages}, for messages of any accounts. */
  async ofAll(
    messages: readonly { readonly id: string; readonly accountId: string }[],
  ): Promise<Map<string, MessageMedia[]>> {
    const accounts = [...new Set(messages.map(({ accountId }) => accountId))];
    const idsOf = (account: string) => messages.flatMap(({ id, accountId }) => (accountId === account ? [id] : []));
    const found = await Promise.all(accounts.map((account) => this.ofMessages(account, idsOf(account))));
    return new Map(found.flatMap((files) => [...files]));
  }

  /** The files of some messages of an account as pages show them, by the messages' public ids. */
  async viewsOf(accountId: string, publicIds: readonly string[]): Promise<Map<string, MediaView[]>> {
    const ids = publicIds.flatMap((publicId) => messageIdFromPublic(publicId) ?? []);
    if (ids.length === 0) return new Map();
    const rows = await this.files.ofMessages(accountId, ids);
    const media = await this.store.findAll(accountId, [...new Set(rows.flatMap(({ sentIds }) => sentIds))]);
    const found = new Map(media.map((file) => [file.id, file]));
    return new Map(
      rows.map(({ messageId, sentIds }) => [
        publicMessageId(messageId),
        this.views.of(sentIds.flatMap((id) => found.get(id) ?? [])),
      ]),
    );
  }

  /** Returns the number of files of a message. */
  async countOf(accountId: string, messageId: string): Promise<number> {
    const [row] = await this.files.ofMessages(accountId, [messageId]);
    return row?.sentIds.length ?? 0;
  }

  /**
   * Returns links to the files of a message that is about to be handed over. Resizes the files if
   * its sender takes fewer bytes than the sender at acceptance. Throws `MediaFilesUnavailable`.
   */
  async forCarrier({ id, accountId, sender }: CarriedMessage): Promise<CarriedFiles> {
    const [row] = await this.files.ofMessages(accountId, [id]);
    if (!row) return { kind: 'gone' };
    const sent = await this.stored(accountId, row.sentIds);
    if (!sent) return { kind: 'gone' };
    const bytes = sent.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes <= mmsBytesMaxOf(sender)) return { kind: 'links', urls: sent.map((file) => this.links.to(file.id)) };
    const given = await this.stored(accountId, row.givenIds);
    if (!given) return { kind: 'gone' };
    try {
      const fitted = await this.fitFiles.fit(given, { accountId, sender, transcode: row.transcode });
      const ids = fitted.flatMap((file) => (file.id === null ? [] : [file.id]));
      await this.files.replaceSent(id, ids);
      return { kind: 'links', urls: ids.map((fileId) => this.links.to(fileId)) };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'media_too_large') return { kind: 'too_large' };
      throw error;
    }
  }

  /** Returns the files in the order of the ids; undefined unless all are stored. */
  private async stored(accountId: string, ids: readonly string[]) {
    const found = new Map((await this.store.findAll(accountId, ids)).map((file) => [file.id, file]));
    const files = ids.flatMap((id) => {
      const { state, type, bytes, sha256 } = found.get(id) ?? {};
      return state === 'stored' && type && bytes && sha256 ? [{ id, type, bytes, sha256 }] : [];
    });
    return files.length === ids.length ? files : undefined;
  }

  private shownOf({ givenIds, sentIds }: MessageFileIds, found: ReadonlyMap<string, Media>): MessageMedia[] {
    return sentIds.flatMap((id, index) => {
      const media = found.get(id);
      if (!media?.type || !media.bytes) return [];
      const originalId = givenIds[index];
      return [
        {
          media_id: publicMediaId(id),
          url: media.state === 'stored' ? this.links.to(id) : null,
          type: media.type,
          bytes: media.bytes,
          sha256: media.sha256,
          ...(originalId !== undefined && originalId !== id && { original_id: publicMediaId(originalId) }),
        },
      ];
    });
  }
}
