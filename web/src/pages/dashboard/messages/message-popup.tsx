import { Dialog } from '../../../dashboard/ui/dialog.js';
import styles from './message-popup.module.css';

export interface PoppedMessage {
  readonly messageId: string;
  readonly message: string;
}

interface MessagePopupProps extends PoppedMessage {
  readonly onClose: () => void;
}

/** A message whole, in the words of the product specification, section 2. */
export function MessagePopup({ messageId, message, onClose }: MessagePopupProps) {
  return (
    <Dialog title="Message" onClose={onClose}>
      <p className={styles.text}>
        Msg Id - {messageId} <bdi>{message}</bdi>
      </p>
    </Dialog>
  );
}
