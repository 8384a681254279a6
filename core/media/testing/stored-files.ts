import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Media } from '../media.js';
import type { MediaStore } from '../media-store.js';

/** Paths of all files under the folder of a store, including files that are being received. */
export async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns the bytes of a stored file; undefined if the store does not have it. */
export async function bytesOf(store: MediaStore, media: Media, kind?: 'thumbnail'): Promise<Buffer | undefined> {
  const stream = await store.open(media, kind);
  return stream && buffer(stream);
}
