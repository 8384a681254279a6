import type { Readable } from 'node:stream';

/** A file in the store: bytes of an account under their SHA-256. */
export interface FileName {
  readonly accountId: string;
  /** In hex. */
  readonly sha256: string;
  /** `original`: the bytes as they came; `thumbnail`: the small picture made of them. */
  readonly kind: 'original' | 'thumbnail';
}

/** A complete file on this machine, to be put into the store. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/**
 * The store has no room, or does not answer. Nothing was stored, and the same call may succeed
 * later. The message gives an operator the reason.
 */
export class MediaFilesUnavailable extends Error {}

/**
 * Port to the store of files, which all processes share. A file is in the store whole or not at
 * all: a reader never sees a part.
 */
export abstract class MediaFiles {
  /**
   * Folder of this machine where files are received before they are put into the store, with room
   * for them.
   */
  abstract readonly incoming: string;

  /** Resolves when the store takes files. Throws {@link MediaFilesUnavailable}. */
  abstract check(): Promise<void>;

  /**
   * Puts a file into the store. Repeating it changes nothing. Throws {@link MediaFilesUnavailable}.
   */
  abstract put(name: FileName, file: LocalFile): Promise<void>;

  /**
   * Opens a file for reading; undefined if the store does not have it. Throws
   * {@link MediaFilesUnavailable}.
   */
  abstract open(name: FileName): Promise<Readable | undefined>;

  /**
   * Deletes a file; does nothing if the store does not have it. Throws
   * {@link MediaFilesUnavailable}.
   */
  abstract delete(name: FileName): Promise<void>;
}

/** The path of a file in the store, the same on a disk and in a bucket. */
export function storedPath({ accountId, sha256, kind }: FileName): string {
  return `${accountId}/${sha256.slice(0, 2)}/${sha256}${kind === 'thumbnail' ? '.thumbnail' : ''}`;
}
