import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { DomainError } from '#core/platform/errors/domain-error.js';
import {
  charsetOf,
  fieldError,
  formFields,
  NON_ASCII,
  NOT_UTF_8,
  textFault,
  textOf,
  type Charset,
} from './boundary-text.js';

/** Depth of nested arrays and objects. */
const JSON_DEPTH_MAX = 20;
/** Values in a body: a bulk has up to 10,000 recipients with the fields of its template. */
const JSON_VALUES_MAX = 120_000;
const OBJECT_FIELDS_MAX = 200;

type Format = 'json' | 'form' | 'multipart';

interface Declared {
  readonly format: Format;
  readonly charset: Charset;
  /** The whole header, which names the boundary of a multipart body. */
  readonly contentType: string;
}

/** Routes that take a file as multipart/form-data (RFC 7578). */
export const uploadRoutes = /^\/api\/media(\?|$)/;

/**
 * The body of a request as it arrived. Nothing is decoded or parsed before {@link read}, which
 * guards call when they know the caller, or when the key stands in the body, which is then at most
 * `limits.apiBodyBytesMax` long.
 */
export class UnreadBody {
  private result: { readonly fields: unknown } | undefined;

  constructor(
    readonly bytes: Buffer,
    private readonly declared: Declared,
    /**
     * Undecodable characters of a provider's callback are replaced: refusing them would lose a
     * person's reply.
     */
    private readonly isLenient: boolean,
  ) {}

  /** The fields, once they have been read. */
  get fields(): unknown {
    return this.result?.fields;
  }

  get isForm(): boolean {
    return this.declared.format === 'form';
  }

  /** True for multipart/form-data, which {@link uploadedFile} reads. */
  get isMultipart(): boolean {
    return this.declared.format === 'multipart';
  }

  get contentType(): string {
    return this.declared.contentType;
  }

  /** Decodes and parses the body, once. Throws `invalid_request`, naming the field. */
  read(): unknown {
    if (this.isMultipart) throw new DomainError('invalid_request', 'This call reads JSON or a form.');
    this.result ??= { fields: this.isForm ? this.readForm() : this.readJson() };
    return this.result.fields;
  }

  private readForm(): unknown {
    const latin1 = this.bytes.toString('latin1');
    if (/^\s*\{\s*"/.test(latin1))
      throw new DomainError('invalid_request', `The body looks like JSON, but is declared as a form. ${SEND_JSON}`);
    const fields = formFields(latin1, { charset: this.declared.charset, isLenient: this.isLenient });
    if (fields instanceof DomainError) throw fields;
    return { ...fields };
  }

  private readJson(): unknown {
    const { bytes, declared } = this;
    if (bytes.length === 0) throw new DomainError('invalid_request', 'The body is empty, but declared as JSON.');
    boundStructure(bytes);
    const text = textOf(bytes, declared.charset);
    if (text === undefined) throw fieldError(undecodableField(bytes), NOT_UTF_8);
    const fields = parsedJson(text);
    // Without an escape a text has neither a NUL nor half a surrogate pair: JSON has no bare
    // control characters.
    const isSuspect = ['\\u', PROTO, `"${CONSTRUCTOR}"`].some((sign) => bytes.includes(sign));
    const fault = isSuspect ? faultIn(fields) : undefined;
    if (fault) throw fieldError(fault.path.toReversed().join('.'), fault.reason);
    return fields;
  }
}

/** The body's fields: read now, or as a guard has parsed them. */
export function fieldsOfBody(body: unknown): unknown {
  return body instanceof UnreadBody ? body.read() : body;
}

const SEND_JSON = 'Send JSON with "Content-Type: application/json".';
const callbackRoutes = /^\/webhooks\/twilio\//;

/** The declared format and charset of each request with a body, kept after they have been checked. */
const declared = new WeakMap<FastifyRequest, Declared>();

/** Replaces Fastify's parsers: every body reaches the guards as an {@link UnreadBody}. */
export function leaveBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    done(null, new UnreadBody(body, declared.get(request) ?? declaredBy(request), callbackRoutes.test(request.url)));
  });
}

/**
 * Fastify hook, before the body arrives: refuses bodies that are never read. Throws
 * `invalid_request` and `unsupported_encoding`, naming the cause.
 */
export function checkMediaType(
  request: FastifyRequest,
  _reply: FastifyReply,
  _payload: RequestPayload,
  done: (error?: Error) => void,
): void {
  try {
    if (hasBody(request)) declared.set(request, declaredBy(request));
    done();
  } catch (error) {
    done(error instanceof Error ? error : new Error('The media type cannot be read', { cause: error }));
  }
}

