import fc from 'fast-check';
import type { Schema } from '#contract/openapi/document.js';
import { hostileContentType, hostileJson, hostileValue } from './hostile-values.js';

export interface HostileBody {
  readonly payload: Buffer;
  readonly contentType: string;
}

type Fields = Readonly<Record<string, unknown>>;

const KEYS = ['__proto__', 'constructor', 'prototype', 'a[b]', 'userId', 'uid', 'other', ''];

/** Objects with the fields of the schema: mostly what `right` says of each, sometimes anything, sometimes left out. */
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

/** A value of about the type that the schema has: near enough to get past the first check. */
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

/** Cut off, doubled, or with bytes that are no UTF-8. */
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

/** With the sign for what cannot be read in the place of half a surrogate pair, which no address and no form can carry. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text));
}
