import { UsageError } from './terminal.js';

/**
 * Rows of a CSV file (RFC 4180) by the names of its first line. The separator is a comma, or a
 * semicolon or tab if the first line has one and no comma. Throws {@link UsageError}.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = cellsOf(text.replace(/^\ufeff/, ''));
  const names = head.map((name) => name.trim());
  if (names.every((name) => name === ''))
    throw new UsageError('The file is empty: its first line must name the columns.');
  return rows.map((cells, index) => {
    if (cells.length > names.length)
      throw new UsageError(`Row ${index + 1} has ${cells.length} columns, but the first line names ${names.length}.`);
    return Object.fromEntries(names.map((name, column) => [name, cells[column] ?? '']));
  });
}

function cellsOf(text: string): string[][] {
  const firstLine = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const separator = firstLine.includes(',') ? ',' : (/[;\t]/.exec(firstLine)?.[0] ?? ',');
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
    row.push(cell);
    at = end;
    if (text[at] === separator) {
      at += 1;
      if (at < text.length) continue;
      row.push('');
    } else if (at < text.length && text[at] !== '\r' && text[at] !== '\n') {
      throw new UsageError(`Row ${rows.length}: text follows a closing quotation mark.`);
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (row.some((one) => one !== '')) rows.push(row);
    row = [];
  }
  return rows;
}

function plainCell(text: string, start: number, separator: string): { cell: string; end: number } {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\r' && text[end] !== '\n') end += 1;
  return { cell: text.slice(start, end), end };
}

function quotedCell(text: string, start: number): { cell: string; end: number } {
  let cell = '';
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new UsageError('A quotation mark is not closed.');
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    at = quote + 2;
  }
}
