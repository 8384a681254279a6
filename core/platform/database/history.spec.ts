import fc from 'fast-check';
import { csvRecord, phoneCell } from './history.js';

describe('csvRecord', () => {
  it.each([
    ['plain', '"plain"'],
    ['', '""'],
    ['a,b', '"a,b"'],
    ['she said "no"', '"she said ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' spaces stay ', '" spaces stay "'],
    ['a;b|c\td', '"a;b|c\td"'],
    ['Grüße, 你好 🎉', '"Grüße, 你好 🎉"'],
    ['مرحبا', '"مرحبا"'],
  ])('writes %j as %j', (cell, field) => {
    expect(csvRecord([cell])).toBe(`${field}\r\n`);
  });

  it('joins cells with commas and leaves null empty', () => {
    expect(csvRecord(['a', 5, null, -3, 'b'])).toBe('"a",5,,-3,"b"\r\n');
  });

  it.each(['=1+1', '+1+1', '+1', '+14155552671', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠A', '+', '+1 (415) 555'])(
    'prefixes the formula %j with an apostrophe',
    (cell) => {
      expect(csvRecord([cell])).toBe(`"'${cell}"\r\n`);
    },
  );

  it.each([
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['\t=1', `"'\t'=1"`],
    ['\ttext', `"'\ttext"`],
    [' =1', `" '=1"`],
    ['"=1', `"""'=1"`],
    ['Hi;=1+1', `"Hi;'=1+1"`],
    ['Hi; "=1+1', `"Hi; ""'=1+1"`],
    ['Hi,@SUM(A1)', `"Hi,'@SUM(A1)"`],
    ['Hi\t-1', `"Hi\t'-1"`],
    ['Hi|+1', `"Hi|'+1"`],
    ['two\n=lines', `"two\n'=lines"`],
    ['a;;＝1', `"a;;'＝1"`],
    ['call;+14155552671', `"call;'+14155552671"`],
    ['=A1,B1', `"'=A1,B1"`],
    ['="x"', `"'=""x"""`],
  ])('prefixes a quoted formula: %j', (cell, field) => {
    expect(csvRecord([cell])).toBe(`${field}\r\n`);
  });

  it('leaves phone numbers and amounts usable', () => {
    expect(csvRecord([phoneCell('+14155552671'), -1])).toBe('"+14155552671",-1\r\n');
  });

  it.each(['+1+1', '=1', '+1415555267100000'])('prefixes %j in a column of phone numbers', (number) => {
    expect(csvRecord([phoneCell(number)])).toBe(`"'${number}"\r\n`);
  });

  it('round-trips every record except for the apostrophes, and leaves no formula to evaluate', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', ',', ';', '|', '\t', '\r', '\n', ' ', '=', '+', '@', 'a') }),
    );
    const bare = (text: string) => text.replaceAll("'", '');
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 5 }), (records) => {
        const read = parse(records.map(csvRecord).join(''));
        expect(read.map((cells) => cells.map(bare))).toEqual(records.map((cells) => cells.map(bare)));
        for (const text of read.flat()) expect(text).not.toMatch(/(^|[,;|\t\r\n])[ "]*[=+\-@＝＋－＠]/);
      }),
    );
  });
});

/** An independent reader of RFC 4180, one character at a time. */
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
