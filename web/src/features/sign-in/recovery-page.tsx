import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { limits } from '#contract/limits.js';
import { isEmail, isPassword, signUpTexts } from '#contract/sign-up.js';
import { failureOf } from '../../api/api-failure.js';
import { HiddenPageMeta, PageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Field, formText } from '../../ui/field.js';
import { useHydrated } from '../../ui/hooks.js';
import { Notice } from '../../ui/surface.js';
import { NarrowPage } from '../../ui/page-frame.js';
import styles from './sign-in.module.css';

/** Asks for a link to set a new password, and where that link leads. */
export default function RecoveryPage() {
  const { pathname } = useLocation();
  return pathname.startsWith(paths.resetPassword) ? <ResetPassword /> : <ForgotPassword />;
}

function ForgotPassword() {
  const { isDone, ...form } = useForm(async (text) => {
    const email = text('email').trim();
    if (!isEmail(email)) return signUpTexts[email === '' ? 'fields_mandatory' : 'email_invalid'];
    const { forgotPassword } = await import('../../api/visitor-calls.js');
    await forgotPassword({ email });
    return undefined;
  });
  return (
    <NarrowPage title="Forgot your password?" lead="Enter the email address of your account. We send you a link.">
      <PageMeta
        title="Forgot Your Password?"
        description="Get an email with a link to set a new password for your Pennytext account."
      />
      {isDone ? (
        <Notice kind="good" role="status">
          If this address has an account, a link is on its way. It works for {limits.passwordLinkMinutes} minutes. Look
          among spam too; we send at most {limits.linkMailsPerHourMax} emails an hour.
        </Notice>
      ) : (
        <RecoveryForm {...form} action="Send the link">
          <Field label="Email" name="email" type="email" autoComplete="username" fault={form.fault} />
        </RecoveryForm>
      )}
      <p className={styles.other}>
        <Link to={paths.login} reloadDocument>
          Back to the login
        </Link>
      </p>
    </NarrowPage>
  );
}

function ResetPassword() {
  const { isDone, ...form } = useForm(async (text) => {
    const password = text('password');
    if (!isPassword(password)) return signUpTexts[password === '' ? 'fields_mandatory' : 'password_invalid'];
    const { resetPassword } = await import('../../api/visitor-calls.js');
    // A fragment stays in the browser: no log and no other site gets to see it.
    await resetPassword({ token: window.location.hash.slice(1), password });
    return undefined;
  });
  return (
    <NarrowPage title="Set a new password" lead="All devices will be signed out. Sign in again with the new password.">
      <HiddenPageMeta title="Set a New Password" />
      {isDone ? (
        <>
          <Notice kind="good" role="status">
            Your password was changed.
          </Notice>
          <ButtonLink to={paths.login} reloadDocument look="primary" wide>
            Go to the login
          </ButtonLink>
        </>
      ) : (
        <RecoveryForm {...form} action="Set the password">
          <Field label="New password" name="password" type="password" autoComplete="new-password" fault={form.fault} />
        </RecoveryForm>
      )}
      {!isDone && (
        <p className={styles.other}>
          <Link to={paths.forgotPassword}>Get a new link</Link>
        </p>
      )}
    </NarrowPage>
  );
}

interface FormState {
  readonly fault: string | undefined;
  readonly isBusy: boolean;
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

/** A form with one field. `send` returns what is wrong with the field, and throws a failed call. */
function useForm(
  send: (text: (name: string) => string) => Promise<string | undefined>,
): FormState & { readonly isDone: boolean } {
  const [fault, setFault] = useState<string>();
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setFault(undefined);
    setState('busy');
    try {
      const found = await send((name) => formText(form, name));
      setFault(found);
      setState(found === undefined ? 'done' : 'idle');
    } catch (error) {
      setFault(failureOf(error).message);
      setState('idle');
    }
  };
  return { fault, isBusy: state === 'busy', isDone: state === 'done', onSubmit: (event) => void submit(event) };
}

function RecoveryForm({ isBusy, onSubmit, action, children }: FormState & { action: string; children: ReactNode }) {
  const isAlive = useHydrated();
  return (
    <form className={styles.signUpForm} onSubmit={onSubmit} noValidate>
      {children}
      <Button type="submit" look="primary" wide disabled={!isAlive || isBusy}>
        {isBusy ? 'Loading...' : action}
      </Button>
    </form>
  );
}
