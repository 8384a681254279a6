import { Link } from 'react-router';
import type { SendSmsAnswer } from '#contract/messages.js';
import type { ApiFailure } from '../../api/api-failure.js';
import { messagePath, paths } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Notice } from '../../ui/surface.js';
import { useSentMessage } from '../dashboard/sent-message.js';
import { StatusLabel } from '../dashboard/status-label.js';
import styles from './send.module.css';
import { mayHaveBeenSent } from './sending.js';

interface RefusalNoticeProps {
  readonly failure: ApiFailure;
  /** The detail is already shown beside a field. */
  readonly isBesideField: boolean;
  readonly isLive: boolean;
}

/** Why the message was rejected, in the words of the API. */
export function RefusalNotice({ failure, isBesideField, isLive }: RefusalNoticeProps) {
  const isUnsure = isLive && mayHaveBeenSent(failure);
  const needsCredits = failure.code === 'no_credits' || failure.code === 'insufficient_credits';
  return (
    <Notice kind="bad" role="alert">
      <div className={styles.refusal}>
        <p>{failure.message}</p>
        {!isBesideField && failure.detail && <p>{failure.detail}</p>}
        {isUnsure && <p>It may have been sent. You can send it again unchanged: it is sent and charged only once.</p>}
        {needsCredits && <Link to={paths.dashboardPurchase}>Purchase Credits</Link>}
      </div>
    </Notice>
  );
}

/** The answer to an accepted message. */
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

/** The current status of the message. */
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
