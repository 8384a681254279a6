import fc from 'fast-check';
import { parseCsv, textOfFile } from './csv.js';

const cells = (text: string) => {
  const csv = parseCsv(text, 100);
  return 'fault' in csv ? csv.fault : csv.rows.map((row) => row.cells);
};
const bytes = (text: string) => new TextEncoder().encode(text);

describe('parseCsv', () => {
  it.each([
    [
      'commas',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons with commas in a cell',
      'name;city\nAda, Countess;London\nBob;Rome, Italy',
      [
        ['name', 'city'],
        ['Ada, Countess', 'London'],
        ['Bob', 'Rome, Italy'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2,5',
      [
        ['a', 'b'],
        ['1', '2,5'],
      ],
    ],
    ['a delimiter that Excel names', 'sep=|\r\na,b|c\r\n', [['a,b', 'c']]],
    [
      'CRLF, LF and CR',
      'a,b\r\nc,d\ne,f\rg,h',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
        ['g', 'h'],
      ],
    ],
    [
      'quotes with delimiters, quotes and line ends',
      '"a,1","say ""hi""","x\ny"\n1,2,3',
      [
        ['a,1', 'say "hi"', 'x\ny'],
        ['1', '2', '3'],
      ],
    ],
    [
      'quotes inside a cell',
      '5" pipe,b\n1,2',
      [
        ['5" pipe', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'formulas as text',
      '=1+1,+2\n"=HYPERLINK(""x"")",@a',
      [
        ['=1+1', '+2'],
        ['=HYPERLINK("x")', '@a'],
      ],
    ],
    ['white space around cells', ' a , b \n', [['a', 'b']]],
    [
      'empty lines and rows',
      '\n\na,b\n,\n  \n1,\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['one column', '+14155552671\n+14155552672', [['+14155552671'], ['+14155552672']]],
    ['an empty last cell', 'a,', [['a', '']]],
    ['nothing', '', []],
  ])('reads %s', (_title, text, rows) => {
    expect(cells(text)).toEqual(rows);
  });

  it('names the line of each row', () => {
    const csv = parseCsv('name,to\n\n"a\nb",1\n2,3', 10);
    expect('rows' in csv && csv.rows.map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it('names the line of a quotation mark that is never closed', () => {
    expect(cells('a,b\n1,"2\n3,4')).toBe('The quotation mark that opens on line 2 is never closed.');
  });

  it('counts rows that it does not keep', () => {
    const csv = parseCsv('1\n'.repeat(100_000), 10);
    expect(csv).toMatchObject({ count: 100_000, rows: { length: 10 } });
  });

  it('reads what was written, whatever the cells contain', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '\t', '=') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = `sep=,\n${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}`;
        const trimmed = rows.map((row) => row.map((one) => one.trim()));
        expect(cells(text)).toEqual(trimmed.filter((row) => row.some((one) => one !== '')));
      }),
    );
  });
});

describe('textOfFile', () => {
  const utf16 = (text: string) =>
    new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from(text, (one) => one.charCodeAt(0)).buffer)]);

  it.each([
    ['UTF-8', bytes('Zoë'), { text: 'Zoë', isLegacy: false }],
    ['UTF-8 with a byte order mark', bytes('\ufeffZoë'), { text: 'Zoë', isLegacy: false }],
    ['UTF-16', utf16('Zoë\t1'), { text: 'Zoë\t1', isLegacy: false }],
    ['UTF-16 without a byte order mark', utf16('Zoë\t1').subarray(2), { text: 'Zoë\t1', isLegacy: false }],
    ['the other byte order', utf16('Zoë\t1').subarray(2).reverse(), { text: '1\tëoZ', isLegacy: false }],
    ['Windows-1252', new Uint8Array([0x5a, 0x6f, 0xeb]), { text: 'Zoë', isLegacy: true }],
  ])('reads %s', (_title, file, text) => {
    expect(textOfFile(file)).toEqual(text);
  });

  it.each([
    ['a workbook', bytes('PK\u0003\u0004'), 'Save the table as CSV'],
    ['a PDF', bytes('%PDF-1.7'), 'This is a PDF.'],
    ['binary data', new Uint8Array([1, 0, 2]), 'not a text file'],
  ])('refuses %s', (_title, file, fault) => {
    expect(textOfFile(file)).toEqual({ fault: expect.stringContaining(fault) });
  });
});
