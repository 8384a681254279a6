import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './surface.module.css';
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from './line-icons.js';

/** A bordered surface. */
export function Card({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

interface PanelProps extends Pick<ComponentProps<'form'>, 'onSubmit' | 'ref'> {
  readonly title: string;
  /** The id of the title, if links lead to it. */
  readonly id?: string;
  readonly children: ReactNode;
}

/** A titled section on a surface, or with `onSubmit` a form. */
export function Panel({ title, id, onSubmit, ref, children }: PanelProps) {
  const ownId = useId();
  const heading = (
    <h2 id={id ?? ownId} className={styles.title}>
      {title}
    </h2>
  );
  return (
    <Card>
      {onSubmit ? (
        <form ref={ref} className={styles.panel} onSubmit={onSubmit} noValidate>
          {heading}
          {children}
        </form>
      ) : (
        <section className={styles.panel} aria-labelledby={id ?? ownId}>
          {heading}
          {children}
        </section>
      )}
    </Card>
  );
}

const icons = { info: IconInfoCircle, good: IconCircleCheck, bad: IconAlertCircle };

interface NoticeProps {
  readonly kind: keyof typeof icons;
  /** `alert` for the result of a user action. */
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}

/** A notice whose icon carries its meaning beside the color. */
export function Notice({ kind, role, children }: NoticeProps) {
  const Icon = icons[kind];
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={role}>
      <Icon size={20} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}

interface TableProps {
  /** Accessible name of the table. */
  readonly label: string;
  /**
   * `<thead>` and `<tbody>`. Mark number cells with `data-number` and highlighted rows with
   * `data-strong`.
   */
  readonly children: ReactNode;
  /**
   * On phones each row is stacked: its first cell, then the others after their `data-title`, short
   * ones side by side with `data-short`.
   */
  readonly stacks?: boolean;
}

/** A table that scrolls sideways when it does not fit. */
export function Table({ label, children, stacks = false }: TableProps) {
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={label}>
      <table className={`${styles.table} ${stacks ? styles.stacks : ''}`}>{children}</table>
    </div>
  );
}
