import fc from 'fast-check';

const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Texts that have broken some program somewhere. */
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

/** Anything that JSON can carry. */
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

/** What is put into the text of a body, as it would never come from JSON.stringify. */
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

/** The value of a header, as Node lets one be written. */
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
