import type { ApiRequest } from '#contract/dashboard.js';
import { StatusShape } from '../../dashboard/records/status-label.js';
import styles from './requests.module.css';

/** The HTTP status with a shape that is distinct without its color. */
export function RequestStatus({ status, times }: Pick<ApiRequest, 'status' | 'times'>) {
  return (
    <span className={status >= 400 ? `${styles.status} ${styles.refused}` : styles.status}>
      <StatusShape status={status >= 500 ? 'undelivered' : status >= 400 ? 'failed' : 'delivered'} />
      {status}
      {times > 1 && ` × ${times.toLocaleString('en-US')}`}
    </span>
  );
}

/** Names a key for its owner: by its name, if any, and its last characters. */
export function keyText({ keyName, keyEnding, isTest }: Pick<ApiRequest, 'keyName' | 'keyEnding' | 'isTest'>): string {
  return `${keyName === null ? '' : `${keyName} `}••••${keyEnding}${isTest ? ' (test)' : ''}`;
}
