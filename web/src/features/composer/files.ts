import { limits } from '#contract/limits.js';
import type { MediaView } from '#contract/media.js';

export interface StoredFile {
  readonly mediaId: string;
  /** Digest in hex. */
  readonly sha256: string;
}

/** A file of a message that is being written. */
export type ComposedFile = {
  /** Place in the order in which files were added. */
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
} & (
  | { readonly state: 'uploading' }
  | ({ readonly state: 'stored'; readonly type: string } & StoredFile)
  | { readonly state: 'refused'; readonly fault: string }
);

/** File types that the picker offers; the server looks at the bytes. */
export const OFFERED_TYPES = 'image/*,video/mp4,video/quicktime,video/3gpp,audio/*,application/pdf,.vcf,.ics';

/** Converts stored files of the account to files of a new message. */
export function composedOf(given: readonly MediaView[]): readonly ComposedFile[] {
  return given.flatMap(({ id: mediaId, type, bytes, sha256 }, place) =>
    type === null || bytes === null || sha256 === null
      ? []
      : [{ id: place + 1, name: `File ${place + 1}`, bytes, state: 'stored' as const, mediaId, sha256, type }],
  );
}

/** Stored files, in their order. */
export function storedFilesOf(files: readonly ComposedFile[]): StoredFile[] {
  return files.flatMap((file) => (file.state === 'stored' ? [{ mediaId: file.mediaId, sha256: file.sha256 }] : []));
}

/** Whether a file is still uploading, or was refused and must be removed. */
export function areUnready(files: readonly ComposedFile[]): boolean {
  return files.some(({ state }) => state !== 'stored');
}

/** Reason why a file is not uploaded beside the others; undefined if it is. */
export function faultOfFile(bytes: number, others: readonly ComposedFile[]): string | undefined {
  const max = limits.messageMediaBytesMax;
  const sum = others.reduce((all, file) => all + (file.state === 'refused' ? 0 : file.bytes), bytes);
  if (bytes === 0) return 'The file is empty.';
  if (sum <= max) return undefined;
  return `The files of a message have ${max / 1_000_000} MB together at most.`;
}
