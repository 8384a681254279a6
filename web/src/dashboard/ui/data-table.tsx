import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the right, so that they can be compared. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  /** What the table shows, for those who do not see what is around it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are read. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row, place: number) => string | number;
  /** Other rows are being read: these are still shown, but pale. */
  readonly isBusy?: boolean;
  /** How many places are kept for rows that are being read. */
  readonly placesKept?: number;
}

/**
 * Rows of data; on phones each row is a card. A row opens by a click anywhere on it when one of its cells has a link or a button
 * that carries `data-open`: that one is what the keyboard reaches.
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

/** A click beside the opener is the mouse's shortcut to it; the keyboard needs none. */
function openByClick(rows: HTMLElement | null): () => void {
  rows?.addEventListener('click', openRow);
  return () => rows?.removeEventListener('click', openRow);
}

function openRow({ target }: Event): void {
  // What can be clicked by itself does its own, and text may be marked.
  if (!(target instanceof Element) || target.closest('a, button, input, select, summary, dialog')) return;
  if (window.getSelection()?.isCollapsed === false) return;
  target.closest('tr')?.querySelector<HTMLElement>('[data-open]')?.click();
}
