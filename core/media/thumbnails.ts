import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metadata, Sharp } from 'sharp';
import type { Metrics } from '../platform/telemetry/metrics.js';
import type { LocalFile } from './media-files.js';
import { inTurn } from './picture-turns.js';
import { onDisk } from './received-file.js';

/** The longer side of a thumbnail. */
const SIDE_PIXELS = 480;
const QUALITY = 75;
/**
 * A picture of more pixels gets no thumbnail: a few kilobytes can unpack to gigabytes. No phone's
 * camera in common use makes more.
 */
const PIXELS_MAX = 50_000_000;
/**
 * Maximum size of a decoded picture: its pixels times channels and depth, by its header. It bounds
 * the memory of a picture in passes and the time of every picture. It does not bound a JPEG that is
 * read line by line, because that is decoded at an eighth of its size.
 */
const DECODED_BYTES_MAX = 128 * 1_048_576;
const GIF_CHANNELS = 4;
/**
 * Maximum of scans of a progressive JPEG. Each scan goes through the whole picture, however little
 * it holds: a few hundred kilobytes can have thousands, and decoding does not stop in between.
 * Cameras and programs write about ten.
 */
const SCANS_MAX = 40;
/**
 * Bytes at the start of a JPEG's scan (ITU-T T.81, table B.1). Data in between never contains them.
 */
const START_OF_SCAN = Buffer.from([0xff, 0xda]);
const DECODE_SECONDS_MAX = 10;

/** The type of every thumbnail. */
export const THUMBNAIL_TYPE = 'image/webp';

/** The types that are decoded, and the only decoders of libvips that run at all. */
const decoders: Readonly<Record<string, string>> = {
  'image/jpeg': 'VipsForeignLoadJpeg',
  'image/png': 'VipsForeignLoadPng',
  'image/gif': 'VipsForeignLoadNsgif',
  'image/webp': 'VipsForeignLoadWebp',
};

/** Opens pictures with the decoder library, which is loaded for the first picture. */
export type OpenPicture = (path: string) => Sharp;

let opener: Promise<OpenPicture> | undefined;

/** Makes small pictures of pictures, by decoding them and encoding only their pixels. */
export class Thumbnails {
  /** `folder` is the folder for thumbnails. */
  constructor(
    private readonly folder: string,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Writes the thumbnail of an account's picture, turned upright and without metadata. Undefined
   * for other files, and for a picture that is broken, too large or only claimed. The caller
   * deletes the file.
   */
  async of(accountId: string, path: string, type: string): Promise<LocalFile | undefined> {
    if (decoders[type] === undefined) return undefined;
    const encoded = await withPictures(accountId, async (openPicture) => {
      const startedAt = performance.now();
      const made = await encode(openPicture, path);
      const outcome = made === undefined ? 'none' : 'made';
      this.metrics.thumbnails.observe({ outcome }, (performance.now() - startedAt) / 1_000);
      return made;
    });
    if (encoded === undefined) return undefined;
    const target = join(this.folder, randomUUID());
    await onDisk(() => writeFile(target, encoded, { mode: 0o600, flush: true }));
    const sha256 = createHash('sha256').update(encoded).digest('hex');
    return { path: target, bytes: encoded.length, sha256 };
  }
}

/** Returns undefined if the picture cannot be decoded. */
async function encode(openPicture: OpenPicture, path: string): Promise<Buffer | undefined> {
  try {
    const picture = openPicture(path);
    if (await isTooHeavy(path, await picture.metadata())) return undefined;
    return await picture
      .autoOrient()
      .resize({ width: SIDE_PIXELS, height: SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .timeout({ seconds: DECODE_SECONDS_MAX })
      .toBuffer();
  } catch {
    // The library has no codes for its reasons; every reason is about the file.
    return undefined;
  }
}

/** Returns whether decoding a picture would take more memory or time than a process spares. */
export async function isTooHeavy(path: string, metadata: Metadata): Promise<boolean> {
  if (decodedBytes(metadata) > DECODED_BYTES_MAX) return true;
  return metadata.format === 'jpeg' && metadata.isProgressive && (await scansOf(path)) > SCANS_MAX;
}

/** Counts the scans of a JPEG, including the scans of a picture inside it. */
async function scansOf(path: string): Promise<number> {
  let scans = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(START_OF_SCAN); at >= 0; at = bytes.indexOf(START_OF_SCAN, at + 2)) scans += 1;
    rest = bytes.subarray(bytes.at(-1) === START_OF_SCAN[0] ? -1 : bytes.length);
  }
  return scans;
}

function decodedBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  if (format === 'jpeg' && !isProgressive) return 0;
  // A progressive JPEG is kept as coefficients of two bytes.
  const bytesEach = depth === 'ushort' || format === 'jpeg' ? 2 : 1;
  return width * height * (format === 'gif' ? GIF_CHANNELS : channels) * bytesEach;
}

async function loadOpener(): Promise<OpenPicture> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  // Decoders of documents, drawings and rarely read formats never see files from strangers.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: Object.values(decoders) });
  return (path) => sharp(path, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 });
}

/** Runs work on a picture of an account in its turn. */
export function withPictures<T>(accountId: string, work: (open: OpenPicture) => Promise<T>): Promise<T> {
  return inTurn(accountId, async () => work(await (opener ??= loadOpener())));
}
