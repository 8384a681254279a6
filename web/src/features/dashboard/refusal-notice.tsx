import { Link } from 'react-router';
import type { ApiFailure } from '../../api/api-failure.js';
import { paths } from '../../paths.js';
import { Notice } from '../../ui/surface.js';
import { mayHaveBeenSent } from './attempts.js';
import styles from './dashboard-parts.module.css';

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
