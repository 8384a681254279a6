import type { ReactNode } from 'react';
import styles from './page-frame.module.css';

interface PageFrameProps {
  readonly title: ReactNode;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}

/** A page with its title, as wide as public pages are. */
export function PageFrame({ title, lead, children }: PageFrameProps) {
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <h1>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {children}
    </div>
  );
}
