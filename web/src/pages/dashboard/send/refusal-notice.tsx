import { Link } from 'react-router';
import type { ApiFailure } from '../../../api/api-failure.js';
import { paths } from '../../../paths.js';
import { Notice } from '../../../ui/notice.js';
import { mayHaveBeenSent } from './message-faults.js';
import styles from './refusal-notice.module.css';

interface RefusalNoticeProps {
  readonly failure: ApiFailure;
  /** Its detail stands beside the field that it concerns. */
  readonly isBesideField: boolean;
  readonly isLive: boolean;
}

/** Why the message was not taken in, in the words of the API. */
export function RefusalNotice({ failure, isBesideField, isLive }: RefusalNoticeProps) {
  const isUnsure = isLive && mayHaveBeenSent(failure);
  const needsCredits = failure.code === 'no_credits' || failure.code === 'insufficient_credits';
  return (
    <Notice kind="bad" role="alert">
      <div className={styles.refusal}>
        <p>{failure.message}</p>
        {!isBesideField && failure.detail && <p>{failure.detail}</p>}
        {isUnsure && <p>It may have been sent. Send it again as it stands: it goes out, and is charged, only once.</p>}
        {needsCredits && <Link to={paths.dashboardPurchase}>Purchase Credits</Link>}
      </div>
    </Notice>
  );
}
