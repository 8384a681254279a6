import type { ReactNode, SubmitEvent } from 'react';
import { Link, useLocation } from 'react-router';
import { limits } from '#contract/limits.js';
import { isEmail, isPassword, passwordHint, signUpTexts } from '#contract/sign-up.js';
import { placedBy } from '../../api/api-failure.js';
import { HiddenPageMeta, PageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { formText, useForm } from '../../ui/form.js';
import { useHydrated } from '../../ui/hooks.js';
import { Notice } from '../../ui/surface.js';
import { NarrowPage } from '../../ui/page-frame.js';
import styles from './sign-in.module.css';

/** Requests a link to set a new password, or sets the password when opened by the link. */
export default function RecoveryPage() {
  const { pathname } = useLocation();
  return pathname.startsWith(paths.resetPassword) ? <ResetPassword /> : <ForgotPassword />;
}

function ForgotPassword() {
  const form = useForm({
    read: (typed) => {
      const email = formText(typed, 'email').trim();
      if (isEmail(email)) return { body: { email } };
      return { faults: { email: signUpTexts[email === '' ? 'fields_mandatory' : 'email_invalid'] } };
    },
    send: async (body) => {
      const { forgotPassword } = await import('../../api/visitor-calls.js');
      await forgotPassword(body);
    },
    placed: placedBy({}, 'email'),
  });
  return (
    <NarrowPage title="Forgot your password?" lead="Enter the email address of your account. We send you a link.">
      <PageMeta
        title="Forgot Your Password?"
        description="Get an email with a link to set a new password for your Pennytext account."
      />
      {form.isSent ? (
        <Notice kind="good" role="status">
          If this address has an account, a link is on its way. It works for {limits.passwordLinkMinutes} minutes. Look
          among spam too; we send at most {limits.linkMailsPerHourMax} emails an hour.
        </Notice>
      ) : (
        <RecoveryForm form={form} action="Send the link">
          <Field {...form.inputOf('email')} label="Email" type="email" autoComplete="username" />
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
  const form = useForm({
    read: (typed) => {
      const password = formText(typed, 'password');
      // A fragment stays in the browser: no log and no other site sees it.
      if (isPassword(password)) return { body: { token: window.location.hash.slice(1), password } };
      return { faults: { password: signUpTexts[password === '' ? 'fields_mandatory' : 'password_invalid'] } };
    },
    send: async (body) => {
      const { resetPassword } = await import('../../api/visitor-calls.js');
      await resetPassword(body);
    },
    placed: placedBy({}, 'password'),
  });
  return (
    <NarrowPage title="Set a new password" lead="All devices will be signed out. Sign in again with the new password.">
      <HiddenPageMeta title="Set a New Password" />
      {form.isSent ? (
        <>
          <Notice kind="good" role="status">
            Your password was changed.
          </Notice>
          <ButtonLink to={paths.login} reloadDocument look="primary" wide>
            Go to the login
          </ButtonLink>
        </>
      ) : (
        <RecoveryForm form={form} action="Set the password">
          <Field
            {...form.inputOf('password')}
            label="New password"
            type="password"
            autoComplete="new-password"
            hint={passwordHint}
          />
        </RecoveryForm>
      )}
      {!form.isSent && (
        <p className={styles.other}>
          <Link to={paths.forgotPassword}>Get a new link</Link>
        </p>
      )}
    </NarrowPage>
  );
}

interface RecoveryFormProps {
  readonly form: {
    readonly isSending: boolean;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  };
  readonly action: string;
  readonly children: ReactNode;
}

function RecoveryForm({ form: { isSending, onSubmit }, action, children }: RecoveryFormProps) {
  const isAlive = useHydrated();
  return (
    <form className={styles.signUpForm} onSubmit={onSubmit} noValidate>
      {children}
      <Button type="submit" look="primary" wide isAlive={isAlive} disabled={isSending}>
        {isSending ? 'Loading...' : action}
      </Button>
    </form>
  );
}
