import type { TimelineStep } from '#contract/histories.js';
import { StatusShape, statusWords } from '../../../dashboard/ui/status-label.js';
import styles from './timeline.module.css';

const ahead: Readonly<Record<TimelineStep['status'], string>> = {
  queued: 'Waits for its turn.',
  sending: 'Is being handed to the carrier.',
  sent: 'The carrier has it; its receipt is awaited.',
  delivered: '',
  undelivered: '',
  failed: '',
};

/** The states that a message has reached, each with its time in New York; what it waits for now. */
export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  const last = steps.at(-1)?.status;
  return (
    <ol className={styles.steps} aria-label="Timeline" aria-live="polite">
      {steps.map(({ status, date, at }) => (
        <li key={status} className={styles.step}>
          <StatusShape status={status} />
          <span className={styles.word}>{statusWords[status]}</span>
          <time className={styles.at} dateTime={at}>
            {date}
          </time>
          {status === last && ahead[status] && <span className={styles.ahead}>{ahead[status]}</span>}
        </li>
      ))}
    </ol>
  );
}
