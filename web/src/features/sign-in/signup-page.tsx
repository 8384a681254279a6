import { type SubmitEvent, useState } from 'react';
import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import { signUpFault, signUpFields, type SignUpFields, signUpTexts } from '#contract/sign-up.js';
import { failureOf } from '../../api/api-failure.js';
import { PageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Field, formText } from '../../ui/field.js';
import { useHydrated } from '../../ui/hooks.js';
import { Notice } from '../../ui/surface.js';
import { NarrowPage } from '../../ui/page-frame.js';
import styles from './sign-in.module.css';
import { shownFault, type ShownFault } from './sign-up-faults.js';

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
  const [fault, setFault] = useState<ShownFault>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const fields = signUpFields({
      username: formText(form, 'username'),
      email: formText(form, 'email'),
      password: formText(form, 'password'),
    });
    const code = signUpFault(fields);
    setFault(code && shownFault(code, signUpTexts[code]));
    if (code) return;
    setBusy(true);
    try {
      const { signUp } = await import('../../api/visitor-calls.js');
      await signUp(fields);
      window.location.assign(paths.dashboard);
    } catch (error) {
      const { code: answered, message } = failureOf(error);
      setFault(shownFault(answered, message));
      setBusy(false);
    }
  };
  const inputOf = (name: keyof SignUpFields) => ({ name, fault: fault?.place === name ? fault.text : undefined });

  return (
    <form className={styles.signUpForm} onSubmit={(event) => void submit(event)} noValidate>
      <Field label="Username" autoComplete="nickname" {...inputOf('username')} />
      <Field label="Email" type="email" autoComplete="email" {...inputOf('email')} />
      <Field label="Password" type="password" autoComplete="new-password" {...inputOf('password')} />
      {fault?.place === 'form' && (
        <Notice kind="bad" role="alert">
          {fault.text}
        </Notice>
      )}
      <Button type="submit" look="primary" wide disabled={!isAlive || isBusy}>
        {isBusy ? 'Loading...' : 'Sign Up'}
      </Button>
    </form>
  );
}
