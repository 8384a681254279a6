import type { ReactNode } from 'react';
import styles from './table.module.css';

interface TableProps {
  /** What the table shows, for those who do not see what is around it. */
  readonly label: string;
  /** `<thead>` and `<tbody>`. Cells with numbers carry `data-number`, rows to stand out `data-strong`. */
  readonly children: ReactNode;
}

/** A table that scrolls sideways where it does not fit. */
export function Table({ label, children }: TableProps) {
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}
