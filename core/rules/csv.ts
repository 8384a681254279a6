export type CsvCell = string | number | null;

// OWASP, "CSV Injection": a spreadsheet evaluates a cell that begins with one of these characters, also in full width. One that
// splits cells at another separator than ours begins a cell after it.
const FORMULA = /(^|[,;|\t\r\n])([ \t\r\n"']{0,20})(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const CONTROL = /^[\t\r\n]/;
// A plus and digits are harmless, and programs need the number unchanged.
const PHONE_NUMBER = /^\+\d{1,15}$/;

/** Formats a record by RFC 4180, with every text quoted. What a spreadsheet would evaluate as a formula gets an apostrophe before it. */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(fieldOf).join(',')}\r\n`;
}

// Without this mark Excel reads a file in the system's legacy code page instead of UTF-8.
const BYTE_ORDER_MARK = '\ufeff';

/** Generates a CSV file: first the header, then each batch of rows on demand. */
export async function* csvFile<Row>(
  head: readonly string[],
  batches: AsyncIterable<readonly Row[]>,
  cellsOf: (row: Row) => readonly CsvCell[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord(head);
  for await (const rows of batches) yield rows.map((row) => csvRecord(cellsOf(row))).join('');
}

function fieldOf(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return `"${(PHONE_NUMBER.test(cell) ? cell : harmless(cell)).replaceAll('"', '""')}"`;
}

function harmless(text: string): string {
  const prefixed = text.replace(FORMULA, "$1$2'");
  return CONTROL.test(prefixed) ? `'${prefixed}` : prefixed;
}
