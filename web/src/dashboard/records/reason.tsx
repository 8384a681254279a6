import { Link } from 'react-router';
import { isKnownDeliveryError, unknownErrorAnchor } from '#contract/delivery-errors.js';
import type { MessageReason } from '#contract/messages.js';
import { paths } from '../../paths.js';
import styles from './dashboard-parts.module.css';

/** Why a message was not delivered, as a line below its status; the code leads to its explanation. */
export function ReasonLine({ reason: { code, text } }: { reason: MessageReason }) {
  return (
    <span className={styles.reason}>
      {text} <ReasonCode code={code} />
    </span>
  );
}

/** Where a code is explained; all codes without an explanation share one place. */
const explanationPath = (code: string): string =>
  `${paths.deliveryErrors}#${isKnownDeliveryError(code) ? code : unknownErrorAnchor}`;

/** A code as a link to what it means and what to do. */
export function ReasonCode({ code }: { code: string }) {
  return (
    <Link to={explanationPath(code)} aria-label={`What ${code} means`}>
      {code}
    </Link>
  );
}
