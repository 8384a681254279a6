import { DomainError } from '#core/platform/errors/domain-error.js';
import type { UnreadBody } from './unread-body.js';

/** A file and a few fields, such as a browser's form has. */
const PARTS_MAX = 20;
/** Size of the headers of one part together. */
const PART_HEAD_BYTES_MAX = 8_192;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';
const DISPOSITION = /^content-disposition:[ \t]*form-data[ \t]*/im;
/** One parameter of a header. Each match begins where the one before it ended. */
const PARAMETER = /;\s*([^=;\s"]+)\s*=\s*(?:"[^"]*"|[^;\s"]*)\s*/y;
const BASE64 = /^content-transfer-encoding:[ \t]*base64[ \t]*$/im;

/**
 * Returns the file of a multipart body (RFC 7578), whatever the names of its part and of the file.
 * Its declared type is ignored. The body is in memory and is read once from its beginning to its
 * end, so the work is proportional to its length. Throws `missing_fields` without a file, and
 * `invalid_request`.
 */
export function uploadedFile({ bytes, contentType }: UnreadBody): Uint8Array {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw new DomainError('invalid_request', 'Content-Type: multipart/form-data has no boundary.');
  const [file, ...others] = filesOf(bytes, `--${boundary}`);
  if (!file) throw new DomainError('missing_fields', 'Send the file as the part "file", with a file name.');
  if (others.length > 0) throw new DomainError('invalid_request', 'Send one file in each request.');
  return file;
}

/** The contents of the parts that have a file name. */
function filesOf(bytes: Buffer, delimiter: string): Uint8Array[] {
  const files: Uint8Array[] = [];
  let at = endOf(bytes, delimiter, 0);
  for (let parts = 1; !startsWith(bytes, '--', at); parts += 1) {
    if (parts > PARTS_MAX)
      throw new DomainError('invalid_request', `A multipart body may have at most ${PARTS_MAX} parts.`);
    const head = headAt(bytes, at);
    const start = at + head.length + HEAD_END.length;
    at = endOf(bytes, `${LINE_END}${delimiter}`, start);
    if (!hasFileName(head)) continue;
    const content = bytes.subarray(start, at - delimiter.length - LINE_END.length);
    files.push(BASE64.test(head) ? Buffer.from(content.toString('latin1'), 'base64') : content);
  }
  return files;
}

/** The headers of a part, from the end of the line before them, without the empty line after them. */
function headAt(bytes: Buffer, at: number): string {
  const text = bytes.toString('latin1', at, at + PART_HEAD_BYTES_MAX + HEAD_END.length);
  const end = text.indexOf(HEAD_END);
  if (!text.startsWith(LINE_END) || end < 0) throw notValid();
  return text.slice(0, end);
}

/**
 * Returns whether a part is a file: it has `filename`, or `filename*` (RFC 5987), which some
 * clients send instead or in addition. Values may be without quotation marks, as .NET sends them.
 */
function hasFileName(head: string): boolean {
  const disposition = DISPOSITION.exec(head);
  if (!disposition) throw notValid();
  const names: string[] = [];
  const start = disposition.index + disposition[0].length;
  const [line = ''] = head.slice(start).split(LINE_END, 1);
  let at = 0;
  while (at < line.length) {
    PARAMETER.lastIndex = at;
    const name = PARAMETER.exec(line)?.[1];
    if (name === undefined) throw notValid();
    names.push(name.toLowerCase());
    at = PARAMETER.lastIndex;
  }
  if (!names.includes('name')) throw notValid();
  return names.includes('filename') || names.includes('filename*');
}

/** Returns where a text ends that the bytes must contain. */
function endOf(bytes: Buffer, text: string, from: number): number {
  const at = bytes.indexOf(text, from, 'latin1');
  if (at < 0) throw notValid();
  return at + text.length;
}

function startsWith(bytes: Buffer, text: string, at: number): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

function notValid(): DomainError {
  return new DomainError('invalid_request', 'The body is not valid multipart/form-data.');
}
