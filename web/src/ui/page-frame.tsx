import type { ReactNode } from 'react';
import styles from './page-frame.module.css';
import { Mark } from './icons.js';

interface PageFrameProps {
  readonly title: ReactNode;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
  /** Limits the content to reading width. */
  readonly isNarrow?: boolean;
}

/** A public page with its title. */
export function PageFrame({ title, lead, children, isNarrow = false }: PageFrameProps) {
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <h1>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {isNarrow ? <div className={styles.narrow}>{children}</div> : children}
    </div>
  );
}

/** Reading text: headings, paragraphs, lists and code at a comfortable width. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={styles.prose}>{children}</div>;
}

/** A page with one task: a title above a card. */
export function NarrowPage({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.task}>
      <div className={styles.taskTop}>
        <Mark size={48} />
        <h1>{title}</h1>
        <p>{lead}</p>
      </div>
      <div className={styles.taskCard}>{children}</div>
    </div>
  );
}
