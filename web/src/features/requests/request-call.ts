import { z } from 'zod';
import type { ApiRequest } from '#contract/dashboard.js';
import { quoted } from '../composer/curl-command.js';

/** A logged field of a call; the log keeps no texts, codes, lists or whole phone numbers. */
export interface LoggedField {
  readonly name: string;
  readonly value: unknown;
  /** `text` and `json` values were not kept: the user enters them again, as a text or as JSON. */
  readonly kind: 'kept' | 'text' | 'json';
}

const fieldsShape = z.record(z.string(), z.unknown());
/** Masked values as server/http/request-log writes them. */
const WITHHELD_TEXT = /^\[\d+ characters\]$|•/;
const WITHHELD_JSON = /^\[(\d+ items|object)\]$/;

/** Name under which the log counts fields whose names it does not keep. */
const OTHER_FIELDS = '(other fields)';

/** The fields of a logged call whose names are kept. */
export function fieldsOf({ fields }: Pick<ApiRequest, 'fields'>): readonly LoggedField[] {
  return Object.entries(fieldsShape.parse(JSON.parse(fields)))
    .filter(([name]) => name !== OTHER_FIELDS)
    .map(([name, value]) => ({ name, value, kind: kindOf(value) }));
}

function kindOf(value: unknown): LoggedField['kind'] {
  if (typeof value !== 'string') return 'kept';
  if (WITHHELD_JSON.test(value)) return 'json';
  return WITHHELD_TEXT.test(value) ? 'text' : 'kept';
}

/** Whether a test key can repeat a call: only calls of our own API, not of compatible APIs. */
export function isRepeatable({ path }: Pick<ApiRequest, 'path'>): boolean {
  return path.startsWith('/api/');
}

/** A placeholder for a withheld value: 'MESSAGE' for `message`. */
const placeholderOf = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

/** The command that repeats a call, with placeholders for withheld values. */
export function curlOf(request: Pick<ApiRequest, 'method' | 'path' | 'fields'>, origin: string, key: string): string {
  const fields = fieldsOf(request).map(({ name, value, kind }) => ({
    name,
    value: kind === 'kept' ? value : placeholderOf(name),
  }));
  const { method } = request;
  // Textbelt's API has the key in the path.
  const path = request.path.replaceAll('…', encodeURIComponent(key));
  if (isRepeatable(request)) {
    const bearer = `  -H ${quoted(`Authorization: Bearer ${key}`)}`;
    if (method === 'GET') return joined([`curl ${quoted(origin + withQuery(path, fields))}`, bearer]);
    if (fields.length === 0) return joined([`curl -X ${method} ${quoted(origin + path)}`, bearer]);
    const body = JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value])));
    return joined([`curl ${quoted(origin + path)}`, bearer, `  --json ${quoted(body)}`]);
  }
  const [, sid] = /^\/2010-04-01\/Accounts\/([^/]+)/.exec(path) ?? [];
  const hasKeyInPath = request.path.includes('…');
  const credentials =
    sid === undefined
      ? hasKeyInPath
        ? []
        : [`  --data-urlencode ${quoted(`key=${key}`)}`]
      : [`  -u ${quoted(`${sid}:${key}`)}`];
  const data = fields.map(({ name, value }) => `  --data-urlencode ${quoted(`${name}=${String(value)}`)}`);
  return joined([`curl ${method === 'GET' ? '-G ' : ''}${quoted(origin + path)}`, ...credentials, ...data]);
}

const joined = (parts: readonly string[]) => parts.join(' \\\n');

function withQuery(path: string, fields: readonly { name: string; value: unknown }[]): string {
  const query = new URLSearchParams(fields.map(({ name, value }) => [name, String(value)])).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Typed values of the withheld fields, by name. */
export type Typed = Readonly<Record<string, string>>;

/** A call to make, or the fault of a typed value. */
export type Repetition =
  | { readonly kind: 'call'; readonly path: string; readonly body: object | undefined }
  | { readonly kind: 'fault'; readonly name: string; readonly text: string };

/** The call with typed values for the withheld fields. Omits empty texts. */
export function repetitionOf(request: Pick<ApiRequest, 'method' | 'path' | 'fields'>, typed: Typed): Repetition {
  const fields: { name: string; value: unknown }[] = [];
  for (const { name, value, kind } of fieldsOf(request)) {
    const text = typed[name] ?? '';
    if (kind === 'kept') fields.push({ name, value });
    else if (text === '') continue;
    else if (kind === 'text') fields.push({ name, value: text });
    else {
      const parsed = parsedJson(text);
      if (parsed === undefined) return { kind: 'fault', name, text: 'This is not JSON.' };
      fields.push({ name, value: parsed });
    }
  }
  if (request.method === 'GET') return { kind: 'call', path: withQuery(request.path, fields), body: undefined };
  const body = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return { kind: 'call', path: request.path, body };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
