import { Link } from 'react-router';
import { deliveryErrorOf, isKnownDeliveryError, unknownErrorAnchor } from '#contract/delivery-errors.js';
import type { MessageReason, MessageStatus } from '#contract/messages.js';
import { paths } from '../../paths.js';
import { StatusLabel } from './status-label.js';
import styles from './dashboard-parts.module.css';

interface OutcomeLabelProps {
  readonly status: MessageStatus;
  readonly reason: MessageReason | null;
}

/** A status above the reason of an undelivered message; the code links to its explanation. */
export function OutcomeLabel({ status, reason }: OutcomeLabelProps) {
  if (!reason) return <StatusLabel status={status} />;
  return (
    <div className={styles.outcome}>
      <StatusLabel status={status} />
      <span className={styles.reason}>
        {reason.text} <ReasonCode code={reason.code} />
      </span>
    </div>
  );
}

/** Address of a code's explanation; unknown codes share an address. */
function explanationPath(code: string): string {
  if (!isKnownDeliveryError(code)) return `${paths.deliveryErrors}#${unknownErrorAnchor}`;
  const isOurs = !/^\d+$/.test(code);
  const { ownDeliveryErrors, permanentDeliveryErrors, passingDeliveryErrors } = paths;
  const page = deliveryErrorOf(code).permanent ? permanentDeliveryErrors : passingDeliveryErrors;
  return `${isOurs ? ownDeliveryErrors : page}#${code}`;
}

/** A code as a link to its meaning and remedy. */
export function ReasonCode({ code }: { code: string }) {
  return (
    <Link to={explanationPath(code)} aria-label={`What ${code} means`}>
      {code}
    </Link>
  );
}
