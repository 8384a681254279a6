import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { MediaReference } from '#contract/message-media.js';
import { inspectPicture } from '../../media/fit-picture.js';
import { MediaFilesUnavailable } from '../../media/media-files.js';
import type { DayUse, Media } from '../../media/media.js';
import { MediaStore } from '../../media/media-store.js';
import { UNKNOWN_TYPE } from '../../media/media-type.js';

import type { ReceivedFile } from '../../media/received-file.js';
import { earlierOf, forget, type KeyedRequest, keyOf } from '../../platform/database/keyed-requests.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { mediaIdFromPublic } from '../../rules/ids.js';
import { isMmsType, isPicture } from '../../rules/mms.js';
import { FetchBudget } from './fetch-budget.js';
import { FetchFile } from './fetch-file.js';
import { FilePlaces } from './file-places.js';
import { ReceivingPlaces } from './receiving-places.js';

const NOT_CHARGED = 'You were not charged.';
const RETRY_DAY_FULL_SECONDS = 3_600;
const RETRY_UNAVAILABLE_SECONDS = 1;

/** Owner of files. A test reads files and stores none. */
export interface FilesOwner {
  readonly accountId: string;
  readonly isTest: boolean;
}

/** A test stores no Idempotency-Key. */
export interface UploadOptions {
  readonly idempotencyKey: string | undefined;
}

/** A file that a message may carry. */
export interface GivenFile {
  /** Null in a test. */
  readonly id: string | null;
  readonly type: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  /** Time of its deletion; null in a test. */
  readonly expiresAt: Date | null;
  /** True for the file of an earlier upload with the same Idempotency-Key. */
  readonly replayed?: true;
}

/** A file of the account in a test, which reads no data of the account. */
const exampleFile: GivenFile = { id: null, type: 'image/jpeg', bytes: 1, sha256: '0'.repeat(64), expiresAt: null };

/** Index of a file in a request, for the texts of errors. */
type Position = number | undefined;

/** A URL, its first index in a request and its number of occurrences: it is fetched once. */
interface GivenUrl {
  readonly url: string;
  readonly index: Position;
  readonly times: number;
}

/**
 * Finds, fetches and stores the files that requests give. Throws `unavailable` when the store does
 * not answer.
 */
@Injectable()
export class GivenFiles {
  constructor(
    private readonly store: MediaStore,
    private readonly fetchFile: FetchFile,
    private readonly receivingPlaces: ReceivingPlaces,
    private readonly places: FilePlaces,
    private readonly postgres: Postgres,
  ) {}

  /**
   * Returns the files of a message, in their order. Files at URLs are fetched and, except in a
   * test, stored. Throws `media_unknown`, `media_expired`, `media_unreachable`, `media_type`,
   * `media_too_large`, `media_limit`.
   */
  async of(owner: FilesOwner, references: readonly MediaReference[]): Promise<GivenFile[]> {
    const known = await this.known(owner, references);
    const left = limits.messageMediaBytesMax - bytesOf([...known.values()]);
    if (left < 0) throw tooLarge();
    const urls = urlsOf(references);
    const fetched = urls.length === 0 ? undefined : await this.fetchAll(owner, urls, left);
    return references.map((reference, index) => {
      const file = 'url' in reference ? fetched?.get(reference.url) : known.get(index);
      if (!file) throw new Error('Every reference has its file');
      return file;
    });
  }

  /**
   * Returns the files that references name by id, by position. Nothing is fetched. Throws
   * `media_unknown`, `media_expired`, `media_type`, `media_too_large`.
   */
  async known(owner: FilesOwner, references: readonly MediaReference[]): Promise<Map<number, GivenFile>> {
    const named = references.flatMap((reference, index) =>
      'media_id' in reference ? [{ index, id: mediaIdFromPublic(reference.media_id) }] : [],
    );
    const ids = [...new Set(named.flatMap(({ id }) => (id === undefined ? [] : [id])))];
    const rows = owner.isTest || ids.length === 0 ? [] : await this.store.findAll(owner.accountId, ids);
    const found = new Map(rows.map((row) => [row.id, row]));
    const files = new Map(named.map(({ index, id }) => [index, knownFile(owner, index, id, found)]));
    if (bytesOf([...files.values()]) > limits.messageMediaBytesMax) throw tooLarge();
    return files;
  }

