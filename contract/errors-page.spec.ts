import { readFileSync } from 'node:fs';
import { errorCatalogue, publicCode, type ErrorCode } from './errors.js';

const page = readFileSync(`${__dirname}/../docs/errors.md`, 'utf8');

/** HTTP status, code and text of every row of the page's tables. */
const rows = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, status]) => /^\d{3}$/.test(status ?? ''))
  .map(([, status, code, text, when, what]) => ({ row: [status, code, text].join(' '), when, what }));

const catalogue = Object.entries(errorCatalogue).map(([code, { status, text }]) =>
  [status, `\`${publicCode(code as ErrorCode)}\``, text].join(' '),
);

describe('docs/errors.md', () => {
  it('has a row for every error of the catalogue with its status and exact text, and none for others', () => {
    expect(rows.map(({ row }) => row).sort()).toEqual(catalogue.sort());
  });

  it('says of each when it comes and what to do', () => {
    expect(rows.filter(({ when, what }) => !when || !what)).toEqual([]);
  });
});
