import type { Csv } from '#contract/csv.js';
import {
  columnNames,
  faultOfTable,
  filledIn,
  guessMapping,
  otherCharactersIn,
  readTable,
  recipientsOf,
  variablesOf,
} from './recipients.js';

const table = (text: string): Csv => {
  const read = readTable(text);
  if ('fault' in read) throw new Error(read.fault);
  return read;
};

describe('guessMapping', () => {
  it.each([
    ['numbers alone', '+14155552671\n(415) 555-2672', { hasNames: false, numberColumn: 0 }],
    ['one number', '4155552671', { hasNames: false, numberColumn: 0 }],
    [
      'invisible characters and other digits',
      '\u202a+14155552671\u202c\n٤١٥٥٥٥٢٦٧٢',
      { hasNames: false, numberColumn: 0 },
    ],
    ['names above', 'name,phone\nAda,+14155552671\nBob,x', { hasNames: true, numberColumn: 1 }],
    ['no names', 'Ada;4155552671\nBob;4155552672', { hasNames: false, numberColumn: 1 }],
    [
      'two columns of numbers, one named',
      'order id,mobile\n123456789,4155552671\n123456780,4155552672',
      { hasNames: true, numberColumn: 1 },
    ],
    ['no number at all', 'a,b\nc,d', { hasNames: true, numberColumn: 0 }],
    ['an Arabic name', 'الاسم,Telefon\nليلى,+4915123456789', { hasNames: true, numberColumn: 1 }],
  ])('finds the numbers with %s', (_title, text, mapping) => {
    expect(guessMapping(table(text).rows)).toEqual(mapping);
  });
});

describe('readTable', () => {
  it('takes numbers in one line for one per row', () => {
    expect(table('+14155552671, +14155552672; ').rows.map((row) => row.cells)).toHaveLength(1);
    expect(table('+14155552671, +14155552672').rows.map((row) => row.cells)).toEqual([
      ['+14155552671'],
      ['+14155552672'],
    ]);
  });

  it('refuses a table without rows', () => {
    expect(readTable(' \n,\n')).toEqual({ fault: 'There are no rows.' });
  });
});

describe('faultOfTable', () => {
  it.each([
    ['10,000 rows and the names', `phone\n${'4155552671\n'.repeat(10_000)}`, undefined],
    [
      '100,000 rows',
      `phone\n${'4155552671\n'.repeat(100_000)}`,
      'There are 100,000 rows, and a bulk has at most 10,000. Split them into 10 files.',
    ],
    ['names without rows', 'phone\n', 'There are no rows below the names of the columns.'],
  ])('of %s', (_title, text, fault) => {
    expect(faultOfTable(table(text), { hasNames: true, numberColumn: 0 })).toBe(fault);
  });
});

describe('columnNames', () => {
  const mapping = { hasNames: true, numberColumn: 1 };

  it('are variables, each once', () => {
    const names = columnNames(table('First name,phone,to,City!,City?,,__proto__\nA,4155552671,1,2,3,4,5'), mapping);
    expect(names.map(({ name }) => name)).toEqual(['First_name', 'to', 'to_2', 'City', 'City_2', 'Column_6', 'proto']);
    expect(names[0]?.title).toBe('First name');
  });

  it('are numbered without names', () => {
    const names = columnNames(table('A,4155552671\nB,4155552672,more'), { ...mapping, hasNames: false });
    expect(names.map(({ name }) => name)).toEqual(['Column_1', 'to', 'Column_3']);
  });
});

describe('recipientsOf', () => {
  it('has the columns that the template uses, and the reference', () => {
    const csv = table('name,phone,city,reference\nAda,4155552671,London,a-1\n\nBob,4155552672');
    const { recipients, lines } = recipientsOf(csv, guessMapping(csv.rows), 'Hi {{ name }}, {{name}} {{unknown}}');
    expect(recipients).toEqual([
      { to: '4155552671', name: 'Ada', reference: 'a-1' },
      { to: '4155552672', name: 'Bob' },
    ]);
    expect(lines).toEqual([2, 4]);
  });
});

describe('filledIn', () => {
  it('replaces variables once, and keeps unknown ones', () => {
    const text = filledIn('{{name}} {{ to }} {{constructor}} {{x}}', { to: '1', name: '$& {{to}}' });
    expect(text).toBe('$& {{to}} 1 {{constructor}} {{x}}');
    expect(variablesOf('{{a}} {{ b }} {{a}} {{ no good }}')).toEqual(['a', 'b']);
  });
});

describe('otherCharactersIn', () => {
  const list = (text: string) => {
    const csv = table(text);
    return { table: csv, mapping: guessMapping(csv.rows) };
  };
  const people = list('name,phone,city\n“Ada”,4155552671,東京\nЖук,4155552672,京');

  it.each([
    ['auto', 'Hi {{name}}…', ['…', '“', '”', 'Ж', 'у', 'к']],
    ['gsm7', 'Hi {{name}}', ['“', '”', 'Ж', 'у', 'к']],
    ['smart', 'Hi {{name}}…', ['Ж', 'у', 'к']],
    ['auto', 'Hi', []],
    ['smart', 'Hi – “you”…', []],
  ] as const)('lists what does not fit with %s in %s', (encoding, template, characters) => {
    expect(otherCharactersIn(people, template, encoding)).toEqual(characters);
  });

  it('reads the message alone without a list, and lists only the first ones', () => {
    expect(otherCharactersIn(undefined, 'Hi {{name}} 😀', 'auto')).toEqual(['😀']);
    expect(otherCharactersIn(undefined, 'абвгдежзийкл', 'smart')).toHaveLength(10);
  });
});
