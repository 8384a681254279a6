import type { ReactNode } from 'react';
import styles from './view.module.css';

interface ViewProps {
  readonly title: string;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  /** What can be done with all of it, beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One view of the dashboard. */
export function View({ title, lead, actions, children }: ViewProps) {
  return (
    <div className={styles.view}>
      <div className={styles.top}>
        <div>
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
