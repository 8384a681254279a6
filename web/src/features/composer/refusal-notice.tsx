import { Link } from 'react-router';
import type { ApiFailure } from '../../api/api-failure.js';
import { isOptOut, OptOutLink } from '../../dashboard/records/opt-out-link.js';
import { Notice } from '../../ui/surface.js';
import dashboardPartsStyles from '../../dashboard/records/dashboard-parts.module.css';
import { inDashboardWords } from './link-advice.js';
import { mayHaveBeenSent } from './attempts.js';
import { adviceFor, consequenceOf } from './refusal-advice.js';

interface RefusalNoticeProps {
  readonly failure: ApiFailure;
  /** The detail is already shown beside a field. */
  readonly isBesideField: boolean;
  readonly isLive: boolean;
  /** The recipient, if there was only one. */
  readonly to?: string | undefined;
}

/** Shows the API's reason for a rejected message, the consequence, and the next step. */
export function RefusalNotice({ failure, isBesideField, isLive, to }: RefusalNoticeProps) {
  const isUnsure = isLive && mayHaveBeenSent(failure);
  const advice = adviceFor(failure);
  const detail = isBesideField || failure.detail === undefined ? undefined : inDashboardWords(failure.detail);
  return (
    <Notice kind="bad" role="alert">
      <div className={dashboardPartsStyles.refusal}>
        <p>{failure.message}</p>
        {detail && <p>{detail}</p>}
        <p>
          {isUnsure
            ? 'It may have been sent. You can send it again unchanged: it is sent and charged only once.'
            : consequenceOf(detail)}
        </p>
        {advice && (
          <p>
            {advice.text} {advice.link && <Link to={advice.link.to}>{advice.link.title}</Link>}
          </p>
        )}
        {isOptOut(failure.code) && <OptOutLink number={to} />}
      </div>
    </Notice>
  );
}
