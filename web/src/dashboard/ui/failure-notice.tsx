import { failureOf } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import styles from './failure-notice.module.css';

interface FailureNoticeProps {
  readonly error: unknown;
  /** What was not read or done, as a sentence: 'Your messages could not be loaded.' */
  readonly what: string;
  readonly onRetry: () => void;
}

/** What stands where something could not be loaded: what happened, why, and another try. */
export function FailureNotice({ error, what, onRetry }: FailureNoticeProps) {
  const { message } = failureOf(error);
  return (
    <Notice kind="bad" role="alert">
      <div className={styles.failure}>
        <p>
          {what} {message}
        </p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </Notice>
  );
}
