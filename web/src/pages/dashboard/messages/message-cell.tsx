import { cutText } from './cut-text.js';
import styles from './message-cell.module.css';

interface MessageCellProps {
  readonly text: string;
  /** Shows all of it. */
  readonly onMore: () => void;
}

/** The beginning of a message, and a button for the rest of a longer one. */
export function MessageCell({ text, onMore }: MessageCellProps) {
  const { shown, isCut } = cutText(text);
  return (
    <span className={styles.cell}>
      <bdi className={styles.text}>{shown}</bdi>
      {isCut && (
        <button type="button" className={styles.more} onClick={onMore}>
          +<span className="visually-hidden"> whole message</span>
        </button>
      )}
    </span>
  );
}
