import { type RejectedItem, templateVariable } from '#contract/bulk.js';
import { plainTyped } from '#contract/characters.js';
import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import { isGsm7, smartText, unicodeCharactersIn } from '#contract/sms-characters.js';
import { inDashboardWords } from '../composer/link-advice.js';
import { type Csv, type CsvRow, parseCsv, type Unreadable } from '#contract/csv.js';

/** Mapping of a table's rows to recipients. */
export interface Mapping {
  /** The first row has the names of the columns. */
  readonly hasNames: boolean;
  /** Index of the column with the numbers. */
  readonly numberColumn: number;
}

/** A table, and the mapping of its rows to recipients. */
export interface RecipientTable {
  readonly table: Csv;
  readonly mapping: Mapping;
}

/** A column, and its variable `{{name}}` in a template. */
interface ColumnName {
  /** Title as in the file. */
  readonly title: string;
  readonly name: string;
}

/**
 * A recipient as POST /api/sendbulk takes it: its number, and the columns that the template uses.
 */
export interface Recipient {
  readonly to: string;
  readonly [variable: string]: string;
}

export interface Recipients {
  readonly recipients: readonly Recipient[];
  /** Line of each recipient. */
  readonly lines: readonly number[];
}

/** Maximum of rows, with a row for column names. */
const ROWS_MAX = limits.bulkMessagesMax + 1;
const GUESSED_BY_ROWS = 50;
const NUMBER_TITLE = /phone|mobile|cell|number|recipient|msisdn|tel|^to$/i;
const count = (rows: number) => rows.toLocaleString('en-US');

/** Parses a CSV file, or typed numbers: each on a line, or all on one line. */
export function readTable(text: string): Csv | Unreadable {
  const table = parseCsv(text, ROWS_MAX);
  if ('fault' in table) return table;
  const [only] = table.rows;
  if (!only) return { fault: 'There are no rows.' };
  if (table.count > 1 || only.cells.length < 2 || !only.cells.every(isNumberLike)) return table;
  return { rows: only.cells.map((cell) => ({ line: only.line, cells: [cell] })), count: only.cells.length };
}

/** Chooses the column with the most cells like phone numbers; the name decides a tie. */
export function guessMapping(rows: readonly CsvRow[]): Mapping {
  const sample = rows.slice(0, GUESSED_BY_ROWS);
  const [first] = sample;
  const scores = titlesOf(sample).map((_title, column) => {
    const likes = sample.filter(({ cells }) => isNumberLike(cells[column] ?? '')).length;
    const title = first?.cells[column] ?? '';
    return likes + (NUMBER_TITLE.test(title) && !isNumberLike(title) ? 0.5 + sample.length / 2 : 0);
  });
  const numberColumn = Math.max(0, scores.indexOf(Math.max(...scores)));
  return { numberColumn, hasNames: sample.length > 1 && !isNumberLike(first?.cells[numberColumn] ?? '') };
}

/** The rows without the names of the columns. */
export function dataRows(table: Csv, { hasNames }: Mapping): readonly CsvRow[] {
  return hasNames ? table.rows.slice(1) : table.rows;
}

/** Reason why the table cannot be sent as one bulk. */
export function faultOfTable(table: Csv, { hasNames }: Mapping): string | undefined {
  const rows = table.count - (hasNames ? 1 : 0);
  if (rows === 0) return 'There are no rows below the names of the columns.';
  if (rows <= limits.bulkMessagesMax) return undefined;
  const files = Math.ceil(rows / limits.bulkMessagesMax);
  return (
    `There are ${count(rows)} rows, and a bulk has at most ${count(limits.bulkMessagesMax)}. Split them ` +
    `into ${count(files)} files.`
  );
}

