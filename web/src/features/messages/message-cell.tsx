import { Dialog } from '../../ui/dialog.js';
import { cutText, orRemoved } from '../../ui/format.js';
import styles from './history.module.css';

interface MessageCellProps {
  readonly text: string;
  /** Shows the whole message. */
  readonly onMore: () => void;
}

/** The start of a message, and a button that shows the rest. */
export function MessageCell({ text, onMore }: MessageCellProps) {
  const { shown, isCut } = cutText(orRemoved(text));
  return (
    <span className={styles.cell}>
      <bdi className={styles.cellText}>{shown}</bdi>
      {isCut && (
        <button type="button" className={styles.more} onClick={onMore}>
          +<span className="visually-hidden"> whole message</span>
        </button>
      )}
    </span>
  );
}

export interface PoppedMessage {
  readonly messageId: string;
  readonly message: string;
}

interface MessagePopupProps extends PoppedMessage {
  readonly onClose: () => void;
}

/** The whole message, worded as in the product specification, section 2. */
export function MessagePopup({ messageId, message, onClose }: MessagePopupProps) {
  return (
    <Dialog title="Message" onClose={onClose}>
      <p className={styles.popupText}>
        Msg Id - {messageId} <bdi>{message}</bdi>
      </p>
    </Dialog>
  );
}
