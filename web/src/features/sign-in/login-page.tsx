import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { returnPath, shownSignInError, signInErrorCookie, withReturnPath } from '#contract/sign-in.js';
import { signUpTexts } from '#contract/sign-up.js';
import { placedBy } from '../../api/api-failure.js';
import { PageMeta } from '../../page-meta.js';
import { site } from '../../site.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { formText, useForm } from '../../ui/form.js';
import { useHydrated } from '../../ui/hooks.js';
import { Notice } from '../../ui/surface.js';
import { NarrowPage } from '../../ui/page-frame.js';
import styles from './sign-in.module.css';

/** Links load this page from the server, which redirects signed-in users to their dashboard. */
export default function LoginPage() {
  const [query] = useSearchParams();
  const isHydrated = useHydrated();
  const fault = useSignInError();
  const next = isHydrated ? returnPath(query.get('next')) : undefined;
  return (
    <NarrowPage title="Login" lead="Sign in to get your API key, buy credits and see your messages.">
      <PageMeta
        title="Login"
        description="Sign in to Pennytext with Google to get your API key, buy credits and see your messages."
      />
      {fault !== undefined && (
        <Notice kind="bad" role="alert">
          {fault}
        </Notice>
      )}
      <ButtonLink to={withReturnPath(paths.googleSignIn, next)} reloadDocument look="primary" wide>
        <GoogleMark />
        Sign In with Google
      </ButtonLink>
      <p className={styles.or}>or</p>
      <PasswordForm next={next} />
    </NarrowPage>
  );
}

/**
 * The reason of a sign-in that has just failed; takes it out of the address and the cookies, so
 * that it is shown once.
 */
function useSignInError(): string | undefined {
  const [fault, setFault] = useState<string>();
  const [query, setQuery] = useSearchParams();
  useEffect(() => {
    if (!query.has('error')) return;
    const text = shownSignInError(query.get('error'), document.cookie);
    document.cookie = `${signInErrorCookie.name}=; path=${signInErrorCookie.path}; max-age=0`;
    const rest = new URLSearchParams(query);
    rest.delete('error');
    // Effects may run twice; the second run finds the cookie taken.
    void Promise.resolve(setQuery(rest, { replace: true })).then(() => text !== undefined && setFault(text));
  }, [query, setQuery]);
  return fault;
}

function GoogleMark() {
  return (
    <svg width={20} height={20} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path
        d={
          'M12 2a9.96 9.96 0 0 1 6.29 2.226a1 1 0 0 1 .04 1.52l-1.51 1.362a1 1 0 0 1-1.265 .06a6 6 0 1 0 ' +
          '2.103 6.836l.001-.004h-3.66a1 1 0 0 1-.992-.883l-.007-.117v-2a1 1 0 0 1 1-1h6.945a1 1 0 0 1 ' +
          '.994 .89c.04 .367 .061 .737 .061 1.11c0 5.523-4.477 10-10 10s-10-4.477-10-10s4.477-10 10-10z'
        }
      />
    </svg>
  );
}

interface PasswordFormProps {
  /** The view to open after signing in, if not the dashboard's home. */
  readonly next: string | undefined;
}

/** Sign-in with email address and password; disabled unless the operator has turned it on. */
function PasswordForm({ next }: PasswordFormProps) {
  // The built page is the same for all installations, so the browser decides this.
  const isOn = useHydrated() && site.customSignIn;
  const { faults, isSending, isSent, onSubmit } = useForm({
    read: (form) => ({ body: { email: formText(form, 'username'), password: formText(form, 'password') } }),
    send: async (body) => {
      const { logIn } = await import('../../api/visitor-calls.js');
      await logIn(body);
      window.location.assign(next ?? paths.dashboard);
    },
    placed: placedBy({}, 'form'),
  });
  // Busy until the browser has left the page.
  const isBusy = isSending || isSent;

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {!isOn && <Notice kind="info">{signUpTexts.custom_sign_in_off}</Notice>}
      <fieldset className={styles.fields} disabled={!isOn || isBusy}>
        <legend className="visually-hidden">Sign in with a password</legend>
        <Field label="Username (your email address)" name="username" type="email" autoComplete="username" />
        <Field label="Password" name="password" type="password" autoComplete="current-password" />
        {faults.form !== undefined && (
          <p className={styles.fault} role="alert">
            {faults.form}
          </p>
        )}
        {isOn && (
          <Link to={paths.forgotPassword} className={styles.forgot}>
            Forgot your password?
          </Link>
        )}
        <div className={styles.buttons}>
          <Button type="submit">{isBusy ? 'Loading...' : 'Sign In'}</Button>
          {isOn ? <ButtonLink to={paths.signup}>Sign Up</ButtonLink> : <Button disabled>Sign Up</Button>}
        </div>
      </fieldset>
    </form>
  );
}
