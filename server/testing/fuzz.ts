import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { z } from 'zod';
import * as account from '#contract/account.js';
import * as billing from '#contract/billing.js';
import * as bulk from '#contract/bulk.js';
import * as credits from '#contract/credits.js';
import * as dashboard from '#contract/dashboard.js';
import * as histories from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import * as messages from '#contract/messages.js';
import type { Schema } from '#contract/openapi/document.js';
import { jsonSchemaOf } from '#contract/openapi/schemas.js';
import * as otp from '#contract/otp.js';
import * as webhooks from '#contract/webhooks.js';
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
  // Normalizing sorts the marks, in time that grows with the square of their number.
  `a${'\u0315\u0300'.repeat(10_000)}`,
  'a.'.repeat(30_000),
  '{{a}}'.repeat(1_000),
  '٣٤٥',
  '1\u200b23\u00a0456',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...infamous),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
);

/** Any JSON value. */
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
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
const hostileJson: fc.Arbitrary<string> = fc.constantFrom(
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

const hostileContentType: fc.Arbitrary<string> = fc.oneof(
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

interface HostileBody {
  readonly payload: Buffer;
  readonly contentType: string;
  readonly contentEncoding?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const KEYS = ['__proto__', 'constructor', 'prototype', 'a[b]', 'userId', 'uid', 'other', ''];

/**
 * Objects with the fields of the schema: mostly values of `right`, sometimes any value, sometimes
 * absent.
 */
function fieldsOf(
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

/**
 * The fields as a body: as JSON, as a form, damaged, compressed, under another content type, or not
 * the fields at all.
 */
function bodyOf(fields: fc.Arbitrary<Fields>): fc.Arbitrary<HostileBody> {
  const json = fields.map((value) => bodyAs(JSON.stringify(value), JSON_TYPE));
  const form = fields.map((value) => bodyAs(formOf(value), FORM_TYPE));
  const either = fc.oneof(json, form);
  return fc.oneof(
    { weight: 8, arbitrary: json },
    { weight: 4, arbitrary: form },
    {
      weight: 2,
      arbitrary: fc.tuple(either, damage).map(([body, harm]) => ({ ...body, payload: harm(body.payload) })),
    },
    { weight: 2, arbitrary: fc.tuple(either, otherBytes).map(([body, change]) => change(body)) },
    fc.tuple(either, hostileContentType).map(([body, contentType]) => ({ ...body, contentType })),
    hostileJson.map((text) => bodyAs(text, JSON_TYPE)),
    manyParameters.map((text) => bodyAs(text, FORM_TYPE)),
    fc.constantFrom(...expensive),
  );
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const ZEROS = Buffer.alloc(10_000_000);

function bodyAs(text: string, contentType: string): HostileBody {
  return { payload: Buffer.from(text), contentType };
}

const compressed = (compress: (bytes: Buffer) => Buffer, contentEncoding: string) => (body: HostileBody) => ({
  ...body,
  payload: compress(body.payload),
  contentEncoding,
});

/** Other encodings than the UTF-8 that was announced, announced and not, and compressed bodies. */
const otherBytes: fc.Arbitrary<(body: HostileBody) => HostileBody> = fc.oneof(
  fc
    .constantFrom('', '; charset=iso-8859-1', '; charset=utf-8')
    .map((charset) => ({ payload, contentType }: HostileBody) => ({
      payload: Buffer.from(payload.toString('utf8'), 'latin1'),
      contentType: contentType + charset,
    })),
  fc.constant((body: HostileBody) => ({ ...body, contentType: 'text/plain' })),
  fc.constantFrom(
    compressed(gzipSync, 'gzip'),
    compressed(deflateSync, 'deflate'),
    compressed(brotliCompressSync, 'br'),
    compressed((bytes) => bytes, 'gzip'),
    compressed((bytes) => bytes, 'identity, gzip'),
  ),
);

/** Bodies that cost more to handle than to send. */
const expensive: readonly HostileBody[] = [
  { ...bodyAs('', JSON_TYPE), payload: gzipSync(ZEROS), contentEncoding: 'gzip' },
  ...[limits.apiBodyBytesMax, limits.stripeEventBytesMax, limits.bulkBodyBytesMax].flatMap((bytes) => [
    bodyAs(`{"message":"${'é'.repeat(bytes / 2)}"}`, JSON_TYPE),
    bodyAs(`message=${'%00'.repeat((bytes - 8) / 3)}`, FORM_TYPE),
  ]),
  bodyAs(nested(limits.bulkBodyBytesMax / 2 - 1, '[', ']'), JSON_TYPE),
  bodyAs(`{"messages":[${'{},'.repeat(1_000_000)}{}]}`, JSON_TYPE),
  bodyAs(
    JSON.stringify({
      message: '{{a}}'.repeat(1_000),
      recipients: Array.from({ length: 900 }, (_, n) => ({ to: `+1415555${2_000 + n}`, a: 'x'.repeat(5_000) })),
    }),
    JSON_TYPE,
  ),
  bodyAs(
    JSON.stringify({
      encoding: 'smart',
      messages: Array.from({ length: 100 }, () => ({ to: '+14155552671', message: '\u0315\u0300'.repeat(8_000) })),
    }),
    JSON_TYPE,
  ),
];

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
    .map(([name, value]) => `${encoded(name)}=${encoded(textOf(value))}`)
    .join('&');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Replaces halves of surrogate pairs, which URLs and forms cannot contain, with U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

export interface Route {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with parameters like `:id`, and `*` for any rest. */
  readonly path: string;
}

/**
 * Reads every route from the tree that Fastify prints of them (`printRoutes`), so that no list of
 * ours can miss one.
 */
export function routesIn(tree: string): Route[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part, methods = ''] = /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === undefined) return [];
    parts.splice(indent.length / 4, Infinity, part);
    const path = parts.join('');
    return (methods.split(', ').filter(Boolean) as Route['method'][]).map((method) => ({ method, path }));
  });
}

/**
 * The schemas of bodies and queries in the contract, and the words of their names: `send` and `sms`
 * for `sendSmsBody`.
 */
const shapes = [account, billing, bulk, credits, dashboard, histories, messages, otp, webhooks].flatMap((module) =>
  Object.entries(module).flatMap(([name, value]: [string, unknown]) => {
    const words = /^(.+)(?:Body|Query)$/
      .exec(name)?.[1]
      ?.split(/(?=[A-Z])/)
      .map((word) => word.toLowerCase());
    return words && value instanceof z.ZodType ? [{ words, schema: jsonSchemaOf(value, 'input') }] : [];
  }),
);
const fieldsNamed = (...names: string[]): Schema => ({
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
/**
 * Fields of routes that are not named like their schema in the contract, which callers of other
 * services know.
 */
const otherShapes: readonly (readonly [path: RegExp, fields: Schema])[] = [
  [
    /^\/2010/,
    fieldsNamed(
      'To',
      'Body',
      'From',
      'SendAt',
      'ScheduleType',
      'ValidityPeriod',
      'StatusCallback',
      'Status',
      'PageSize',
      'Page',
      'PageToken',
      'DateSent',
    ),
  ],
  [
    /^\/(text|otp|status|quota)/,
    fieldsNamed(
      'phone',
      'message',
      'key',
      'sender',
      'replyWebhookUrl',
      'webhookData',
      'otp',
      'userid',
      'lifetime',
      'length',
    ),
  ],
  [
    /^\/webhooks\/twilio/,
    fieldsNamed('MessageSid', 'MessageStatus', 'From', 'To', 'Body', 'NumSegments', 'ErrorCode', 'OptOutType'),
  ],
  [/^\/webhooks\/stripe/, fieldsNamed('id', 'object', 'type', 'data')],
  [/^\/auth\/google/, fieldsNamed('code', 'state', 'error', 'next')],
];

/**
 * The fields that a route may have, from the schemas whose names share most words with its path.
 */
function shapesOf(path: string): Schema[] {
  const other = otherShapes.find(([form]) => form.test(path));
  if (other) return [other[1]];
  const scores = shapes.map(({ words }) => words.filter((word) => path.includes(word)).length / (words.length + 1));
  const best = Math.max(...scores);
  return shapes.filter((_shape, index) => scores[index] === best).map(({ schema }) => schema);
}

export interface HostileRequest extends Route {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: Buffer;
  /** True if the request identifies a caller of this route. */
  readonly isKnown: boolean;
}

const QUERY_CHARACTERS_MAX = 8_000;
/** Bytes that are not UTF-8, escaped by halves, or escaped twice. */
const brokenEscapes = fc.constantFrom(
  '%E9',
  '%ff%fe',
  '%00',
  'a%00b',
  '%zz',
  '%',
  '%2525',
  '%c0%ae%c0%ae',
  '%ed%a0%80',
);

/**
 * Requests to a route with hostile path, query, headers and body. `right` are good values by the
 * name of their field, and `credentials` the headers of a known caller, which a third of the
 * requests have.
 */
export function requestTo(
  route: Route,
  right: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  credentials: Readonly<Record<string, string>>,
): fc.Arbitrary<HostileRequest> {
  const own = shapesOf(route.path);
  const anyShape = fc.constantFrom(...shapes).map(({ schema }) => schema);
  const shape = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...own) }, anyShape);
  const rightOr = (name: string) => (Object.hasOwn(right, name) && right[name]) || hostileText;
  const valueFor = (name: string) =>
    fc.oneof({ weight: 3, arbitrary: rightOr(name).map(textOf).map(encoded) }, hostileText.map(encoded), brokenEscapes);
  const names = [
    ...own.flatMap(({ properties = {} }) => Object.keys(properties)),
    'apikey',
    'cursor',
    'page',
    'from',
    'to',
    'status',
    '__proto__',
    'a[b]',
  ];
  const query = fc
    .array(
      fc.constantFrom(...names).chain((name) => valueFor(name).map((value) => `${name}=${value}`)),
      { maxLength: 4 },
    )
    .map((pairs) => pairs.join('&').slice(0, QUERY_CHARACTERS_MAX));
  const parts = route.path.split(/(:\w+|\*)/).map((part) => {
    if (!/^(:|\*)/.test(part)) return fc.constant(part);
    // Dots and slashes lead to other routes.
    return valueFor(part.slice(1)).map((value) => value.slice(0, 300).replace(/^\.{0,2}$/, 'x'));
  });
  const headers = fc.record(
    {
      authorization: hostileHeader,
      cookie: hostileHeader,
      'idempotency-key': hostileHeader,
      accept: hostileHeader,
      'x-forwarded-for': hostileHeader,
      'last-event-id': hostileHeader,
    },
    { requiredKeys: [] },
  );
  const hasBody = route.method !== 'GET' && route.method !== 'HEAD';
  const body = hasBody ? shape.chain((schema) => bodyOf(fieldsOf(schema, right))) : fc.constant(undefined);
  const isKnown = fc.constantFrom(true, false, false);
  return fc.tuple(fc.tuple(...parts), query, headers, body, isKnown).map(([path, search, others, sent, known]) => ({
    ...route,
    url: `${path.join('')}${search && `?${search}`}`,
    headers: {
      ...others,
      ...(sent && { 'content-type': sent.contentType }),
      ...(sent?.contentEncoding !== undefined && { 'content-encoding': sent.contentEncoding }),
      ...(known && credentials),
    },
    ...(sent && { payload: sent.payload }),
    isKnown: known,
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

/**
 * Returns the internals and hidden texts that an answer contains; `hidden` are texts of other
 * accounts.
 */
export function leaksIn(answer: string, config: Config, hidden: readonly string[]): string[] {
  const names = secretNames.filter((name) => answer.includes(testVariables[name] ?? name));
  const shown = [...hidden, config.otp.hashSecret, config.signIn.cookieSecret].filter((text) => answer.includes(text));
  return [...names, ...shown, ...signs.filter((sign) => sign.test(answer)).map(String)];
}
