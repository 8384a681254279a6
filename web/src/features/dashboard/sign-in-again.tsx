import { type SubmitEvent, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { withReturnPath } from '#contract/return-path.js';
import { accountQuery, confirmPassword } from '../../api/account-settings.js';
import { failureOf } from '../../api/api-failure.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Field, formText } from '../../ui/field.js';
import { Notice } from '../../ui/surface.js';
import styles from './dashboard-parts.module.css';

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
