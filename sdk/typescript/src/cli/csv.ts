import { readFileSync } from 'node:fs';
import { parseCsv, textOfFile } from '../../../../contract/csv.js';
import { type Terminal, UsageError } from './terminal.js';

/** The text of a file, in the encodings that the dashboard reads. Throws {@link UsageError}. */
export function readText(file: string, terminal: Terminal): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return textIn(bytes, terminal);
}

/** The text of standard input, read like a file. */
export async function pipedText(terminal: Terminal): Promise<string> {
  return textIn(await terminal.readAll(), terminal);
}

function textIn(bytes: Uint8Array, terminal: Terminal): string {
  const found = textOfFile(bytes);
  if ('fault' in found) throw new UsageError(found.fault);
  if (found.isLegacy) terminal.note('The text is not UTF-8: it was read as Windows-1252.');
  return found.text;
}

/**
 * Rows of a CSV file by the names of its first line, as the dashboard reads them. Throws
 * {@link UsageError}.
 */
export function recordsOf(text: string): Record<string, string>[] {
  const table = parseCsv(text, Number.POSITIVE_INFINITY);
  if ('fault' in table) throw new UsageError(table.fault);
  const [head, ...rows] = table.rows;
  if (!head) throw new UsageError('The file is empty: its first line must name the columns.');
  const names = head.cells;
  return rows.map(({ line, cells }) => {
    if (cells.length > names.length)
      throw new UsageError(`Line ${line} has ${cells.length} columns, but the first line names ${names.length}.`);
    return Object.fromEntries(names.map((name, column) => [name, cells[column] ?? '']));
  });
}
