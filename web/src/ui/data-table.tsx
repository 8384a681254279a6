import type { ReactNode } from 'react';
import { Button } from './button.js';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned for comparison. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row, place: number) => string | number;
  /** Other rows are loading; these are shown dimmed. */
  readonly isBusy?: boolean;
  /** How many placeholder rows are shown while loading. */
  readonly placesKept?: number;
}

/**
 * Rows of data; on phones each row is a card. If a cell has a link or button with `data-open`, clicking anywhere on the
 * row activates it.
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
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" data-number={isNumber}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={openByClick}>
          {rows
            ? rows.map((row, place) => (
                <tr key={keyOf(row, place)}>
                  {columns.map(({ title, cell, isNumber }) => (
                    <td key={title} data-title={title} data-number={isNumber}>
                      <div className={styles.value}>{cell(row)}</div>
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

function EmptyPlace<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr aria-hidden="true">
      {columns.map(({ title, isNumber }) => (
        <td key={title} data-title={title} data-number={isNumber}>
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

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
}

/** Previous and Next below a table. */
export function Pager({ page, pages, onTurn }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label="Pages">
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
