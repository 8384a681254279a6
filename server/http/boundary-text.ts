import { isUtf8 } from 'node:buffer';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { isSendableText } from '#core/rules/message-text.js';

/**
 * The one place where bytes of a caller become text: bodies, queries, paths and headers. Text is
 * UTF-8. Other bytes are read in the declared charset when that is ISO-8859-1 or windows-1252, and
 * refused otherwise: guessed text would reach a phone garbled, and be charged. NUL and half
 * surrogates are refused: neither Postgres nor a carrier can store them.
 */

export type Charset = 'utf-8' | 'windows-1252';

/**
 * Names of windows-1252 (https://encoding.spec.whatwg.org/#names-and-labels), which contains
 * ISO-8859-1 but for controls.
 */
const singleByteLabels: ReadonlySet<string> = new Set(['iso-8859-1', 'iso8859-1', 'latin1', 'windows-1252', 'cp1252']);
const utf8Labels: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
/**
 * The characters of the bytes 80 to 9F (https://encoding.spec.whatwg.org/index-windows-1252.txt).
 */
const from80to9F = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Returns the charset of a label in any letter case; undefined for an unsupported charset. */
export function charsetOf(label: string): Charset | undefined {
  const name = label.toLowerCase();
  if (utf8Labels.has(name)) return 'utf-8';
  return singleByteLabels.has(name) ? 'windows-1252' : undefined;
}

/**
 * Returns the text of some bytes; undefined when they are not UTF-8 and no other charset is
 * declared.
 */
export function textOf(bytes: Buffer, charset: Charset): string | undefined {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return charset === 'windows-1252' ? windows1252(bytes) : undefined;
}

function windows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => from80to9F[character.charCodeAt(0) - 0x80] ?? character);
}

export const NOT_UTF_8 = 'is not UTF-8. Send UTF-8, or name the charset in Content-Type';
const NOT_SENDABLE = 'contains a NUL character or half a surrogate pair';

/** Returns why a text is refused; undefined for a valid text. */
export function textFault(text: string): string | undefined {
  return isSendableText(text) ? undefined : NOT_SENDABLE;
}

/** An error that names the field and what is wrong with it. */
export function fieldError(field: string, fault: string): DomainError {
  return new DomainError('invalid_request', `${shown(field)}: ${fault}.`);
}

const FIELD_CHARACTERS_MAX = 80;

/** A caller chooses the field's name. */
function shown(field: string): string {
  return field.slice(0, FIELD_CHARACTERS_MAX).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/**
 * Fields that are phone numbers. A form writes a space as `+`, so the `+` of a hand-written number
 * arrives like a space: at the beginning of these fields it stays a `+`.
 */
export const numberFields: ReadonlySet<string> = new Set(['to', 'phone', 'number', 'To', 'From']);

type FormFields = Record<string, string | string[]>;

const FORM_FIELDS_MAX = 1_000;
export const NON_ASCII = /[\x80-\xff]/;

/**
 * Parses `application/x-www-form-urlencoded` (https://url.spec.whatwg.org/#urlencoded-parsing),
 * given as one character for each byte. A `%` that begins no escape stays as it is. A repeated name
 * has a list. Returns an error that names the field for a value that is not text; `isLenient` keeps
 * the value, with U+FFFD for undecodable bytes.
 */
export function formFields(
  latin1: string,
  { charset = 'utf-8', isLenient = false }: { readonly charset?: Charset; readonly isLenient?: boolean } = {},
): FormFields | DomainError {
  const fields = Object.create(null) as FormFields;
  const pairs = latin1.split('&', FORM_FIELDS_MAX + 1);
  if (pairs.length > FORM_FIELDS_MAX)
    return new DomainError('invalid_request', `A form may have at most ${FORM_FIELDS_MAX} fields.`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const name = decoded(rawName, charset);
    if (name === undefined || textFault(name) !== undefined || name === '__proto__')
      return new DomainError('invalid_request', 'The name of a field is not valid UTF-8 text.');
    const raw = equals < 0 ? '' : pair.slice(equals + 1);
    const isNumber = raw.startsWith('+') && numberFields.has(name);
    const value = decoded(isNumber ? raw.slice(1) : raw, charset, isLenient);
    if (value === undefined) return fieldError(name, NOT_UTF_8);
    const fault = isLenient ? undefined : textFault(value);
    if (fault !== undefined) return fieldError(name, fault);
    const text = isNumber ? `+${value}` : value;
    const earlier = fields[name];
    if (earlier === undefined) fields[name] = text;
    else if (typeof earlier === 'string') fields[name] = [earlier, text];
    else earlier.push(text);
  }
  return fields;
}

const ENCODED = /[%+\x80-\xff]/;

/** Decodes a name or value of a form; undefined when it is not text. */
function decoded(latin1: string, charset: Charset, isLenient = false): string | undefined {
  if (!ENCODED.test(latin1)) return latin1;
  const characters = latin1
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!NON_ASCII.test(characters)) return characters;
  const bytes = Buffer.from(characters, 'latin1');
  return textOf(bytes, charset) ?? (isLenient ? bytes.toString('utf8') : undefined);
}

/**
 * Decodes a header, which Node hands over as one character for each byte; undefined when it is not
 * UTF-8.
 */
export function headerText(value: string): string | undefined {
  return NON_ASCII.test(value) ? textOf(Buffer.from(value, 'latin1'), 'utf-8') : value;
}

/**
 * The URL of a request as every hook, route and log sees it: one text for paths that are the same.
 * Characters that need no escape have none in the path (RFC 3986, section 6.2.2.2), and an absolute
 * form loses its scheme and host (RFC 9112, section 3.2.2). The query stays as it is.
 */
export function normalizedUrl(url: string): string {
  if (url.startsWith('/') && !url.includes('%')) return url;
  const [path = '', ...query] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  const plain = path.replace(/%[2-7][0-9a-f]/gi, (escape) => {
    const character = decodeURIComponent(escape);
    return /[\w.~-]/.test(character) ? character : escape;
  });
  return [plain || '/', ...query].join('?');
}

/** Returns why the path of a URL is refused; undefined for a valid path. Throws nothing. */
export function pathFault(url: string): DomainError | undefined {
  const [path = ''] = url.split('?', 1);
  if (!path.includes('%') && !NON_ASCII.test(path)) return undefined;
  const text = decoded(path.replaceAll('+', '%2B'), 'utf-8');
  if (text !== undefined && textFault(text) === undefined) return undefined;
  return new DomainError('invalid_request', 'The path is not valid UTF-8 text.');
}

/** The faults of queries that could not be read, by the empty fields that stand for them. */
const queryFaults = new WeakMap<object, DomainError>();

/**
 * Fastify's parser of queries. An unreadable query has no fields here: {@link queryFault} refuses
 * it before any handler.
 */
export function queryFields(query: string): FormFields {
  const fields = formFields(query);
  if (!(fields instanceof DomainError)) return fields;
  const none = {};
  queryFaults.set(none, fields);
  return none;
}

/**
 * Returns why a query is refused, by the result of {@link queryFields}; undefined for a valid
 * query.
 */
export function queryFault(fields: unknown): DomainError | undefined {
  return typeof fields === 'object' && fields !== null ? queryFaults.get(fields) : undefined;
}
