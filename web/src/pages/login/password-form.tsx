import { useState, type SubmitEvent } from 'react';
import { errorText } from '#contract/errors.js';
import { failureOf } from '../../api/api-failure.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { formText } from '../../ui/form-text.js';
import { Notice } from '../../ui/notice.js';
import { useHydrated } from '../../ui/use-hydrated.js';
import styles from './password-form.module.css';

interface PasswordFormProps {
  /** The view that the sign-in leads to, if not the dashboard's first. */
  readonly next: string | undefined;
}

/** Sign-in with e-mail address and password, where the operator has turned it on; shown, but disabled, where not. */
export function PasswordForm({ next }: PasswordFormProps) {
  // The built page is the same for all installations: this part of it is decided in the browser.
  const isOn = useHydrated() && site.customSignIn;
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFault(undefined);
    try {
      const { logIn } = await import('../../api/sign-in.js');
      await logIn({ email: formText(form, 'username'), password: formText(form, 'password') });
      window.location.assign(next ?? paths.dashboard);
    } catch (error) {
      setFault(failureOf(error).message);
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {!isOn && <Notice kind="info">{errorText('custom_sign_in_off', '')}</Notice>}
      <fieldset className={styles.fields} disabled={!isOn || isBusy}>
        <legend className="visually-hidden">Sign in with a password</legend>
        <Field label="Username (your email address)" name="username" type="email" autoComplete="username" />
        <Field label="Password" name="password" type="password" autoComplete="current-password" />
        {fault !== undefined && (
          <p className={styles.fault} role="alert">
            {fault}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit">{isBusy ? 'Loading...' : 'Sign In'}</Button>
          {isOn ? <ButtonLink to={paths.signup}>Sign Up</ButtonLink> : <Button disabled>Sign Up</Button>}
        </div>
      </fieldset>
    </form>
  );
}
