import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalFile, MediaFilesUnavailable } from './media-files.js';
import { mediaTypeOf, SAMPLE_BYTES } from './media-type.js';

/** Age of a dead process's leftovers: no file takes so long to arrive. */
const LEFT_OVER_AFTER_MS = 900_000;
/**
 * Share of a disk, and its maximum, that files leave free: a database that shares the disk stops
 * when it is full.
 */
const KEPT_FREE_SHARE = 0.05;
const KEPT_FREE_BYTES_MAX = 1_073_741_824;

/** Codes of a disk that takes no more: https://man7.org/linux/man-pages/man2/write.2.html */
const fullCodes = [
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EIO',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EMFILE',
  'ENFILE',
];

/** A file that has arrived, on this machine. Its receiver calls `remove` at the end. */
export interface ReceivedFile extends LocalFile {
  /** Type by the file's bytes. */
  readonly type: string;
  remove(): Promise<void>;
}

export type Reception =
  | { readonly kind: 'received'; readonly file: ReceivedFile }
  /** More bytes than the bound arrived; the rest was not read. */
  | { readonly kind: 'too_large' };

/** Size and free space of a disk: https://man7.org/linux/man-pages/man3/statvfs.3.html */
export interface DiskSpace {
  /** Number of blocks that are free for programs without special rights. */
  readonly blocks: number;
  readonly bavail: number;
  /** Bytes of a block. */
  readonly bsize: number;
}

interface ReceptionOptions {
  /** Folder, which is created. */
  readonly folder: string;
  readonly bytesMax: number;
  /** Returns the space of a folder's disk. */
  readonly spaceOf?: (folder: string) => Promise<DiskSpace>;
}

/**
 * Writes a stream to a new file, piece by piece, and computes its SHA-256 and type on the way.
 * Throws the error of a stream that breaks, and {@link MediaFilesUnavailable} if the disk takes
 * nothing, or would be nearly full with the file; no file is left then, nor if it is too large.
 */
export async function receiveFile(
  content: AsyncIterable<Uint8Array>,
  { folder, bytesMax, spaceOf = statfs }: ReceptionOptions,
): Promise<Reception> {
  const space = await onDisk(async () => {
    await mkdir(folder, { recursive: true });
    return spaceOf(folder);
  });
  if (!hasRoom(space, bytesMax)) throw new MediaFilesUnavailable('The disk of MEDIA_DIR is nearly full');
  const path = join(folder, randomUUID());
  const remove = () => rm(path, { force: true });
  try {
    const written = await write(content, path, bytesMax);
    if (written === undefined) {
      await remove();
      return { kind: 'too_large' };
    }
    const { sample, ...file } = written;
    return { kind: 'received', file: { ...file, path, type: await mediaTypeOf(sample), remove } };
  } catch (error) {
    await remove();
    throw error;
  }
}

function hasRoom({ blocks, bavail, bsize }: DiskSpace, bytes: number): boolean {
  const keptFree = Math.min(blocks * bsize * KEPT_FREE_SHARE, KEPT_FREE_BYTES_MAX);
  return bavail * bsize - bytes >= keptFree;
}

/** Returns undefined for more than `bytesMax` bytes. */
async function write(content: AsyncIterable<Uint8Array>, path: string, bytesMax: number) {
  const file = await onDisk(() => open(path, 'wx', 0o600));
  const hash = createHash('sha256');
  const first: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of content) {
      if (bytes < SAMPLE_BYTES) first.push(chunk.subarray(0, SAMPLE_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > bytesMax) return undefined;
      hash.update(chunk);
      await onDisk(() => file.writeFile(chunk));
    }
    // A file that is reported as stored outlives a power failure.
    await onDisk(() => file.sync());
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex'), sample: Buffer.concat(first) };
}

/** Runs work on a disk. Throws {@link MediaFilesUnavailable} if the disk is full or broken. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = systemCode(cause);
    if (code === undefined || !fullCodes.includes(code)) throw cause;
    throw new MediaFilesUnavailable(`The disk of MEDIA_DIR takes no file: ${code}`, { cause });
  }
}

/**
 * Returns the code of a system error, such as ENOENT. Node's errors may come from another realm, as
 * under Jest.
 */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Removes files that a dead process was receiving; returns how many. */
export async function removeLeftOvers(folder: string, now = Date.now()): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const mtimeMs = await changedAt(path);
    if (mtimeMs === undefined || now - mtimeMs < LEFT_OVER_AFTER_MS) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

/** Returns undefined for a file that its receiver, or another process, has removed meanwhile. */
async function changedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
