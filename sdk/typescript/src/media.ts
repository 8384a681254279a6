import { PennytextError } from './errors.js';
import { fileNameOf, mediaTypeOf, sha256Of } from './headers.js';

/** A file of a message, while it is downloaded. */
export interface MediaFile {
  /** Type found in the bytes, such as 'image/jpeg'; 'application/octet-stream' if unknown. */
  readonly type: string;
  /** A name to save it under, such as 'ME…jpg'. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  /** The bytes as they arrive. Read this, or call `bytes`. */
  readonly stream: ReadableStream<Uint8Array>;
  /** All bytes. Throws `connection_failed` if the connection breaks before the end. */
  bytes(): Promise<Uint8Array>;
}

/** @internal */
export function formWith(file: Uint8Array | Blob): FormData {
  const form = new FormData();
  // A copy, because a Blob does not take an array over shared memory.
  form.set('file', file instanceof Blob ? file : new Blob([new Uint8Array(file)]), 'file');
  return form;
}

/** @internal */
export function mediaFileOf(response: Response): MediaFile {
  const { headers, body } = response;
  if (body === null) throw new TypeError('A file always has a body.');
  const name = fileNameOf(headers) ?? 'file';
  const digest = sha256Of(headers) ?? '';
  return {
    type: mediaTypeOf(headers) ?? 'application/octet-stream',
    name,
    size: Number(/^\d+/.exec(headers.get('content-length') ?? '')?.[0] ?? 0),
    sha256: Array.from(atob(digest), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join(''),
    stream: body,
    bytes: () => allOf(response),
  };
}

async function allOf(response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new PennytextError('connection_failed', 'The file is incomplete.', { cause });
  }
}
