import { useLocation } from 'react-router';
import { Notice } from '../../ui/notice.js';
import styles from './sign-in-notice.module.css';

// What /auth/google/callback and the sign-up bring along; any other text in the address is not ours to show.
const signInNotice = /^Failed to create credits record: /;

/** What went wrong at a sign-in that has succeeded all the same. */
export function SignInNotice() {
  const { search } = useLocation();
  const told = new URLSearchParams(search).get('error');
  if (told === null || !signInNotice.test(told)) return null;
  return (
    <div className={styles.notice}>
      <Notice kind="bad" role="alert">
        {told}
      </Notice>
    </div>
  );
}
