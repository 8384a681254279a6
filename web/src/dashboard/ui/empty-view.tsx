import type { ReactNode } from 'react';
import styles from './empty-view.module.css';

interface EmptyViewProps {
  readonly title: string;
  /** What will be seen here. */
  readonly text?: ReactNode;
  /** The one thing to do next. */
  readonly children?: ReactNode;
}

/** What stands where there is nothing yet. */
export function EmptyView({ title, text, children }: EmptyViewProps) {
  return (
    <div className={styles.empty}>
      <svg
        className={styles.drawing}
        width={120}
        height={72}
        viewBox="0 0 120 72"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {/* The mark's speech bubble, and what has not been said yet. */}
        <path d="M38 8a26 26 0 1 1-10.8 49.7L14 62l4.4-12A26 26 0 0 1 38 8Z" />
        <circle cx={38} cy={34} r={18} strokeDasharray="3 5" />
        <path d="M76 24h36M76 36h26M76 48h32" strokeDasharray="1 6" />
      </svg>
      <p className={styles.title}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      {children && <div className={styles.next}>{children}</div>}
    </div>
  );
}
