import type { Sharp } from 'sharp';
import { isTooHeavy, type OpenPicture, withPictures } from './thumbnails.js';

/** Longer side of a picture that is made smaller, and the shortest side that is worth sending. */
const SIDE_PIXELS_MAX = 2_048;
const SIDE_PIXELS_MIN = 240;
/** JPEG qualities, best first. Below the last quality a smaller picture looks better. */
const qualities = [85, 75, 62] as const;
/** Factor by which the sides shrink when no quality is enough. */
const SIDE_STEP = 0.75;
const DECODE_SECONDS_MAX = 10;

/** Properties of a picture that can be decoded. */
export interface SoundPicture {
  readonly isAnimated: boolean;
}

/**
 * Decodes a picture. Undefined for a file that only claims to be a picture: it is broken, or has
 * more pixels than are ever decoded.
 */
export function inspectPicture(accountId: string, path: string): Promise<SoundPicture | undefined> {
  return withPictures(accountId, (open) =>
    unlessBroken(async () => {
      const metadata = await open(path).metadata();
      if (await isTooHeavy(path, metadata)) return undefined;
      await open(path).resize({ width: 1, height: 1, fit: 'fill' }).raw().timeout(timeout).toBuffer();
      return { isAnimated: (metadata.pages ?? 1) > 1 };
    }),
  );
}

/**
 * Encodes a picture as a JPEG of at most `bytesMax` bytes: turned upright, without metadata, on
 * white if it is transparent. Undefined if it cannot be decoded, or would be too small to be seen.
 */
export function fitPicture(accountId: string, path: string, bytesMax: number): Promise<Buffer | undefined> {
  return unlessBroken(() => fitted(accountId, path, bytesMax));
}

const timeout = { seconds: DECODE_SECONDS_MAX };

async function fitted(accountId: string, path: string, bytesMax: number): Promise<Buffer | undefined> {
  const isHeavy = async (open: OpenPicture) => isTooHeavy(path, await open(path).metadata());
  if (await withPictures(accountId, isHeavy)) return undefined;
  for (let side = SIDE_PIXELS_MAX; side >= SIDE_PIXELS_MIN; side = Math.floor(side * SIDE_STEP)) {
    for (const quality of qualities) {
      // Another account has its turn in between.
      const jpeg = await withPictures(accountId, (open) => encode(open(path), side, quality));
      if (jpeg.length <= bytesMax) return jpeg;
      // Far too large: only fewer pixels help.
      if (jpeg.length > 3 * bytesMax) break;
    }
  }
  return undefined;
}

function encode(picture: Sharp, side: number, quality: number): Promise<Buffer> {
  return picture
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, mozjpeg: true })
    .timeout(timeout)
    .toBuffer();
}

async function unlessBroken<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    // The library has no error codes: it refuses only files that are not sound pictures.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
