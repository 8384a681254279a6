import { DomainError } from '#core/platform/errors/domain-error.js';
import type { UnreadBody } from './unread-body.js';

/** A file and a few fields, such as a browser's form has. */
const PARTS_MAX = 20;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/**
 * Returns the file of a multipart body (RFC 7578), whatever its part and its own name are called.
 * The type that it declares counts for nothing. Throws `missing_fields` without a file, and
 * `invalid_request`.
 */
export async function uploadedFile(body: UnreadBody): Promise<Uint8Array> {
  const [, quoted, plain] = BOUNDARY.exec(body.contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw new DomainError('invalid_request', 'Content-Type: multipart/form-data has no boundary.');
  if (countOf(body.bytes, `--${boundary}`) > PARTS_MAX + 1)
    throw new DomainError('invalid_request', `A multipart body may have at most ${PARTS_MAX} parts.`);
  const files = [...(await parsed(body)).values()].filter((value) => typeof value !== 'string');
  const [file, ...others] = files;
  if (!file) throw new DomainError('missing_fields', 'Send the file as the part "file", with a file name.');
  if (others.length > 0) throw new DomainError('invalid_request', 'Send one file in each request.');
  return new Uint8Array(await file.arrayBuffer());
}

/** Parsed by the fetch standard of Node: the body is in memory, and its length is bounded. */
async function parsed({ bytes, contentType }: UnreadBody): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch (cause) {
    throw new DomainError('invalid_request', 'The body is not valid multipart/form-data.', { cause });
  }
}

function countOf(bytes: Buffer, text: string): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0 && count <= PARTS_MAX + 1; at = bytes.indexOf(text, at + text.length))
    count += 1;
  return count;
}
