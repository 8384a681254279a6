import { failureOf } from '../../api/api-failure.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Notice } from '../../ui/surface.js';
import styles from './dashboard-parts.module.css';
import { type SubmitEvent, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { withReturnPath } from '#contract/sign-in.js';
import { accountQuery, confirmPassword } from '../../api/account.js';
import { paths } from '../../paths.js';
import { Field, formText } from '../../ui/field.js';

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

/** Asks for a fresh sign-in after the server has refused an action without one. Afterwards the user repeats the action. */
export function SignInAgain() {
  const { data: account } = useQuery(accountQuery);
  const { pathname } = useLocation();
  return (
    <Notice kind="info" role="alert">
      <div className={styles.failure}>
        <p>For your safety, this needs a recent sign-in. Nothing was changed.</p>
        {account?.signInType === 'custom' ? (
          <ConfirmPassword />
        ) : (
          <ButtonLink to={withReturnPath(paths.googleSignIn, pathname)} reloadDocument look="primary">
            Sign in again
          </ButtonLink>
        )}
      </div>
    </Notice>
  );
}

function ConfirmPassword() {
  const [fault, setFault] = useState<string>();
  const confirm = useMutation({
    mutationFn: confirmPassword,
    onError: (error) => setFault(failureOf(error).message),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = formText(new FormData(event.currentTarget), 'password');
    setFault(password === '' ? 'Enter your password.' : undefined);
    if (password !== '') confirm.mutate(password);
  };
  if (confirm.isSuccess) return <p role="status">Thank you. You can continue now.</p>;
  return (
    <form className={styles.failure} onSubmit={submit} noValidate>
      <Field label="Password" name="password" type="password" autoComplete="current-password" fault={fault} />
      <Button type="submit" look="primary" disabled={confirm.isPending}>
        {confirm.isPending ? 'Loading...' : 'Confirm'}
      </Button>
    </form>
  );
}
