import { useId, type ReactNode } from 'react';
import { Card } from '../../../ui/card.js';
import styles from './webhook-card.module.css';

/** One part of what is set. */
export function WebhookCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card>
      <section className={styles.card} aria-labelledby={id}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {children}
      </section>
    </Card>
  );
}
