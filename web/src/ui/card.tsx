import type { ReactNode } from 'react';
import styles from './card.module.css';

/** A surface of its own. */
export function Card({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}
