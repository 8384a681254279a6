import fc from 'fast-check';
import { DomainError } from '#core/platform/errors/domain-error.js';
import {
  charsetOf,
  formFields,
  headerText,
  normalizedUrl,
  pathFault,
  queryFault,
  queryFields,
  textOf,
} from './boundary-text.js';

const detailOf = (result: unknown) => (result instanceof DomainError ? result.detail : result);

describe('text at the boundary', () => {
  it.each([
    ['caf%C3%A9', 'café'],
    ['100% off', '100% off'],
    ['100%25', '100%'],
    ['50%zz%4', '50%zz%4'],
    ['a+b%2Bc', 'a b+c'],
    ['%F0%9F%98%80', '😀'],
    ['x=y=z', 'x=y=z'],
    ['', ''],
  ])('reads %s in a form as %s', (raw, text) => {
    expect(formFields(`message=${raw}`)).toEqual({ message: text });
  });

  it.each([
    ['message=caf%E9', 'message: is not UTF-8'],
    ['message=caf\xe9', 'message: is not UTF-8'],
    ['to=1&message=Prix+10%80+caf%C3%A9', 'message: is not UTF-8'],
    ['message=a%00b', 'message: contains a NUL'],
    ['message=%ED%A0%80', 'message: is not UTF-8'],
    ['%E9=1', 'The name of a field is not valid UTF-8'],
    ['a%00=1', 'The name of a field'],
    ['__proto__=1', 'The name of a field'],
    ['a&'.repeat(1_001), 'A form may have at most 1000 fields'],
  ])('refuses the form %.30s', (form, detail) => {
    expect(detailOf(formFields(form))).toEqual(expect.stringContaining(detail));
  });

  it('reads bytes that are not UTF-8 in a declared charset', () => {
    expect(formFields('message=caf%E9+10%80&to=%C3%A9', { charset: 'windows-1252' })).toEqual({
      message: 'café 10€',
      to: 'é',
    });
  });

  it('keeps what a callback contains, with U+FFFD for what is not text', () => {
    expect(formFields('Body=caf%E9%00', { isLenient: true })).toEqual({ Body: 'caf\ufffd\0' });
  });

  it.each([
    ['to=+4512345678', { to: '+4512345678' }],
    ['To=+4512345678', { To: '+4512345678' }],
    ['phone=+45+12', { phone: '+45 12' }],
    ['to=%2B45', { to: '+45' }],
    ['to=%2045', { to: ' 45' }],
    ['message=+1+day', { message: ' 1 day' }],
  ])('keeps the + of a hand-written number: %s', (form, fields) => {
    expect(formFields(form)).toEqual(fields);
  });

  it('lists a repeated name', () => {
    expect(formFields('a=1&a=2&a=3&b=')).toEqual({ a: ['1', '2', '3'], b: '' });
  });

  it('reads what URLSearchParams writes', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0') && one !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(text, text), (fields) => {
        const read = formFields(new URLSearchParams(fields).toString());
        // The + of a number stays, whether its sender meant it or a space.
        const names = Object.keys(fields).filter((name) => !/^(to|phone|number|To|From)$/.test(name));
        for (const name of names) expect(read).toHaveProperty([name], fields[name]);
      }),
    );
  });

  const queryOf = (url: string) => url.split('?')[1] ?? '';
  it.each([
    ['/api/messages?reference=%00', 'reference: contains a NUL'],
    ['/api/messages?reference=%E9', 'reference: is not UTF-8'],
    ['/api/messages/%00', 'The path is not valid'],
    ['/api/messages/%E9', 'The path is not valid'],
  ])('refuses the URL %s', (url, detail) => {
    expect(detailOf(pathFault(url) ?? queryFault(queryFields(queryOf(url))))).toEqual(expect.stringContaining(detail));
  });

  it.each(['/', '/docs?q=100%', '/api/messages?to=%2B1&since=2026-01-01T00:00:00Z', '/a+b/%C3%A9'])(
    'takes the URL %s',
    (url) => {
      expect([pathFault(url), queryFault(queryFields(queryOf(url)))]).toEqual([undefined, undefined]);
    },
  );

  it.each([
    ['/api/%73endsms?a=%61', '/api/sendsms?a=%61'],
    ['/%61pi/balance', '/api/balance'],
    ['/quota/9%6568fe94%2d1', '/quota/9e68fe94-1'],
    ['http://127.0.0.1:3000/api/sendsms', '/api/sendsms'],
    ['HTTPS://x?a=1', '/?a=1'],
    ['/a%2Fb%3F%25%C3%A9%zz%', '/a%2Fb%3F%25%C3%A9%zz%'],
    ['/docs?next=http://x/%61', '/docs?next=http://x/%61'],
    ['*', '*'],
  ])('reads the URL %s as %s', (url, expected) => {
    expect(normalizedUrl(url)).toBe(expected);
  });

  it('has no fields for a query that is refused', () => {
    expect(queryFields('a=%00')).toEqual({});
    expect(queryFields('')).toEqual({});
  });

  it.each([
    ['UTF-8', 'utf-8'],
    ['us-ascii', 'utf-8'],
    ['ISO-8859-1', 'windows-1252'],
    ['windows-1252', 'windows-1252'],
    ['utf-16', undefined],
  ])('knows the charset %s', (label, charset) => {
    expect(charsetOf(label)).toBe(charset);
  });

  it('decodes windows-1252 as browsers do, and prefers UTF-8', () => {
    expect(textOf(Buffer.from([0x93, 0x80, 0x9f, 0xe9]), 'windows-1252')).toBe('“€Ÿé');
    expect(textOf(Buffer.from('é€'), 'windows-1252')).toBe('é€');
    expect(textOf(Buffer.from([0xe9]), 'utf-8')).toBeUndefined();
  });

  it('decodes headers, which arrive as one character for each byte', () => {
    expect(headerText(Buffer.from('é').toString('latin1'))).toBe('é');
    expect(headerText('\xe9')).toBeUndefined();
  });
});
