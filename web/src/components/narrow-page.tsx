import type { ReactNode } from 'react';
import { Mark } from '../ui/mark.js';
import styles from './narrow-page.module.css';

/** A page with one thing to do: a title above a card. */
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
