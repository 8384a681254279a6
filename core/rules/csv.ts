export type CsvCell = string | number | null;

// OWASP, "CSV Injection": a spreadsheet evaluates cells that begin with these characters, including their full-width forms.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
// A plus and digits are harmless, and programs need the number unchanged.
const PHONE_NUMBER = /^\+\d{1,15}$/;
const SPECIAL = /[",\r\n]/;

/** Formats a record by RFC 4180. A text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. */
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
  const text = FORMULA.test(cell) && !PHONE_NUMBER.test(cell) ? `'${cell}` : cell;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
