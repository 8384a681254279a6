import { Link } from 'react-router';
import { NarrowPage } from '../../components/narrow-page.js';
import { limits } from '#contract/limits.js';
import { pageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { SignUpForm } from './sign-up-form.js';
import styles from './signup-page.module.css';

export const meta = pageMeta(
  'Sign Up',
  `Open a Pennytext account: ${limits.signupCredits} free credits, no subscription, no card needed to start.`,
);

/** The way to an account of one's own. */
export default function SignUpPage() {
  return (
    <NarrowPage
      title="Sign Up"
      lead={`${limits.signupCredits} free credits, no subscription, no card needed to start.`}
    >
      <SignUpForm />
      <p className={styles.other}>
        Have an account? <Link to={paths.login}>Login</Link>
      </p>
    </NarrowPage>
  );
}