  /**
   * Fetches and stores one file. Throws as {@link of}, and `idempotency_conflict`,
   * `idempotency_in_progress`.
   */
  async fetch(owner: FilesOwner, url: string, { idempotencyKey }: UploadOptions): Promise<GivenFile> {
    const request = keyedOf(owner, idempotencyKey, ['url', url]);
    const earlier = request && (await this.earlier(request));
    if (earlier) return earlier;
    const given = { url, index: undefined, times: 1 };
    const file = (await this.fetchAll(owner, [given], limits.messageMediaBytesMax, request)).get(url);
    if (!file) throw new Error('A URL has its file');
    return file;
  }

  /**
   * Receives the body of an upload, as it arrives, into a file of this machine, which the caller
   * removes. Throws the error of a body that breaks, and `media_too_large`.
   */
  async receiveBody(content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<ReceivedFile> {
    return whileAvailable(async () => {
      const received = await this.store.receive(content, bytesMax);
      if (received.kind === 'too_large') throw tooLarge();
      return received.file;
    });
  }

  /**
   * Stores one file that was uploaded. Throws `media_type`, `media_too_large`, `media_limit`,
   * `idempotency_conflict`, `idempotency_in_progress`.
   */
  async upload(
    owner: FilesOwner,
    content: AsyncIterable<Uint8Array>,
    { idempotencyKey }: UploadOptions,
  ): Promise<GivenFile> {
    return whileAvailable(async () => {
      const received = await this.store.receive(content, limits.messageMediaBytesMax);
      if (received.kind === 'too_large') throw tooLarge();
      try {
        const request = keyedOf(owner, idempotencyKey, ['file', received.file.sha256]);
        const earlier = request && (await this.earlier(request));
        if (earlier) return earlier;
        await check(owner.accountId, received.file, undefined);
        return await this.stored(owner, received.file, undefined, request);
      } finally {
        await received.file.remove();
      }
    });
  }

  /**
   * Fetches files at once, in a place of the account, with a limit for all bytes together; returns
   * them by URL. If one fails, none is stored. A place for the work is taken once all have arrived.
   */
  private async fetchAll(
    owner: FilesOwner,
    urls: readonly GivenUrl[],
    bytesMax: number,
    request?: KeyedRequest,
  ): Promise<Map<string, GivenFile>> {
    const leaves = [await this.receivingPlaces.enter(owner.accountId)];
    const received: ReceivedFile[] = [];
    try {
      return await whileAvailable(async () => {
        const budget = new FetchBudget(bytesMax);
        const settled = await Promise.allSettled(
          urls.map(async (given) => {
            const outcome = await this.fetchFile.fetch(given.url, given.times, budget);
            if (outcome.kind === 'received') received.push(outcome.file);
            return { ...given, outcome };
          }),
        );
        for (const result of settled) if (result.status === 'rejected') throw result.reason;
        if (budget.isExceeded) throw tooLarge();
        const fetched = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        const files = fetched.map(({ url, index, outcome }) => {
          if (outcome.kind === 'received') return { url, index, file: outcome.file };
          if (outcome.kind === 'too_large') throw tooLarge();
          throw new DomainError('media_unreachable', textOf(index, outcome.reason));
        });
        leaves.push(await this.places.enter(owner.accountId));
        for (const { file, index } of files) await check(owner.accountId, file, index);
        const stored = new Map<string, GivenFile>();
        for (const { file, url, index } of files) stored.set(url, await this.stored(owner, file, index, request));
        return stored;
      });
    } finally {
      await Promise.all(received.map((file) => file.remove()));
      leaves.forEach((leave) => leave());
    }
  }

  /** Returns the file of an earlier upload; undefined if it has been deleted since. */
  private async earlier(request: KeyedRequest): Promise<GivenFile | undefined> {
    const id = await this.postgres.call((manager) => earlierOf(manager, request));
    if (id === undefined) return undefined;
    const media = await this.store.find(request.accountId, id);
    if (media?.state !== 'stored' || media.type === null || media.bytes === null || media.sha256 === null) {
      await this.postgres.call((manager) => forget(manager, request, id));
      return undefined;
    }
    const { type, bytes, sha256, expiresAt } = media;
    return { id, type, bytes, sha256, expiresAt, replayed: true };
  }

  private async stored(
    { accountId, isTest }: FilesOwner,
    file: ReceivedFile,
    index: Position,
    request?: KeyedRequest,
  ): Promise<GivenFile> {
    const { type, bytes, sha256 } = file;
    if (isTest) return { id: null, type, bytes, sha256, expiresAt: null };
    const outcome = await this.store.storeReceived({ direction: 'outbound', accountId, request }, file);
    switch (outcome.kind) {
      case 'stored':
        return { id: outcome.media.id, type, bytes, sha256, expiresAt: outcome.media.expiresAt };
      case 'day_full':
        throw new DomainError('media_limit', textOf(index, dayFullText(outcome)), {
          retryAfterSeconds: RETRY_DAY_FULL_SECONDS,
        });
      case 'too_large':
        throw tooLarge();
      case 'settled':
        throw unavailable(new Error('The account was erased meanwhile'));
    }
  }
}

/** Runs work on stored files. Throws `unavailable` when the store has no room or does not answer. */
export async function whileAvailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof MediaFilesUnavailable ? unavailable(error) : error;
  }
}

