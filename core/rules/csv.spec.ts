import fc from 'fast-check';
import { csvRecord } from './csv.js';

describe('csvRecord', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['she said "no"', '"she said ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' spaces stay ', ' spaces stay '],
    ['Grüße, 你好 🎉', '"Grüße, 你好 🎉"'],
    ['مرحبا', 'مرحبا'],
  ])('writes %j as %j', (cell, field) => {
    expect(csvRecord([cell])).toBe(`${field}\r\n`);
  });

  it('joins cells with commas and leaves null empty', () => {
    expect(csvRecord(['a', 5, null, -3, 'b'])).toBe('a,5,,-3,b\r\n');
  });

  it.each([
    '=1+1',
    '+1+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '＝1',
    '＋1',
    '－1',
    '＠A',
    '+',
    '+1 (415) 555',
    '+1415555267100000',
  ])('prefixes the formula %j with an apostrophe', (cell) => {
    expect(csvRecord([cell])).toBe(`'${cell}\r\n`);
  });

  it.each([
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['=A1,B1', `"'=A1,B1"`],
    ['="x"', `"'=""x"""`],
  ])('prefixes a quoted formula: %j', (cell, field) => {
    expect(csvRecord([cell])).toBe(`${field}\r\n`);
  });

  it('leaves phone numbers and amounts usable', () => {
    expect(csvRecord(['+14155552671', -1])).toBe('+14155552671,-1\r\n');
  });

  it('round-trips every record except for the apostrophes', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', 'a') }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 5 }), (records) => {
        const isRisky = (text: string) => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^\+\d{1,15}$/.test(text);
        const expected = records.map((cells) => cells.map((text) => (isRisky(text) ? `'${text}` : text)));
        expect(parse(records.map(csvRecord).join(''))).toEqual(expected);
      }),
    );
  });
});

/** A reader of RFC 4180 of its own, one character at a time. */
function parse(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (text.charAt(at + 1) === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === ',' || char === '\r') {
      record.push(field);
      field = '';
      if (char === ',') continue;
      records.push(record);
      record = [];
      at += 1;
    } else field += char;
  }
  return records;
}
