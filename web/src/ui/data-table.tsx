import { type ReactNode, useId, useState } from 'react';
import { Button } from './button.js';
import styles from './data-table.module.css';
import { briefDayText, localTime, newYorkClock, newYorkDay, newYorkSecond, newYorkTime } from './format.js';

export interface Column<Row> {
  readonly title: string;
  /** `before` is the row above, if any. */
  readonly cell: (row: Row, before: Row | undefined) => ReactNode;
  /** Numbers are right-aligned for comparison. */
  readonly isNumber?: boolean;
  /**
   * Place in the lines of a row on phones, if any column has one: `title` and `state` on the first,
   * `text` and `time` on the second, `time` and `more` on a third if a column is `more`. Columns
   * without a place are omitted. Numbers below the first line follow their title.
   */
  readonly phone?: 'title' | 'state' | 'text' | 'time' | 'more';
  readonly sort?: Sort | undefined;
}

interface Sort {
  readonly order: 'ascending' | 'descending';
  /** Reverses the order. */
  readonly onTurn: () => void;
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row, place: number) => string | number;
  /** Other rows are loading; the current rows are shown dimmed. */
  readonly isBusy?: boolean;
  /** Number of placeholder rows while loading. */
  readonly placesKept?: number;
}

/**
 * Rows of data; on phones each row is a card. If a cell has a link or button with `data-open`,
 * clicking anywhere on the row activates it.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  isBusy = rows === undefined,
  placesKept = 3,
}: DataTableProps<Row>) {
  return (
    <div className={styles.frame} aria-busy={isBusy}>
      {!rows && (
        <p className="visually-hidden" role="status">
          Loading...
        </p>
      )}
      <table className={styles.table} aria-label={label} data-lines={linesOf(columns)}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, sort }) => (
              <th key={title} scope="col" data-number={isNumber} aria-sort={sort?.order}>
                {sort ? (
                  <button type="button" className={styles.sort} onClick={sort.onTurn}>
                    {title}
                    <span aria-hidden="true">{sort.order === 'descending' ? ' ↓' : ' ↑'}</span>
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={openByClick}>
          {rows
            ? rows.map((row, place) => (
                <tr key={keyOf(row, place)}>
                  {columns.map(({ title, cell, isNumber, phone }) => (
                    <td key={title} data-title={title} data-number={isNumber} data-phone={phone}>
                      <div className={styles.value}>{cell(row, rows[place - 1])}</div>
                    </td>
                  ))}
                </tr>
              ))
            : Array.from({ length: placesKept }, (_, place) => <EmptyPlace key={place} columns={columns} />)}
        </tbody>
      </table>
    </div>
  );
}

/** Lines of a row on phones; undefined where a row is a list of names and values. */
function linesOf<Row>(columns: readonly Column<Row>[]): 2 | 3 | undefined {
  if (columns.some(({ phone }) => phone === 'more')) return 3;
  return columns.some(({ phone }) => phone !== undefined) ? 2 : undefined;
}

function EmptyPlace<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr aria-hidden="true">
      {columns.map(({ title, isNumber, phone }) => (
        <td key={title} data-title={title} data-number={isNumber} data-phone={phone}>
          <Place />
        </td>
      ))}
    </tr>
  );
}

function Place() {
  return <span className={styles.place} />;
}

/** Delegates clicks on a row to its opener; keyboards reach the opener itself. */
function openByClick(rows: HTMLElement | null): () => void {
  rows?.addEventListener('click', openRow);
  return () => rows?.removeEventListener('click', openRow);
}

function openRow({ target }: Event): void {
  // Other controls keep their own behavior, and selecting text opens nothing.
  if (!(target instanceof Element) || target.closest('a, button, input, select, summary, dialog')) return;
  if (window.getSelection()?.isCollapsed === false) return;
  target.closest('tr')?.querySelector<HTMLElement>('[data-open]')?.click();
}

interface WhenProps {
  readonly at: string;
  /** Instant of the row above, whose day is not repeated. */
  readonly before: string | undefined;
  /** Also shows the seconds. */
  readonly isExact?: boolean;
}

/**
 * Day and time in New York; hovering, or focus within the row, shows the exact New York and local
 * time.
 */
export function When({ at, before, isExact = false }: WhenProps) {
  const day = newYorkDay(new Date(at));
  const isSame = before !== undefined && newYorkDay(new Date(before)) === day;
  return (
    <time className={styles.when} dateTime={at}>
      <span className={styles.day} data-same={isSame}>
        {briefDayText(day)}
      </span>{' '}
      <span className={styles.clock}>{isExact ? newYorkSecond(at) : newYorkClock(at)}</span>
      <span className={styles.exact} role="tooltip">
        <span>New York: {newYorkTime(at)}</span>
        <span>Here: {localTime(at)}</span>
      </span>
    </time>
  );
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
  /** Rows per page, where the size can be chosen. */
  readonly size?: number;
  readonly sizes?: readonly number[];
  readonly onSize?: (size: number) => void;
}

/** Previous and Next below a table. */
export function Pager({ page, pages, onTurn, size, sizes, onSize }: PagerProps) {
  const id = useId();
  return (
    <nav className={styles.pager} aria-label="Pages">
      {sizes && onSize && (
        <div className={styles.size}>
          <label htmlFor={id}>Rows per page</label>
          <select id={id} value={size} onChange={({ target }) => onSize(Number(target.value))}>
            {sizes.map((rows) => (
              <option key={rows}>{rows}</option>
            ))}
          </select>
        </div>
      )}
      <Button disabled={page <= 1} onClick={() => onTurn(page - 1)}>
        Previous
      </Button>
      <p aria-live="polite">
        Page {page.toLocaleString('en-US')} of {pages.toLocaleString('en-US')}
      </p>
      <Button disabled={page >= pages} onClick={() => onTurn(page + 1)}>
        Next
      </Button>
    </nav>
  );
}

/** Place in a list with cursors: each page is named by the cursor from the previous page. */
export function useCursor<Cursor>() {
  const [cursors, setCursors] = useState<readonly Cursor[]>([]);
  return {
    cursor: cursors.at(-1),
    page: cursors.length + 1,
    onStart: () => setCursors([]),
    onBack: () => setCursors(cursors.slice(0, -1)),
    onNext: (next: Cursor) => setCursors([...cursors, next]),
  };
}

interface CursorPagerProps<Cursor> extends Omit<ReturnType<typeof useCursor<Cursor>>, 'cursor' | 'onStart'> {
  /** The cursor of the next page; undefined on the last page. */
  readonly next: Cursor | undefined;
}

/** Previous and Next below a table; hidden when there is a single page. */
export function CursorPager<Cursor>({ page, next, onBack, onNext }: CursorPagerProps<Cursor>): ReactNode {
  if (page === 1 && next === undefined) return null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <Button disabled={page === 1} onClick={onBack}>
        Previous
      </Button>
      <p aria-live="polite">Page {page.toLocaleString('en-US')}</p>
      <Button
        disabled={next === undefined}
        onClick={() => {
          if (next !== undefined) onNext(next);
        }}
      >
        Next
      </Button>
    </nav>
  );
}
