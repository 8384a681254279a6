import { Injectable } from '@nestjs/common';
import { fitPicture, inspectPicture } from '../../media/fit-picture.js';
import { MediaFilesUnavailable } from '../../media/media-files.js';
import type { Media } from '../../media/media.js';
import { MediaStore } from '../../media/media-store.js';

import type { ReceivedFile } from '../../media/received-file.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type FitPlan, fitPlan, isPicture, keepsAll, mmsBytesMaxOf, type SizedFile } from '../../rules/mms.js';
import { FilePlaces } from './file-places.js';

const NOT_CHARGED = 'You were not charged.';

/** A stored file, or a file that a test has read. */
export interface FileToSend {
  /** Null in a test. */
  readonly id: string | null;
  readonly type: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** A file as it is sent. */
export interface FittedFile extends FileToSend {
  /** The original of a converted picture; else null. */
  readonly originalId: string | null;
}

interface FitRequest {
  readonly accountId: string;
  readonly sender: string;
  /** Whether pictures may be made smaller. */
  readonly transcode: boolean;
}

/** Fits files to the limits of the networks for a sender. */
@Injectable()
export class FitFiles {
  constructor(
    private readonly store: MediaStore,
    private readonly places: FilePlaces,
  ) {}

  /**
   * Returns the files as they are sent: pictures that are too large, or that no carrier takes, are
   * converted, stored and reused. In a test only sizes are checked. Throws `media_too_large` with
   * the limit, the errors of `FilePlaces` and `MediaFilesUnavailable`.
   */
  async fit(files: readonly FileToSend[], { accountId, sender, transcode }: FitRequest): Promise<FittedFile[]> {
    const bytesMax = mmsBytesMaxOf(sender);
    const sized = files.map((file) => ({ ...file, isAnimated: false }));
    const first = fitPlan(sized, bytesMax);
    if (first && keepsAll(first)) return files.map((file) => ({ ...file, originalId: null }));
    if (!transcode || !first) throw tooLarge(files, bytesMax, transcode);
    const leave = await this.places.enter(accountId);
    const local = new Map<string, ReceivedFile>();
    try {
      const known: SizedFile[] = [];
      for (const file of sized) known.push(await this.withMotion(file, accountId, local));
      const plan = fitPlan(known, bytesMax);
      if (!plan) throw tooLarge(files, bytesMax, transcode);
      return await this.changed(files, plan, { accountId, bytesMax, local });
    } finally {
      await Promise.all([...local.values()].map((file) => file.remove()));
      leave();
    }
  }

  /** A GIF may be animated, which is known once it is read. */
  private async withMotion(
    file: SizedFile & FileToSend,
    accountId: string,
    local: Map<string, ReceivedFile>,
  ): Promise<SizedFile> {
    if (file.type !== 'image/gif' || file.id === null) return file;
    const copy = await this.copyOf(file.id, accountId, local);
    return { ...file, isAnimated: (await inspectPicture(accountId, copy.path))?.isAnimated ?? true };
  }

  private async changed(
    files: readonly FileToSend[],
    plan: FitPlan,
    { accountId, bytesMax, local }: { accountId: string; bytesMax: number; local: Map<string, ReceivedFile> },
  ): Promise<FittedFile[]> {
    const fitted: FittedFile[] = [];
    for (const [index, file] of files.entries()) {
      const planned = plan[index] ?? null;
      if (planned === null || file.id === null) {
        fitted.push({ ...file, originalId: null });
        continue;
      }
      const picture = await this.pictureOf(file.id, planned, accountId, local);
      if (!picture) throw tooLarge(files, bytesMax, true);
      fitted.push({ ...picture, originalId: file.id });
    }
    return fitted;
  }

  /** Undefined if the picture cannot be made so small. */
  private async pictureOf(
    originalId: string,
    bytesMax: number,
    accountId: string,
    local: Map<string, ReceivedFile>,
  ): Promise<FileToSend | undefined> {
    const fitted = { originalId, bytesMax };
    const earlier = await this.store.findFitted(accountId, fitted);
    if (earlier) return shownOf(earlier);
    const copy = await this.copyOf(originalId, accountId, local);
    const jpeg = await fitPicture(accountId, copy.path, bytesMax);
    if (!jpeg) return undefined;
    const received = await this.store.receive(asContent(jpeg), bytesMax);
    if (received.kind === 'too_large') return undefined;
    try {
      const outcome = await this.store.storeReceived({ direction: 'outbound', accountId, fitted }, received.file);
      return outcome.kind === 'stored' ? shownOf(outcome.media) : undefined;
    } finally {
      await received.file.remove();
    }
  }

  private async copyOf(id: string, accountId: string, local: Map<string, ReceivedFile>): Promise<ReceivedFile> {
    const known = local.get(id);
    if (known) return known;
    const media = await this.store.find(accountId, id);
    const content = media && (await this.store.open(media));
    if (!media?.bytes || !content) throw new MediaFilesUnavailable('A file of a message is not in the store');
    const copy = await this.store.receive(content, media.bytes).finally(() => content.destroy());
    if (copy.kind === 'too_large') throw new MediaFilesUnavailable('A file in the store is longer than it was');
    local.set(id, copy.file);
    return copy.file;
  }
}

async function* asContent(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function shownOf({ id, type, bytes, sha256 }: Media): FileToSend | undefined {
  return type !== null && bytes !== null && sha256 !== null ? { id, type, bytes, sha256 } : undefined;
}

function tooLarge(files: readonly FileToSend[], bytesMax: number, transcode: boolean): DomainError {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0).toLocaleString('en-US');
  const limit = `Networks take ${bytesMax.toLocaleString('en-US')} bytes of files from the sender of this message`;
  if (!transcode && files.every(({ type }) => isPicture(type))) {
    const why = `these have ${bytes}, or a type that is not carried, and "transcode" is false`;
    const detail = `${limit}; ${why}. ${NOT_CHARGED}`;
    return new DomainError('media_too_large', detail, { fix: { transcode: true } });
  }
  const detail = `${limit}; these have ${bytes} and cannot be made small enough. ${NOT_CHARGED}`;
  return new DomainError('media_too_large', detail);
}
