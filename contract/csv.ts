/** A row of a CSV file with at least one cell that is not empty. */
export interface CsvRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  /** Cells without surrounding white space. A formula is text like any other. */
  readonly cells: readonly string[];
}

export interface Csv {
  readonly rows: readonly CsvRow[];
  /** Number of rows in the file; `rows` has at most `rowsMax`. */
  readonly count: number;
}

/** Reason why a file cannot be read, for the reader. */
export interface Unreadable {
  readonly fault: string;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Rows by which the delimiter is guessed. */
const SAMPLE_ROWS = 20;
/** A line by which Excel names the delimiter. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\n|\r|$)/i;

/**
 * Parses comma-separated values (RFC 4180); the delimiter may also be a semicolon, a tab or a bar.
 */
export function parseCsv(text: string, rowsMax: number): Csv | Unreadable {
  const separator = SEPARATOR_LINE.exec(text);
  const start = separator?.[0].length ?? 0;
  const delimiter = separator?.[1] ?? guessDelimiter(text);
  const rows: CsvRow[] = [];
  let count = 0;
  let line = start > 0 ? 2 : 1;
  for (let at = start; at < text.length;) {
    const record = readRecord(text, at, delimiter);
    if (!record) return { fault: `The quotation mark that opens on line ${line} is never closed.` };
    const cells = record.cells.map((cell) => cell.trim());
    if (cells.some((cell) => cell !== '')) {
      count += 1;
      if (rows.length < rowsMax) rows.push({ line, cells });
    }
    line += record.lines;
    at = record.end;
  }
  return { rows, count };
}

interface Parsed {
  readonly cells: readonly string[];
  /** Index at which the next record begins. */
  readonly end: number;
  readonly lines: number;
}

/** Reads the record that begins at `at`. Returns undefined if a quoted cell does not end. */
function readRecord(text: string, at: number, delimiter: string): Parsed | undefined {
  const cells: string[] = [];
  let lines = 1;
  for (let place = at; ;) {
    let cell = '';
    if (text[place] === '"') {
      const close = closingQuote(text, place);
      if (close === undefined) return undefined;
      cell = text.slice(place + 1, close).replaceAll('""', '"');
      lines += (cell.match(/\r\n|\n|\r/g) ?? []).length;
      place = close + 1;
    }
    const end = endOfCell(text, place, delimiter);
    cells.push(cell + text.slice(place, end));
    if (text[end] === delimiter) place = end + 1;
    else return { cells, end: end + (text.startsWith('\r\n', end) ? 2 : 1), lines };
  }
}

/**
 * Returns the index of the quotation mark that closes the cell opened at `open`; a doubled mark
 * stands for itself.
 */
function closingQuote(text: string, open: number): number | undefined {
  for (let at = open + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return undefined;
    if (text[quote + 1] !== '"') return quote;
    at = quote + 2;
  }
}

function endOfCell(text: string, from: number, delimiter: string): number {
  let end = from;
  while (end < text.length) {
    const character = text[end];
    if (character === delimiter || character === '\n' || character === '\r') break;
    end += 1;
  }
  return end;
}

/**
 * Returns the delimiter that gives most of the first rows the same number of cells, at least two.
 */
function guessDelimiter(text: string): string {
  let best: { delimiter: string; alike: number; width: number } = { delimiter: ',', alike: 0, width: 1 };
  for (const delimiter of DELIMITERS) {
    const counts = new Map<number, number>();
    for (const width of sampleWidths(text, delimiter)) counts.set(width, (counts.get(width) ?? 0) + 1);
    for (const [width, alike] of counts) {
      const isBetter = alike > best.alike || (alike === best.alike && width > best.width);
      if (width > 1 && isBetter) best = { delimiter, alike, width };
    }
  }
  return best.delimiter;
}

function sampleWidths(text: string, delimiter: string): number[] {
  const widths: number[] = [];
  for (let at = 0; at < text.length && widths.length < SAMPLE_ROWS;) {
    const record = readRecord(text, at, delimiter);
    if (!record) break;
    if (record.cells.some((cell) => cell.trim() !== '')) widths.push(record.cells.length);
    at = record.end;
  }
  return widths;
}

interface FileText {
  readonly text: string;
  /** Set if the file is not Unicode. */
  readonly isLegacy: boolean;
}

/** First bytes of files that people choose by mistake, and advice. */
const otherFiles = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    fault: 'This is a workbook or an archive. Save the table as CSV and choose that file.',
  },
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    fault: 'This is an old Excel workbook. Save the table as CSV and choose that file.',
  },
  { bytes: [0x25, 0x50, 0x44, 0x46], fault: 'This is a PDF. Choose a CSV file.' },
] as const;

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with or without a byte order mark. Other bytes
 * are read as Windows-1252, in which older versions of Excel write CSV.
 */
export function textOfFile(bytes: Uint8Array): FileText | Unreadable {
  const other = otherFiles.find((one) => one.bytes.every((byte, place) => bytes[place] === byte));
  if (other) return { fault: other.fault };
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), isLegacy: false };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), isLegacy: false };
  if (bytes.includes(0)) {
    const text = decoded(bytes, likelyUtf16(bytes));
    return text === undefined || text.includes('\0')
      ? { fault: 'This is not a text file. Choose a CSV file.' }
      : { text, isLegacy: false };
  }
  const text = decoded(bytes, 'utf-8');
  return text === undefined
    ? { text: new TextDecoder('windows-1252').decode(bytes), isLegacy: true }
    : { text, isLegacy: false };
}

/**
 * Guesses the byte order of UTF-16 without a mark: digits, separators and line ends have a zero
 * byte.
 */
function likelyUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' {
  const zeros = [0, 0];
  for (const [place, byte] of bytes.entries()) if (byte === 0) zeros[place % 2] = (zeros[place % 2] ?? 0) + 1;
  const [high = 0, low = 0] = zeros;
  return low >= high ? 'utf-16le' : 'utf-16be';
}

/**
 * Returns undefined for bytes that are no text in this encoding (Encoding standard, section 8.2).
 */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
