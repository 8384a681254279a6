import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import { passwordHint, signUpFault, signUpFields, signUpTexts } from '#contract/sign-up.js';
import { failureOf } from '../../api/api-failure.js';
import { PageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { formText, useForm } from '../../ui/form.js';
import { useHydrated } from '../../ui/hooks.js';
import { Notice } from '../../ui/surface.js';
import { NarrowPage } from '../../ui/page-frame.js';
import styles from './sign-in.module.css';
import { shownFault } from './sign-up-faults.js';

export default function SignUpPage() {
  return (
    <NarrowPage
      title="Sign Up"
      lead={`${limits.signupCredits} free credits, once per person. No subscription, no card needed to start.`}
    >
      <PageMeta
        title="Sign Up"
        description={
          `Open a Pennytext account: ${limits.signupCredits} free credits, once per person. No ` +
          'subscription, no card needed to start.'
        }
      />
      <SignUpForm />
      <p className={styles.other}>
        Have an account?{' '}
        <Link to={paths.login} reloadDocument>
          Login
        </Link>
      </p>
    </NarrowPage>
  );
}

/**
 * Username, email address and password, with errors beside their fields. The inputs are
 * uncontrolled, so that text typed before hydration stays.
 */
function SignUpForm() {
  const isAlive = useHydrated();
  const { inputOf, faults, isSending, isSent, onSubmit } = useForm({
    read: (form) => {
      const body = signUpFields({
        username: formText(form, 'username'),
        email: formText(form, 'email'),
        password: formText(form, 'password'),
      });
      const code = signUpFault(body);
      return code ? { faults: shownFault(code, signUpTexts[code]) } : { body };
    },
    send: async (body) => {
      const { signUp } = await import('../../api/visitor-calls.js');
      await signUp(body);
      window.location.assign(paths.dashboard);
    },
    placed: (error) => {
      const { code, message } = failureOf(error);
      return shownFault(code, message);
    },
  });
  // Busy until the browser has left the page.
  const isBusy = isSending || isSent;

  return (
    <form className={styles.signUpForm} onSubmit={onSubmit} noValidate>
      <Field label="Username" autoComplete="nickname" {...inputOf('username')} />
      <Field label="Email" type="email" autoComplete="email" {...inputOf('email')} />
      <Field
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={passwordHint}
        {...inputOf('password')}
      />
      {faults.form !== undefined && (
        <Notice kind="bad" role="alert">
          {faults.form}
        </Notice>
      )}
      <Button type="submit" look="primary" wide isAlive={isAlive} disabled={isBusy}>
        {isBusy ? 'Loading...' : 'Sign Up'}
      </Button>
    </form>
  );
}
