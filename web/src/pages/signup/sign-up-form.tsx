import { useState, type SubmitEvent } from 'react';
import { errorText } from '#contract/errors.js';
import { signUpFault, signUpFields, type SignUpFields } from '#contract/sign-up-fields.js';
import { failureOf } from '../../api/api-failure.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { formText } from '../../ui/form-text.js';
import { Notice } from '../../ui/notice.js';
import { useHydrated } from '../../ui/use-hydrated.js';
import { shownFault, type ShownFault } from './sign-up-faults.js';
import styles from './sign-up-form.module.css';

/**
 * Username, e-mail address and password; what is wrong stands beside the field that it is about. The fields keep their own text,
 * so that what was typed before the page came alive stays.
 */
export function SignUpForm() {
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
    setFault(code && shownFault(code, errorText(code, '')));
    if (code) return;
    setBusy(true);
    try {
      const { signUp } = await import('../../api/sign-in.js');
      const { notice } = await signUp(fields);
      const query = notice === undefined ? '' : `?${new URLSearchParams({ error: notice }).toString()}`;
      window.location.assign(`${paths.dashboard}${query}`);
    } catch (error) {
      const { code: answered, message } = failureOf(error);
      setFault(shownFault(answered, message));
      setBusy(false);
    }
  };
  const inputOf = (name: keyof SignUpFields) => ({ name, fault: fault?.place === name ? fault.text : undefined });

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
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
