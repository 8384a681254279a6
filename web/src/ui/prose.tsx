import type { ReactNode } from 'react';
import styles from './prose.module.css';

/** Text to read: headings, paragraphs, lists and code at a comfortable width. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={styles.prose}>{children}</div>;
}
