import { fileTypeFromBuffer } from 'file-type/core';

/** Number of first bytes of a file from which its type is read. */
export const SAMPLE_BYTES = 4_100;

/**
 * Type of a file that has none of the types below, such as text, a page, a script or an archive.
 */
export const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Types of files that a message may carry, and the extension of each. A browser runs no file of
 * these types. The name or type that the sender or the carrier gives is ignored.
 */
const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/tiff': 'tif',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'video/3gpp2': '3g2',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/amr': 'amr',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/aac': 'aac',
  'application/pdf': 'pdf',
  'text/vcard': 'vcf',
  'text/calendar': 'ics',
};

/** Other names of the same types, as file-type has them. */
const sameTypes: Readonly<Record<string, string>> = {
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heif',
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
};

/** Returns the type of a file by its first bytes; {@link UNKNOWN_TYPE} if the type is not known. */
export async function mediaTypeOf(sample: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(sample);
  if (found === undefined) return UNKNOWN_TYPE;
  const type = sameTypes[found.mime] ?? found.mime;
  return extensions[type] === undefined ? UNKNOWN_TYPE : type;
}

/** The extension of a file that is saved: `bin` if its type is unknown. */
export function extensionOf(type: string): string {
  return extensions[type] ?? 'bin';
}
