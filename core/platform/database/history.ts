import { limits } from '#contract/limits.js';
import { dayAfter, newYorkTimestamp, startOfNewYorkDay } from '../../rules/time.js';
import type { Condition, Numbered, NumberedRows, Search, Span } from './numbered-rows.js';

/**
 * Filter of a history; `from` and `to` are days in New York, `continue` is the position where an
 * earlier answer ended.
 */
interface HistoryFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly continue?: number | undefined;
}

/** Page, numbered from 1, and rows per page; a search is always newest first. */
interface HistoryPaging {
  readonly page: number;
  readonly size: number;
  readonly order: 'newest' | 'oldest';
}

/** A page, and the position where its search ended: see `historyOf` in contract/histories. */
export interface HistoryPage<Row> {
  readonly rows: Row[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly among: number;
  readonly more: boolean;
  readonly searchedTo: string | null;
  readonly continue: number | null;
  readonly anchor: number;
}

/** Columns of a CSV file of these rows. */
interface CsvShape<Row> {
  readonly head: readonly string[];
  readonly cellsOf: (row: Row) => readonly CsvCell[];
}

/**
 * An account's rows, newest first: in pages that cost the same at any depth, or all of them in
 * bounded memory.
 */
export class History<Row extends Numbered> {
  constructor(private readonly rows: NumberedRows<Row>) {}

  /** A filter of days needs no search: the rows between them are counted by their numbers. */
  async page(
    accountId: string,
    paging: HistoryPaging,
    filter: HistoryFilter,
    conditions: readonly Condition[],
  ): Promise<HistoryPage<Row>> {
    const span = await this.spanOf(accountId, filter);
    if (conditions.length > 0) return this.searchedPage(accountId, paging, span, conditions);
    const { size, order } = paging;
    const total = Math.max(0, span.below - span.first);
    const { page, pages } = pageOf(paging.page, total, size);
    const skipped = (page - 1) * size;
    const numbers = Array.from({ length: Math.max(0, Math.min(size, total - skipped)) }, (_, index) =>
      order === 'newest' ? span.below - 1 - skipped - index : span.first + skipped + index,
    );
    const found = await this.rows.read(accountId, numbers);
    const rows = order === 'newest' ? found : found.reverse();
    return {
      rows,
      page,
      pages,
      total,
      among: total,
      more: false,
      searchedTo: null,
      continue: null,
      anchor: span.below,
    };
  }

  /** Streams all rows as a CSV file. */
  async csv(
    accountId: string,
    filter: HistoryFilter,
    conditions: readonly Condition[],
    { head, cellsOf }: CsvShape<Row>,
  ): Promise<AsyncGenerator<string>> {
    const span = await this.spanOf(accountId, filter);
    return csvFile(head, this.batches(accountId, span, conditions, limits.exportBatchRowsMax), cellsOf);
  }

  /** Yields all rows, newest first, in batches that are read on demand. */
  async *all(accountId: string): AsyncGenerator<Row[]> {
    const span = await this.spanOf(accountId, {});
    yield* this.batches(accountId, span, [], limits.exportBatchRowsMax);
  }

  /**
   * Range of numbers for a filter's days and its `continue`; it excludes rows that are written
   * later.
   */
  private async spanOf(accountId: string, { from, to, continue: continued }: HistoryFilter): Promise<Span> {
    const newest = Math.min(await this.rows.newest(accountId), continued === undefined ? Infinity : continued - 1);
    const firstSince = (day: string) => this.rows.firstSince(accountId, newest, startOfNewYorkDay(day));
    const first = from === undefined ? 1 : await firstSince(from);
    const below = to === undefined ? newest + 1 : await firstSince(dayAfter(to));
    return { first, below };
  }

  /** Reads rows in bounded batches, on demand. */
  private async *batches(
    accountId: string,
    span: Span,
    conditions: readonly Condition[],
    rowsMax: number,
  ): AsyncGenerator<Row[]> {
    const hasIndex = conditions.some(({ index }) => index !== 'none');
    let { below } = span;
    while (below > span.first) {
      const first = hasIndex ? span.first : Math.max(span.first, below - rowsMax);
      const rows = await this.rows.newestOf(accountId, { first, below }, conditions, rowsMax);
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      below = hasIndex && last && rows.length === rowsMax ? last.number : first;
    }
  }

