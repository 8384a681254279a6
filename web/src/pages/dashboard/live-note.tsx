import { useLiveState, type LiveState } from '../../dashboard/live-events.js';
import styles from './live-note.module.css';

const notes: Record<LiveState, readonly [word: string, meaning: string]> = {
  live: ['Live', 'What changes is shown at once.'],
  connecting: ['Connecting...', 'The connection was lost and is tried again. What you see may be older.'],
  ended: ['Not live', 'Too many windows show this dashboard. Reload this one to see what changes.'],
};

/** Whether what is shown follows what happens. */
export function LiveNote() {
  const state = useLiveState();
  const [word, meaning] = notes[state];
  return (
    <p className={`${styles.note} ${styles[state]}`} role="status" title={meaning}>
      {word}
      <span className="visually-hidden"> {meaning}</span>
    </p>
  );
}
