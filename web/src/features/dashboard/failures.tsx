import { failureOf } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/surface.js';
import { SignInAgain } from './sign-in-again.js';
import styles from './dashboard-parts.module.css';

interface FailureNoticeProps {
  readonly error: unknown;
  /** What failed, as a sentence: 'Your messages could not be loaded.' */
  readonly what: string;
  readonly onRetry: () => void;
}

/** Replaces content that could not be loaded: what failed, why, and a retry button. */
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

interface ActionFailureProps {
  /** Null while nothing has failed. */
  readonly error: unknown;
  /** What was not done, as a sentence: 'The secret was not changed.' */
  readonly what: string;
}

/** Appears beside a button whose action failed; the button retries it, after a fresh sign-in if that was missing. */
export function ActionFailure({ error, what }: ActionFailureProps) {
  if (error === null) return null;
  const { code, message } = failureOf(error);
  if (code === 'sign_in_again') return <SignInAgain />;
  return (
    <Notice kind="bad" role="alert">
      {what} {message}
    </Notice>
  );
}
