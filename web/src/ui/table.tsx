import type { ReactNode } from 'react';
import styles from './table.module.css';

interface TableProps {
  /** Accessible name of the table. */
  readonly label: string;
  /** `<thead>` and `<tbody>`. Mark number cells with `data-number` and highlighted rows with `data-strong`. */
  readonly children: ReactNode;
}

/** A table that scrolls sideways when it does not fit. */
export function Table({ label, children }: TableProps) {
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}