  private async searchedPage(
    accountId: string,
    { page: asked, size }: HistoryPaging,
    span: Span,
    conditions: readonly Condition[],
  ): Promise<HistoryPage<Row>> {
    const lead = conditions.find(({ index }) => index !== 'none');
    const others = conditions.filter((condition) => condition !== lead);
    const rowsMax = searchBound(lead, others);
    // Without a suitable index, the range of numbers bounds the search for any plan of Postgres.
    const within = lead ? span : { ...span, first: Math.max(span.first, span.below - rowsMax) };
    const bounds = { rowsMax, page: asked, pageSize: size };
    const search = await this.rows.search(accountId, within, { lead, others }, bounds);
    const rows = await this.rows.read(accountId, search.numbers);
    return {
      rows,
      total: search.total,
      among: Math.max(0, span.below - span.first),
      ...pageOf(asked, search.total, size),
      ...restOf(span, search, rowsMax),
      anchor: span.below,
    };
  }
}

/** Returns a bound at which every search takes about the same time. */
function searchBound(lead: Condition | undefined, others: readonly Condition[]): number {
  if (!lead) return limits.searchedRowsMax;
  return lead.index === 'numbers' && others.length === 0 ? limits.searchedNumbersMax : limits.searchedScatteredRowsMax;
}

/**
 * Returns whether there are rows that the search did not read, and the position to continue from.
 */
function restOf(
  span: Span,
  { looked, lowest, lowestAt }: Search,
  rowsMax: number,
): Pick<HistoryPage<Numbered>, 'more' | 'searchedTo' | 'continue'> {
  const more = looked === rowsMax && lowest !== null && lowestAt !== null && lowest > span.first;
  return more
    ? { more, searchedTo: newYorkTimestamp(lowestAt), continue: lowest }
    : { more, searchedTo: null, continue: null };
}

/**
 * Clamps a requested page to the last page. Pages are numbered from 1; an empty list has one page.
 */
export function pageOf(asked: number, total: number, size: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / size));
  return { page: Math.min(asked, pages), pages };
}

export type CsvCell = string | number | PhoneCell | null;

/** A phone number or sender, which programs need unchanged. */
interface PhoneCell {
  readonly phone: string;
}

export function phoneCell(number: string): PhoneCell {
  return { phone: number };
}

// OWASP, "CSV Injection": a spreadsheet evaluates a cell that begins with one of these characters,
// also in full width. A spreadsheet that splits cells at another separator begins a cell after it.
const FORMULA = /(^|[,;|\t\r\n])([ \t\r\n"']{0,20})(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const CONTROL = /^[\t\r\n]/;
// A plus and digits are harmless; in names and texts they get the apostrophe even so, as other
// formulas do.
const PHONE_NUMBER = /^\+\d{1,15}$/;

/**
 * Formats a record by RFC 4180, with every text quoted. A text that a spreadsheet would evaluate as
 * a formula gets an apostrophe before it; a number in a column of phone numbers does not.
 */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(fieldOf).join(',')}\r\n`;
}

// Without this mark Excel reads a file in the system's legacy code page instead of UTF-8.
const BYTE_ORDER_MARK = '\ufeff';

/** Generates a CSV file: first the header, then each batch of rows on demand. */
export async function* csvFile<Row>(
  head: readonly string[],
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  cellsOf: (row: Row) => readonly CsvCell[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord(head);
  for await (const rows of batches) yield rows.map((row) => csvRecord(cellsOf(row))).join('');
}

function fieldOf(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return `"${safe(cell).replaceAll('"', '""')}"`;
}

function safe(cell: string | PhoneCell): string {
  if (typeof cell === 'string') return harmless(cell);
  return PHONE_NUMBER.test(cell.phone) ? cell.phone : harmless(cell.phone);
}

function harmless(text: string): string {
  const prefixed = text.replace(FORMULA, "$1$2'");
  return CONTROL.test(prefixed) ? `'${prefixed}` : prefixed;
}
