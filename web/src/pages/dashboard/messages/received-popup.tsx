import type { ReceivedRow } from '#contract/histories.js';
import { credits } from '../../../ui/credits.js';
import { Dialog } from '../../../dashboard/ui/dialog.js';
import { Facts } from '../../../dashboard/ui/facts.js';
import { StatusLabel } from '../../../dashboard/ui/status-label.js';
import { MessageWebhooks } from './message-webhooks.js';
import styles from './received-popup.module.css';

interface ReceivedPopupProps {
  readonly message: ReceivedRow;
  readonly onClose: () => void;
}

/** A message that came, and how it was passed on to the account's webhook. */
export function ReceivedPopup({ message, onClose }: ReceivedPopupProps) {
  const { messageId, date, from, to, segments, status } = message;
  return (
    <Dialog title={`Message from ${from}`} onClose={onClose}>
      <div className={styles.popup}>
        <p className={styles.text} dir="auto">
          {message.message}
        </p>
        <Facts
          facts={[
            ['Received', date],
            ['By', to],
            ['Message id', <code key="id">{messageId}</code>],
            ['Segments', segments],
            ['Price', status === 'held' ? '1 credit, when it is forwarded' : credits(message.credits)],
            ['Status', <StatusLabel key="status" status={status} />],
          ]}
        />
        {status === 'held' ? (
          <p>You had no credits when it came. It goes to your webhook as soon as you have some.</p>
        ) : (
          <MessageWebhooks messageId={messageId} />
        )}
      </div>
    </Dialog>
  );
}
