import fc from 'fast-check';
import { openApiDocument } from '#contract/openapi/openapi.js';
import type { Operation, Schema } from '#contract/openapi/document.js';
import { schemas } from '#contract/openapi/schemas.js';
import type { Config } from '#core/platform/config/config.js';
import { testVariables } from '#core/testing/test-config.js';

const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Texts that are known to break programs. */
const infamous = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e+14155552671',
  '﷽'.repeat(20),
  '👩‍👩‍👧‍👦'.repeat(30),
  "' OR 1=1; DROP TABLE messages; --",
  '$1',
  '${7*7}',
  '{{7*7}}',
  '%s%n%x',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '9007199254740993',
  '0'.repeat(5_000),
  'x'.repeat(60_000),
  '٣٤٥',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...infamous),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
);

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.jsonValue() },
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    -(2 ** 63),
    1e308,
    [],
    {},
    [[]],
    { toString: 1 },
    { length: -1 },
  ),
);

/** JSON texts that JSON.stringify never produces. */
export const hostileJson: fc.Arbitrary<string> = fc.constantFrom(
  '{"__proto__":{"isAdmin":true},"to":"+14155552671"}',
  '{"constructor":{"prototype":{"a":1}},"to":1}',
  '{"to":"1","to":"+14155552671","to":null}',
  nested(20_000, '[', ']'),
  nested(10_000, '{"a":', '}'),
  '{"a":1e99999}',
  '{"to":"\\ud800"}',
  '\ufeff{}',
  '{} {}',
  '[',
  'null',
  '"text"',
  '0',
);

export const hostileContentType: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1; charset=utf-8',
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=shift_jis',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'text/plain',
    'application/json, text/plain',
    'application/',
    '/',
    '*/*',
  ),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }),
);

/** A header value that Node accepts. */
export const hostileHeader: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Bearer x y',
    'Basic OjE=',
    ','.repeat(500),
    'a'.repeat(4_000),
    'é',
    '\t',
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 200 }),
);

export interface HostileBody {
  readonly payload: Buffer;
  readonly contentType: string;
}

type Fields = Readonly<Record<string, unknown>>;

const KEYS = ['__proto__', 'constructor', 'prototype', 'a[b]', 'userId', 'uid', 'other', ''];

/** Objects with the fields of the schema: mostly values of `right`, sometimes any value, sometimes absent. */
export function fieldsOf(
  { properties = {} }: Schema,
  right: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Fields> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const given = right[name] ?? valueOf(schema);
    return [name, fc.oneof({ weight: 3, arbitrary: given }, { weight: 1, arbitrary: hostileValue })] as const;
  });
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const others = fc.dictionary(fc.constantFrom(...KEYS), hostileValue, { maxKeys: 2 });
  return fc
    .tuple(known, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, others))
    .map(([one, two]) => ({ ...one, ...two }));
}

/** A value of roughly the schema's type, to pass the first check. */
function valueOf(schema: Schema | boolean): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return hostileValue;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const type = [schema.type ?? 'string'].flat()[0];
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer(), fc.maxSafeInteger());
  if (type === 'array') return fc.array(hostileValue, { maxLength: 5 });
  if (type === 'boolean') return fc.boolean();
  return fc.string({ maxLength: 40 });
}

/** The fields as a body: as JSON, as a form, damaged, or under another content type. */
export function bodyOf(fields: fc.Arbitrary<Fields>): fc.Arbitrary<HostileBody> {
  const json = fields.map((value) => JSON.stringify(value));
  const form = fields.map(formOf);
  return fc.oneof(
    { weight: 8, arbitrary: json.map((text) => ({ payload: Buffer.from(text), contentType: 'application/json' })) },
    {
      weight: 4,
      arbitrary: form.map((text) => ({ payload: Buffer.from(text), contentType: 'application/x-www-form-urlencoded' })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(json, damage)
        .map(([text, harm]) => ({ payload: harm(Buffer.from(text)), contentType: 'application/json' })),
    },
    hostileJson.map((text) => ({ payload: Buffer.from(text), contentType: 'application/json' })),
    fc
      .tuple(fc.oneof(json, form), hostileContentType)
      .map(([text, contentType]) => ({ payload: Buffer.from(text), contentType })),
    manyParameters.map((text) => ({ payload: Buffer.from(text), contentType: 'application/x-www-form-urlencoded' })),
  );
}

const manyParameters = fc
  .integer({ min: 500, max: 5_000 })
  .map((count) => Array.from({ length: count }, (_, n) => `to${n % 7}=${n}`).join('&'));

/** Truncates, doubles or inserts bytes that are not UTF-8. */
const damage: fc.Arbitrary<(body: Buffer) => Buffer> = fc.oneof(
  fc.nat(200).map((at) => (body: Buffer) => body.subarray(0, at)),
  fc.constant((body: Buffer) => Buffer.concat([body, body])),
  fc.tuple(fc.nat(200), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(
    ([at, bytes]) =>
      (body: Buffer) =>
        Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)]),
  ),
  fc.constant((body: Buffer) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(body.toString('utf8'), 'utf16le')]),
  ),
);

