import type { ReactNode } from 'react';
import { Mark } from '../../ui/icons.js';
import styles from './sign-in.module.css';

/** A page with one task: a title above a card. */
export function NarrowPage({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <Mark size={48} />
        <h1>{title}</h1>
        <p>{lead}</p>
      </div>
      <div className={styles.card}>{children}</div>
    </div>
  );
}
