import { DomainError } from '#core/platform/errors/domain-error.js';
import { UnreadBody } from './unread-body.js';

const json = (bytes: Buffer | string, charset: 'utf-8' | 'windows-1252' = 'utf-8') =>
  new UnreadBody(Buffer.from(bytes), { format: 'json', charset, contentType: '' }, false);
const form = (text: string) =>
  new UnreadBody(Buffer.from(text), { format: 'form', charset: 'utf-8', contentType: '' }, false);

function detailOf(body: UnreadBody): string {
  try {
    body.read();
  } catch (error) {
    if (error instanceof DomainError) return `${error.code} ${error.detail}`;
    throw error;
  }
  return 'read';
}

describe('UnreadBody', () => {
  it('reads JSON and forms once', () => {
    const body = json('{"to":"+1","n":[1,{"a":null}]}');
    expect(body.fields).toBeUndefined();
    expect(body.read()).toEqual({ to: '+1', n: [1, { a: null }] });
    expect(body.read()).toBe(body.fields);
    expect(form('to=%2B1&message=a').read()).toEqual({ to: '+1', message: 'a' });
    expect(json('\ufeff{}').read()).toEqual({});
  });

  it.each([
    ['', 'is empty'],
    ['{', 'is not valid JSON'],
    ['to=1&message=x', 'looks like a form'],
    ['{"a":"\\u0000"}', 'a: contains a NUL'],
    ['{"a":{"b":["x","\\ud800"]}}', 'a.b.1: contains a NUL character or half'],
    ['{"a\\u0000":1}', 'the name of a field: contains a NUL'],
    ['{"__proto__":{}}', '__proto__: is not the name of a field'],
    ['{"\\u005f_proto__":{}}', '__proto__: is not the name of a field'],
    ['{"constructor":{"prototype":{}}}', 'constructor: is not the name'],
    ['['.repeat(21), 'nested at most 20'],
    ['{"a":'.repeat(30_000), 'nested at most 20'],
    [`[${'[],'.repeat(60_000)}[]]`, 'at most 120,000 values'],
    [`[${'1,'.repeat(120_000)}1]`, 'at most 120,000 values'],
    [`{"a":[{${'"k":1,'.repeat(200)}"k":1}]}`, 'at most 200 fields in one object'],
  ])('refuses %.40j', (text, detail) => {
    expect(detailOf(json(text))).toEqual(expect.stringContaining(detail));
  });

  it.each([
    '['.repeat(20) + ']'.repeat(20),
    JSON.stringify({ message: '[{'.repeat(60_000) }),
    JSON.stringify({ message: '\\"[[' }),
    JSON.stringify({ constructor: 'a name' }),
    JSON.stringify({
      a: Object.fromEntries(Array.from({ length: 200 }, (_none, n) => [`k${n}`, [1, 2]])),
      b: { c: 1 },
    }),
    JSON.stringify(Array.from({ length: 10_000 }, (_none, n) => ({ to: `+1${n}`, message: 'a, {b}, [c]' }))),
    JSON.stringify({ message: 'a\u2028\ufeff' }),
  ])('reads %.40s', (text) => {
    expect(json(text).read()).toEqual(JSON.parse(text));
  });

  it('names the first field that is not UTF-8', () => {
    const bytes = Buffer.from('{"to":"+1","items":[{"message":"é"},{"message":"caf\xe9"}]}', 'latin1');
    // The first é is UTF-8, the second is not.
    const mixed = Buffer.concat([
      Buffer.from('{"to":"é","items":[{"message":"caf'),
      Buffer.from([0xe9]),
      Buffer.from('"}]}'),
    ]);
    expect(detailOf(json(bytes))).toContain('items.0.message: is not UTF-8');
    expect(detailOf(json(mixed))).toContain('items.0.message: is not UTF-8');
  });

  it('reads a declared single-byte charset', () => {
    expect(
      json(Buffer.from([...Buffer.from('{"a":"'), 0xe9, 0x80, ...Buffer.from('"}')]), 'windows-1252').read(),
    ).toEqual({
      a: 'é€',
    });
  });

  it('explains JSON that is declared as a form', () => {
    for (const text of ['{"to":"+1"}', ' {"to":"a=b&c"}'])
      expect(detailOf(form(text))).toContain('"Content-Type: application/json"');
    expect(form('{name}=1').read()).toEqual({ '{name}': '1' });
  });
});
