import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mediaReasons } from '#contract/media.js';
import { MediaFilesUnavailable } from '#core/media/media-files.js';
import type { MediaStore } from '#core/media/media-store.js';
import { extensionOf } from '#core/media/media-type.js';
import type { Media } from '#core/media/media.js';
import { THUMBNAIL_TYPE } from '#core/media/thumbnails.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { publicMediaId } from '#core/rules/ids.js';
import { leavePlace } from './account-places.js';

/** A pending file usually arrives within this time. */
const PENDING_RETRY_SECONDS = 5;
/**
 * Pages show a thumbnail repeatedly; an erased file's thumbnail stays cached no longer than this.
 */
const THUMBNAIL_CACHE_SECONDS = 600;

/**
 * Headers of every file that others have sent: nothing in it runs, whatever it is and wherever it is
 * opened (Content Security Policy, section 6.4.1; RFC 6266).
 */
const inertHeaders = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Accept-Ranges': 'none',
} as const;

/**
 * Streams a file to be saved, never shown. Throws `media_pending`, `media_failed`, `media_expired`,
 * and `unavailable` when the store does not answer.
 */
export async function sendMedia(
  media: Media,
  { store, request, reply }: { store: MediaStore; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  assertStored(media);
  const type = media.type ?? 'application/octet-stream';
  const headers = {
    ...inertHeaders,
    'Content-Type': type,
    'Content-Length': String(media.bytes ?? 0),
    'Content-Disposition': `attachment; filename="${publicMediaId(media.id)}.${extensionOf(type)}"`,
    ETag: `"${media.sha256}"`,
    'Repr-Digest': `sha-256=:${Buffer.from(media.sha256 ?? '', 'hex').toString('base64')}:`,
    'Cache-Control': 'private, no-cache',
  };
  await send(media, 'original', headers, { store, request, reply });
}

/** Shows the thumbnail of a file. Throws `not_found` without one, otherwise as {@link sendMedia}. */
export async function sendThumbnail(
  media: Media,
  to: { store: MediaStore; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  assertStored(media);
  if (!media.hasThumbnail) throw new DomainError('media_not_found', 'There is no thumbnail of this file.');
  const headers = {
    ...inertHeaders,
    'Content-Type': THUMBNAIL_TYPE,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': `private, max-age=${THUMBNAIL_CACHE_SECONDS}`,
  };
  await send(media, 'thumbnail', headers, to);
}

async function send(
  media: Media,
  kind: 'original' | 'thumbnail',
  headers: Readonly<Record<string, string>>,
  { store, request, reply }: { store: MediaStore; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  if (request.method === 'HEAD') return void reply.headers(headers).send(Readable.from([]));
  const stream = await opened(media, kind, store);
  // The file may go to a slow client; it takes no connection.
  leavePlace(reply.raw);
  // A client that has gone ends the reading.
  reply.raw.on('close', () => stream.destroy());
  await reply.headers(headers).send(stream);
}

async function opened(media: Media, kind: 'original' | 'thumbnail', store: MediaStore) {
  try {
    const stream = await store.open(media, kind);
    if (stream !== undefined) return stream;
  } catch (cause) {
    if (!(cause instanceof MediaFilesUnavailable)) throw cause;
    throw new DomainError('unavailable', 'The store of files does not answer. Try again.', {
      cause,
      retryAfterSeconds: PENDING_RETRY_SECONDS,
    });
  }
  throw new DomainError('media_expired', expiredText);
}

const expiredText = 'The file has been deleted: files are kept for a limited time.';

function assertStored({ state, reason }: Media): void {
  switch (state) {
    case 'stored':
      return;
    case 'pending':
      throw new DomainError('media_pending', 'The file is being copied from the carrier. Try again in a moment.', {
        retryAfterSeconds: PENDING_RETRY_SECONDS,
      });
    case 'failed':
      throw new DomainError('media_failed', reason === null ? 'The file could not be stored.' : mediaReasons[reason]);
    case 'expired':
      throw new DomainError('media_expired', expiredText);
  }
}
