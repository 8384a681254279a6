import { Link } from 'react-router';
import type { SendSmsAnswer } from '#contract/messages.js';
import { StatusLabel } from '../../../dashboard/ui/status-label.js';
import { messagePath } from '../../../paths.js';
import { credits } from '../../../ui/credits.js';
import { Notice } from '../../../ui/notice.js';
import { useSentMessage } from '../messages/use-sent-message.js';
import styles from './sent-notice.module.css';

/** The answer to a message that was taken in. */
export function SentNotice({ answer }: { answer: SendSmsAnswer }) {
  const { message_id: id, test } = answer;
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
              The message is on its way: {segments(answer.segments)}, {credits(answer.credits)}.
            </p>
            <Link className={styles.id} to={messagePath(id)}>
              {id}
            </Link>
            <LiveStatus messageId={id} />
          </>
        )}
      </div>
    </Notice>
  );
}

/** How far the message is, as it goes. */
function LiveStatus({ messageId }: { messageId: string }) {
  const { data } = useSentMessage(messageId);
  return (
    <p className={styles.status}>
      <StatusLabel status={data?.status ?? 'queued'} />
    </p>
  );
}

function segments(count: number): string {
  return count === 1 ? '1 segment' : `${count} segments`;
}
