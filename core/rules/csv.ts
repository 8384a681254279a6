export type CsvCell = string | number | null;

// OWASP, "CSV Injection": a spreadsheet runs what begins so, also in the wide forms of East Asian writing.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
// A plus and digits alone can do nothing, and programs need the number as it is.
const PHONE_NUMBER = /^\+\d{1,15}$/;
const SPECIAL = /[",\r\n]/;

/** One record of a CSV file by RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(fieldOf).join(',')}\r\n`;
}

// Excel takes a file for the system's old code page unless this mark says UTF-8; the files are for people and their tables.
const BYTE_ORDER_MARK = '\ufeff';

/** The text of a CSV file: its head at once, then each batch of rows when it is asked for. */
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
