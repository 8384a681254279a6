import { decodeText, headerText, quotedPrintable } from './mime-words.js';

/** What a mail says, out of its source. */
export interface ParsedMail {
  /** By name in small letters, in clear text; of a name that comes twice, the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
  readonly html: string | null;
  /** Names of what is attached. */
  readonly attachments: readonly string[];
}

interface Entity {
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Found {
  text: string | null;
  html: string | null;
  readonly attachments: string[];
}

const DEPTH_MAX = 8;
const PARTS_MAX = 100;
const HEADERS_MAX = 200;

/** Reads a mail; `source` holds one byte a character, as it came over the wire. */
export function parseMail(source: string): ParsedMail {
  const entity = entityOf(source);
  const found: Found = { text: null, html: null, attachments: [] };
  collect(entity, found, DEPTH_MAX);
  const headers = Object.entries(entity.headers).map(([name, value]) => [name, headerText(value)] as const);
  return { ...found, headers: Object.fromEntries(headers) };
}

function entityOf(source: string): Entity {
  // A part may have no headers: then it begins with the empty line.
  const end = /^\r?\n|\r?\n\r?\n/.exec(source);
  const head = end === null ? source : source.slice(0, end.index);
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  const lines = head.replace(/\r?\n(?=[\t ])/g, '').split(/\r?\n/, HEADERS_MAX);
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = decodeText(Buffer.from(line.slice(colon + 1).trim(), 'latin1'));
    headers[line.slice(0, colon).trim().toLowerCase()] ??= value;
  }
  return { headers, body: end === null ? '' : source.slice(end.index + end[0].length) };
}

function collect({ headers, body }: Entity, found: Found, depthLeft: number): void {
  const type = fieldOf(headers['content-type'] ?? 'text/plain');
  const disposition = fieldOf(headers['content-disposition'] ?? 'inline');
  const boundary = type.params['boundary'];
  if (type.value.startsWith('multipart/') && boundary !== undefined) {
    if (depthLeft === 0) return;
    for (const part of partsOf(body, boundary)) collect(entityOf(part), found, depthLeft - 1);
    return;
  }
  const isText = type.value === 'text/plain' || type.value === 'text/html';
  if (disposition.value === 'attachment' || !isText) {
    found.attachments.push(headerText(disposition.params['filename'] ?? type.params['name'] ?? type.value));
    return;
  }
  const bytes = decodeBody(body, (headers['content-transfer-encoding'] ?? '7bit').trim().toLowerCase());
  const text = decodeText(bytes, type.params['charset'] ?? 'utf-8').replace(/\r\n/g, '\n');
  if (type.value === 'text/html') found.html ??= text;
  else found.text ??= text;
}

function partsOf(body: string, boundary: string): string[] {
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, PARTS_MAX + 1);
  const end = parts.findIndex((part) => part.startsWith('--'));
  // What stands behind the boundary on its own line is no part of the part.
  return (end === -1 ? parts : parts.slice(0, end)).map((part) => part.replace(/^[\t ]*\r\n/, ''));
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  return encoding === 'quoted-printable' ? quotedPrintable(body) : Buffer.from(body, 'latin1');
}

/** A header such as `text/plain; charset="utf-8"`. */
function fieldOf(header: string): { value: string; params: Record<string, string> } {
  const value = header.replace(/;.*$/s, '').trim().toLowerCase();
  const params: Record<string, string> = {};
  for (const [, name = '', quoted, plain] of header.matchAll(/;\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g)) {
    params[name.toLowerCase()] = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  }
  return { value, params };
}