/** The names of the columns in templates: letters, digits and underscores, each only once. */
export function columnNames(table: Csv, { hasNames, numberColumn }: Mapping): readonly ColumnName[] {
  const taken = new Set(['to']);
  const titles = titlesOf(table.rows.slice(0, GUESSED_BY_ROWS));
  return titles.map((_title, column) => {
    const title = (hasNames && table.rows[0]?.cells[column]) || `Column ${column + 1}`;
    if (column === numberColumn) return { title, name: 'to' };
    const plain = title.replaceAll(/[^\p{L}\p{N}]+/gu, '_').replaceAll(/^_+|_+$/g, '') || `column_${column + 1}`;
    let name = plain;
    for (let other = 2; taken.has(name); other += 1) name = `${plain}_${other}`;
    taken.add(name);
    return { title, name };
  });
}

/** The variables of a template, each once. */
export function variablesOf(template: string): readonly string[] {
  return [...new Set(Array.from(template.matchAll(templateVariable), ([, name = '']) => name))];
}

/**
 * One recipient per row, with the columns that the template uses and the reference of the row, or
 * else the given reference. Omits cells that a row lacks.
 */
export function recipientsOf(table: Csv, mapping: Mapping, template: string, reference = ''): Recipients {
  const wanted = new Set([...variablesOf(template), 'reference']);
  const columns = columnNames(table, mapping)
    .map(({ name }, column) => ({ name, column }))
    .filter(({ name, column }) => column !== mapping.numberColumn && wanted.has(name));
  const rows = dataRows(table, mapping);
  return {
    recipients: rows.map(({ cells }) => ({
      ...(reference !== '' && { reference }),
      ...Object.fromEntries(
        columns.flatMap(({ name, column }) => {
          const cell = cells[column];
          return cell === undefined || (name === 'reference' && cell.trim() === '') ? [] : [[name, cell]];
        }),
      ),
      to: cells[mapping.numberColumn] ?? '',
    })),
    lines: rows.map(({ line }) => line),
  };
}

/**
 * The text for a recipient. A variable without a value stays unchanged; the server refuses it.
 */
export function filledIn(template: string, recipient: Recipient): string {
  return template.replaceAll(templateVariable, (variable, name: string) =>
    Object.hasOwn(recipient, name) ? (recipient[name] ?? variable) : variable,
  );
}

/**
 * The first characters of all messages that GSM-7 lacks, after the replacements of `smart`.
 */
export function otherCharactersIn(list: RecipientTable | undefined, template: string, encoding: SmsEncoding): string[] {
  const { recipients } = list ? recipientsOf(list.table, list.mapping, template) : { recipients: [] };
  const found = new Set<string>();
  for (const text of new Set([template, ...recipients.map((recipient) => filledIn(template, recipient))])) {
    if (isGsm7(text)) continue;
    for (const character of unicodeCharactersIn(encoding === 'smart' ? smartText(text) : text)) found.add(character);
    if (found.size >= limits.quoteUnicodeCharactersMax) break;
  }
  return [...found].slice(0, limits.quoteUnicodeCharactersMax);
}

/** Reason why an item was rejected; names items by their lines. */
export function reasonOf({ code, detail }: RejectedItem, lines: readonly number[]): string {
  const [, first] = /^Item (\d+) /.exec(detail) ?? [];
  if (code !== 'duplicate' || first === undefined) return inDashboardWords(detail);
  return `Line ${lines[Number(first)]} has the same number and text, which is sent once.`;
}

/** Whether a cell looks like a phone number. The server decides whether it is one. */
function isNumberLike(cell: string): boolean {
  const plain = plainTyped(cell);
  const digits = plain.replaceAll(/\D/g, '').length;
  return digits >= 7 && digits <= 15 && /^\+?[\d\s().\-/]+$/.test(plain);
}

/** Empty titles, as many as the widest row has cells. */
function titlesOf(rows: readonly CsvRow[]): readonly undefined[] {
  return Array.from({ length: Math.max(0, ...rows.map(({ cells }) => cells.length)) });
}
