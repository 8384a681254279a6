import { failureOf } from '../../api/api-failure.js';
import { Notice } from '../../ui/notice.js';

interface ActionFailureProps {
  /** Null: nothing went wrong. */
  readonly error: unknown;
  /** What was not done, as a sentence: 'The secret was not changed.' */
  readonly what: string;
}

/** What stands beside a button that has failed; the button is the next try. */
export function ActionFailure({ error, what }: ActionFailureProps) {
  if (error === null) return null;
  return (
    <Notice kind="bad" role="alert">
      {what} {failureOf(error).message}
    </Notice>
  );
}
