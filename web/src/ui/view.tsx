import type { ReactNode } from 'react';
import styles from './view.module.css';

interface ViewProps {
  readonly title: string;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  /** Actions beside the title. */
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

interface EmptyViewProps {
  readonly title: string;
  /** Describes the data that will appear here. */
  readonly text?: ReactNode;
  /** The next step. */
  readonly children?: ReactNode;
}

/** Shown where there is no data yet. */
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
        {/* The logo's speech bubble with empty lines. */}
        <path d="M38 8a26 26 0 1 1-10.8 49.7L14 62l4.4-12A26 26 0 0 1 38 8Z" />
        <circle cx={38} cy={34} r={18} strokeDasharray="3 5" />
        <path d="M76 24h36M76 36h26M76 48h32" strokeDasharray="1 6" />
      </svg>
      <p className={styles.emptyTitle}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      {children && <div className={styles.next}>{children}</div>}
    </div>
  );
}

/** A list of names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.pair}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
