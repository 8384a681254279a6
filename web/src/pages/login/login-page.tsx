import { IconBrandGoogleFilled } from '@tabler/icons-react';
import { redirectDocument, useSearchParams, type ClientLoaderFunctionArgs } from 'react-router';
import { returnPath, withReturnPath } from '#contract/return-path.js';
import { NarrowPage } from '../../components/narrow-page.js';
import { pageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import { useHydrated } from '../../ui/use-hydrated.js';
import { PasswordForm } from './password-form.js';
import styles from './login-page.module.css';

export const meta = pageMeta(
  'Login',
  'Sign in to Pennytext with Google to get your API key, buy credits and see your messages.',
);

/** Runs at build; that there is one keeps the `clientLoader` from running when the page has just been loaded. */
export const loader = () => null;

/** A link to this page asks the server, which sends those who are signed in to their dashboard. */
export function clientLoader({ request }: ClientLoaderFunctionArgs): never {
  throw redirectDocument(request.url);
}

// What /auth/google/callback brings along; any other text in the address is not ours to show.
const signInFault = /^(Sign-in error|Failed to create (user|credits) record): /;

/** The way in. */
export default function LoginPage() {
  const [query] = useSearchParams();
  const isHydrated = useHydrated();
  const fault = isHydrated ? query.get('error') : null;
  const next = isHydrated ? returnPath(query.get('next')) : undefined;
  return (
    <NarrowPage title="Login" lead="Your API key, your credits and your messages are behind this door.">
      {fault !== null && signInFault.test(fault) && (
        <Notice kind="bad" role="alert">
          {fault}
        </Notice>
      )}
      <ButtonLink to={withReturnPath(paths.googleSignIn, next)} reloadDocument look="primary" wide>
        <IconBrandGoogleFilled size={20} aria-hidden="true" />
        Sign In with Google
      </ButtonLink>
      <p className={styles.or}>or</p>
      <PasswordForm next={next} />
    </NarrowPage>
  );
}