/** RFC 9112, section 6. */
function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function declaredBy({ headers, url }: FastifyRequest): Declared {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw unsupportedEncoding(
      `Compressed bodies are not read (Content-Encoding: ${shownType(encoding)}). Send plain JSON.`,
    );
  const contentType = headers['content-type'] ?? '';
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  const format = formatOf(type.toLowerCase(), uploadRoutes.test(url));
  if (!format) {
    const sent = type === '' ? 'There is no Content-Type.' : `Content-Type is ${shownType(type)}, which is not read.`;
    throw new DomainError('invalid_request', `${sent} ${SEND_JSON}`);
  }
  const label = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  const charset = charsetOf(label?.replace(/^"(.*)"$/, '$1') ?? 'utf-8');
  if (!charset) throw unsupportedEncoding(`The charset ${shownType(label ?? '')} is not read. Send UTF-8.`);
  return { format, charset, contentType };
}

function formatOf(type: string, isUpload: boolean): Format | undefined {
  if (type === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(type)) return 'json';
  if (isUpload && type === 'multipart/form-data') return 'multipart';
  return type === 'application/x-www-form-urlencoded' ? 'form' : undefined;
}

const TYPE_CHARACTERS_MAX = 60;

function shownType(type: string): string {
  return type.slice(0, TYPE_CHARACTERS_MAX).replace(/[^\x21-\x7e]/g, '?');
}

function unsupportedEncoding(detail: string): DomainError {
  return new DomainError('unsupported_encoding', detail);
}

const [QUOTE, BACKSLASH, COMMA, OBJECT, OBJECT_END, ARRAY, ARRAY_END] = Buffer.from('"\\,{}[]');

/**
 * Bounds depth and number of values before the parser builds them: code that walks a value may
 * recurse, and a megabyte holds half a million empty lists, or a hundred thousand fields of one
 * object. In UTF-8 and windows-1252 these bytes mean nothing else.
 */
function boundStructure(bytes: Buffer): void {
  const fieldsAt: number[] = [];
  let [values, isText] = [0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OBJECT || byte === ARRAY) {
      // A list counts its items only as values.
      fieldsAt.push(byte === OBJECT ? 1 : -Infinity);
      values += 1;
      if (fieldsAt.length > JSON_DEPTH_MAX) throw tooMuch(`be nested at most ${JSON_DEPTH_MAX} levels deep`);
    } else if (byte === OBJECT_END || byte === ARRAY_END) fieldsAt.pop();
    else if (byte === COMMA) {
      values += 1;
      const fields = (fieldsAt.pop() ?? 0) + 1;
      fieldsAt.push(fields);
      if (fields > OBJECT_FIELDS_MAX) throw tooMuch(`have at most ${OBJECT_FIELDS_MAX} fields in one object`);
    }
    if (values > JSON_VALUES_MAX) throw tooMuch(`have at most ${JSON_VALUES_MAX.toLocaleString('en-US')} values`);
  }
}

function tooMuch(rule: string): DomainError {
  return new DomainError('invalid_request', `JSON may ${rule}.`);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as unknown;
  } catch (cause) {
    const detail = /^[^{[]*=/.test(text)
      ? 'The body looks like a form, but is declared as JSON. Send it with "Content-Type: ' +
        'application/x-www-form-urlencoded".'
      : 'The body is not valid JSON.';
    throw new DomainError('invalid_request', detail, { cause });
  }
}

/**
 * Copied onto another object, a field `__proto__` would replace its prototype; `constructor` leads
 * to a prototype.
 */
const PROTO = '__proto__';
const CONSTRUCTOR = 'constructor';

function isPrototypeOwner(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

/** `path` from the inside out. */
interface Fault {
  readonly path: string[];
  readonly reason: string;
}

/**
 * The first text that cannot be stored, or name that would change an object's prototype. The depth
 * is bounded.
 */
function faultIn(value: unknown): Fault | undefined {
  if (typeof value === 'string') {
    const reason = textFault(value);
    return reason === undefined ? undefined : { path: [], reason };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === PROTO || (name === CONSTRUCTOR && isPrototypeOwner(member)))
      return { path: [name], reason: 'is not the name of a field' };
    const reason = textFault(name);
    if (reason !== undefined) return { path: ['the name of a field'], reason };
    const fault = faultIn(member);
    if (fault) {
      fault.path.push(name);
      return fault;
    }
  }
  return undefined;
}

/** Returns whether the bytes of a text are UTF-8, given as one character for each. */
function isUtf8Text(latin1: string): boolean {
  return !NON_ASCII.test(latin1) || textOf(Buffer.from(latin1, 'latin1'), 'utf-8') !== undefined;
}

/** The first field of a JSON body whose bytes are not UTF-8. */
function undecodableField(bytes: Buffer): string {
  const fields = parsedJson(bytes.toString('latin1'));
  const find = (value: unknown): string[] | undefined => {
    if (typeof value === 'string') return isUtf8Text(value) ? undefined : [];
    if (typeof value !== 'object' || value === null) return undefined;
    for (const [name, member] of Object.entries(value)) {
      const path = find(member);
      if (path) return [...path, name];
    }
    return undefined;
  };
  return find(fields)?.toReversed().join('.') ?? 'The body';
}
