import { Link } from 'react-router';
import type { MessageStatus, SendSmsAnswer } from '#contract/messages.js';
import { messagePath } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { newYorkTime } from '../../ui/format.js';
import { Notice } from '../../ui/surface.js';
import { useSentMessage } from '../dashboard/sent-message.js';
import { StatusLabel } from '../dashboard/status-label.js';
import styles from './send.module.css';

/** The answer to an accepted message. */
export function SentNotice({ answer }: { answer: SendSmsAnswer }) {
  const { message_id: id, test, send_at: sendAt } = answer;
  return (
    <Notice kind="good" role="status">
      <div className={styles.sent}>
        {test ? (
          <>
            <p>The test passed. Nothing was sent, and you were not charged.</p>
            <p>
              The message would have {segments(answer.segments)} and cost {credits(answer.credits)}.
            </p>
            <p className={styles.id}>{id}</p>
          </>
        ) : (
          <>
            <p>
              {sendAt ? `The message leaves at ${newYorkTime(sendAt)} New York time` : 'The message is on its way'}:{' '}
              {segments(answer.segments)}, {credits(answer.credits)}.
            </p>
            <Link className={styles.id} to={messagePath(id)}>
              {id}
            </Link>
            <LiveStatus messageId={id} first={sendAt ? 'scheduled' : 'queued'} />
          </>
        )}
      </div>
    </Notice>
  );
}

/** The current status of the message. */
function LiveStatus({ messageId, first }: { messageId: string; first: MessageStatus }) {
  const { data } = useSentMessage(messageId);
  return (
    <p className={styles.status}>
      <StatusLabel status={data?.status ?? first} />
    </p>
  );
}

function segments(count: number): string {
  return count === 1 ? '1 segment' : `${count} segments`;
}