function formOf(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encoded(name)}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&');
}

/** Replaces halves of surrogate pairs, which URLs and forms cannot contain, with U+FFFD. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

/** An operation of the OpenAPI document. */
export interface DocumentedOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** With parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

/** Every operation that the OpenAPI document has, but the stream, whose answer does not end. */
export const documentedOperations: readonly DocumentedOperation[] = Object.entries(
  openApiDocument('https://pennytext.test').paths,
).flatMap(([path, { get, post }]) => [
  ...(get && get.operationId !== 'streamEvents'
    ? [{ id: get.operationId, method: 'GET' as const, path, operation: get }]
    : []),
  ...(post ? [{ id: post.operationId, method: 'POST' as const, path, operation: post }] : []),
]);

export interface HostileRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: Buffer;
}

const QUERY_CHARACTERS_MAX = 8_000;

/** Requests to one operation with hostile path, query, headers and body; `right` are good values by the name of their field. */
export function requestTo(
  { method, path, operation }: DocumentedOperation,
  right: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<HostileRequest> {
  const schemaName = operation.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
  const names = (operation.parameters ?? []).flatMap((one) => ('name' in one && one.in === 'query' ? [one.name] : []));
  const valueFor = (name: string) =>
    fc
      .oneof({ weight: 3, arbitrary: (Object.hasOwn(right, name) && right[name]) || hostileText }, hostileText)
      .map(String);
  const query = fc
    .array(
      fc
        .constantFrom(...names, 'apikey', '__proto__', 'a[b]')
        .chain((name) => fc.tuple(fc.constant(name), valueFor(name))),
      { maxLength: 4 },
    )
    .map((pairs) =>
      pairs
        .map(([name, value]) => `${name}=${encoded(value)}`)
        .join('&')
        .slice(0, QUERY_CHARACTERS_MAX),
    );
  const id = fc
    .oneof(right['message_id'] ?? hostileText, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }))
    .map(String)
    // Dots and slashes lead to other operations.
    .filter((text) => !/^\.{0,2}$/.test(text));
  const headers = fc.record(
    {
      authorization: hostileHeader,
      'idempotency-key': hostileHeader,
      accept: hostileHeader,
      'x-forwarded-for': hostileHeader,
    },
    { requiredKeys: [] },
  );
  const body = method === 'POST' ? bodyOf(fieldsOf(schemas[schemaName] ?? {}, right)) : fc.constant(undefined);
  return fc.tuple(query, id, headers, body).map(([search, name, others, sent]) => ({
    method,
    url: `${path.replace(/\{\w+\}/, encoded(name))}${search && `?${search}`}`,
    headers: { ...others, ...(sent && { 'content-type': sent.contentType }) } as Record<string, string>,
    ...(sent && { payload: sent.payload }),
  }));
}

/** Signs of leaked internals: stack traces, SQL, files, settings. */
const signs: readonly RegExp[] = [
  /\n\s+at .+:\d+:\d+/,
  /node_modules|\.(ts|js):\d+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.+\b(FROM|VALUES|SET|WHERE)\b/,
  /relation "|column "|syntax error at or near|violates|duplicate key|invalid input syntax|invalid byte sequence/,
  /postgres(ql)?:\/\/|redis:\/\//,
  /ECONN|ETIMEDOUT|FST_ERR|TypeError|ReferenceError|RangeError|Cannot read propert/,
  /root:.*:0:0:/,
];

const secretNames = [
  'API_KEY_HASH_SECRET',
  'API_KEY_ENCRYPTION_KEY',
  'TWILIO_AUTH_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
];

/** Returns the internals and hidden texts that an answer contains; `hidden` are texts of other accounts. */
export function leaksIn(answer: string, config: Config, hidden: readonly string[]): string[] {
  const names = secretNames.filter((name) => answer.includes(testVariables[name] ?? name));
  const shown = [...hidden, config.otp.hashSecret, config.signIn.cookieSecret].filter((text) => answer.includes(text));
  return [...names, ...shown, ...signs.filter((sign) => sign.test(answer)).map(String)];
}