/** Undefined without an Idempotency-Key, and in a test. */
function keyedOf(
  { accountId, isTest }: FilesOwner,
  idempotencyKey: string | undefined,
  content: readonly ['url' | 'file', string],
): KeyedRequest | undefined {
  if (idempotencyKey === undefined || isTest) return undefined;
  const bodyHash = createHash('sha256').update(JSON.stringify(content)).digest();
  return { accountId, key: keyOf('media', idempotencyKey), bodyHash };
}

function urlsOf(references: readonly MediaReference[]): GivenUrl[] {
  const given = new Map<string, GivenUrl>();
  for (const [index, reference] of references.entries()) {
    if (!('url' in reference)) continue;
    const { url } = reference;
    const before = given.get(url);
    given.set(url, { url, index: before?.index ?? index, times: (before?.times ?? 0) + 1 });
  }
  return [...given.values()];
}

function knownFile(
  { isTest }: FilesOwner,
  index: number,
  id: string | undefined,
  found: ReadonlyMap<string, Media>,
): GivenFile {
  if (isTest && id !== undefined) return exampleFile;
  const media = id === undefined ? undefined : found.get(id);
  if (media === undefined) {
    const detail = 'Your account has never had a file with this id. Upload it with POST /api/media.';
    throw new DomainError('media_unknown', textOf(index, detail));
  }
  if (media.state !== 'stored' || media.type === null || media.bytes === null || media.sha256 === null) {
    const detail = 'Your account has no file with this id any more. Upload it again with POST /api/media.';
    throw new DomainError('media_expired', textOf(index, detail));
  }
  const { type, bytes, sha256, hasThumbnail, expiresAt } = media;
  if (!isMmsType(type)) throw wrongType(index, type);
  // A picture without a thumbnail could not be decoded.
  if (isPicture(type) && !hasThumbnail) throw brokenPicture(index, type);
  return { id: media.id, type, bytes, sha256, expiresAt };
}

/** Throws `media_type` for a file that phones do not take. */
async function check(accountId: string, { path, type, bytes }: ReceivedFile, index: Position): Promise<void> {
  if (bytes === 0) throw new DomainError('media_type', textOf(index, 'The file is empty.'));
  if (!isMmsType(type)) throw wrongType(index, type);
  if (!isPicture(type)) return;
  const picture = await inspectPicture(accountId, path);
  if (!picture) throw brokenPicture(index, type);
  if (picture.isAnimated && type === 'image/webp') throw wrongType(index, 'image/webp, animated');
}

function wrongType(index: Position, type: string): DomainError {
  const shown = type === UNKNOWN_TYPE ? 'by its bytes it is no picture, video, sound or document that is known' : type;
  return new DomainError('media_type', textOf(index, `Phones do not take this file: ${shown}.`));
}

function brokenPicture(index: Position, type: string): DomainError {
  return new DomainError('media_type', textOf(index, `This ${type} is broken, or has too many pixels.`));
}

function tooLarge(): DomainError {
  const max = limits.messageMediaBytesMax.toLocaleString('en-US');
  return new DomainError('media_too_large', `The files of a message may have ${max} bytes together. ${NOT_CHARGED}`);
}

function dayFullText({ used, most }: { readonly used: DayUse; readonly most: DayUse }): string {
  const shown = ({ files, bytes }: DayUse) =>
    `${files.toLocaleString('en-US')} files with ${bytes.toLocaleString('en-US')} bytes`;
  const more = most.files < limits.mediaPerDayMax ? ' It may store ten times as much once it has bought credits.' : '';
  return `Your account has stored ${shown(used)} in 24 hours, of at most ${shown(most)}.${more}`;
}

function unavailable(cause: unknown): DomainError {
  const detail = `The store of files is temporarily unavailable. ${NOT_CHARGED} Try again.`;
  return new DomainError('unavailable', detail, { cause, retryAfterSeconds: RETRY_UNAVAILABLE_SECONDS });
}

function textOf(index: Position, reason: string): string {
  return `${index === undefined ? '' : `media.${index}: `}${reason} ${NOT_CHARGED}`;
}

function bytesOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
