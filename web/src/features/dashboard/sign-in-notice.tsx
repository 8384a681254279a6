import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { welcomeEmailFailed } from '#contract/account.js';
import { recordMessages } from '#contract/sign-in-messages.js';
import { creditsQuery, sendWelcomeEmail } from '../../api/account.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/surface.js';
import parts from './dashboard-parts.module.css';
import styles from './dashboard-layout.module.css';

const creditsMessage = `Failed to create credits record: ${recordMessages.credits}`;

/** A problem during a first sign-in that succeeded nevertheless; only our own texts, as anyone can write into an address. */
export function SignInNotice() {
  const { search } = useLocation();
  const text = new URLSearchParams(search).get('error');
  if (text !== creditsMessage && text !== welcomeEmailFailed) return null;
  return <div className={styles.notice}>{text === creditsMessage ? <CreditsNotice /> : <MailNotice />}</div>;
}

/** Lasts until the credits have been read, because reading creates them. */
function CreditsNotice() {
  const { data } = useQuery(creditsQuery);
  const dismiss = useDismiss();
  if (!data)
    return (
      <Notice kind="bad" role="alert">
        {creditsMessage}
      </Notice>
    );
  return (
    <Notice kind="good" role="status">
      <div className={parts.failure}>
        <p>Your free credits were added.</p>
        <Button onClick={dismiss}>Close</Button>
      </div>
    </Notice>
  );
}

/** Lasts until the e-mail is queued. */
function MailNotice() {
  const dismiss = useDismiss();
  const { mutate, isPending, isSuccess } = useMutation({ mutationFn: sendWelcomeEmail });
  return (
    <Notice kind={isSuccess ? 'good' : 'bad'} role={isSuccess ? 'status' : 'alert'}>
      <div className={parts.failure}>
        <p>{isSuccess ? 'The welcome e-mail is on its way.' : welcomeEmailFailed}</p>
        {isSuccess ? (
          <Button onClick={dismiss}>Close</Button>
        ) : (
          <Button disabled={isPending} onClick={() => mutate()}>
            Try again
          </Button>
        )}
      </div>
    </Notice>
  );
}

/** Takes the text out of the address, so that a reload does not bring it back. */
function useDismiss(): () => void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return () => void navigate(pathname, { replace: true });
}
