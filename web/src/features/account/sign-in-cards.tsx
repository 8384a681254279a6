import { useEffect, useRef } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { AccountAnswer, SessionsAnswer, SessionView } from '#contract/account.js';
import { passwordHint, isPassword, signUpTexts } from '#contract/sign-up.js';
import {
  accountQuery,
  changePassword,
  endOtherSessions,
  endSession,
  resendVerification,
  sessionsQuery,
  verifyEmail,
} from '../../api/account.js';
import { placedBy } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { formText, useForm } from '../../ui/form.js';
import { Moment } from '../../ui/moment.js';
import { Notice, Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { newYorkMoment } from '../../ui/format.js';
import styles from './account.module.css';

/** Query parameter of the link in the email. */
const TOKEN = 'verify';

/** Asks to confirm the address, and confirms it when the link in the email leads here. */
export function Verification({ account: { emailVerified } }: { account: AccountAnswer }) {
  const client = useQueryClient();
  const [query, setQuery] = useSearchParams();
  const token = query.get(TOKEN);
  const resend = useMutation({ mutationFn: resendVerification, onSuccess: () => showToast('The link is on its way.') });
  const { mutate: verify, error } = useMutation({
    mutationFn: verifyEmail,
    onSuccess: () => showToast('Your address is confirmed.'),
    onSettled: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
  useEffect(() => {
    if (token === null) return;
    verify(token);
    setQuery(
      (others) => {
        others.delete(TOKEN);
        return others;
      },
      { replace: true },
    );
  }, [token, verify, setQuery]);
  if (emailVerified) return null;
  return (
    <>
      <Notice kind="info">
        Your address is not confirmed yet. Open the link in the email that we sent you. Then you keep your API key and
        webhook if you ever reset your password, and can sign in with Google too.
      </Notice>
      <ActionFailure error={error} what="Your address was not confirmed." />
      <Button disabled={resend.isPending} onClick={() => resend.mutate()}>
        {resend.isPending ? 'Loading...' : 'Send the link again'}
      </Button>
      <ActionFailure error={resend.error} what="The link was not resent." />
    </>
  );
}

const placed = placedBy({ password_wrong: 'current', password_invalid: 'password', password_common: 'password' });

/** Changes the password of an account that has one. */
export function PasswordCard() {
  const client = useQueryClient();
  const element = useRef<HTMLFormElement>(null);
  const { mutateAsync } = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      showToast('Your password was changed. All other devices are signed out.');
      return client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  const { inputOf, isSending, failure, onSubmit } = useForm({
    read: (form) => {
      const body = { current: formText(form, 'current'), password: formText(form, 'password') };
      if (body.current === '') return { faults: { current: 'Enter your password.' } };
      return isPassword(body.password) ? { body } : { faults: { password: signUpTexts.password_invalid } };
    },
    send: async (body) => {
      await mutateAsync(body);
      element.current?.reset();
    },
    placed,
  });
  return (
    <Panel title="Password" ref={element} onSubmit={onSubmit}>
      <div className={styles.fields}>
        <Field label="Current password" type="password" autoComplete="current-password" {...inputOf('current')} />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
          {...inputOf('password')}
        />
      </div>
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Loading...' : 'Change password'}
      </Button>
      <ActionFailure error={failure} what="Your password was not changed." />
    </Panel>
  );
}

/** The browsers in which the user is signed in; each can be signed out. */
export function SessionsCard() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({ ...sessionsQuery, refetchOnMount: 'always' });
  const update = (answer: SessionsAnswer) => client.setQueryData(sessionsQuery.queryKey, answer);
  const reload = () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: (answer) => {
      update(answer);
      showToast('That device is signed out.');
    },
    // The session may have ended elsewhere, or the answer was lost.
    onError: reload,
  });
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: (answer) => {
      update(answer);
      showToast('All other devices are signed out.');
    },
    onError: reload,
  });
  const isBusy = end.isPending || endOthers.isPending;
  return (
    <Panel title="Where you are signed in">
      <p>Sign out a device that you do not recognize, then replace your API key.</p>
      {data ? (
        <>
          <ul className={styles.sessions}>
            {data.sessions.map((session) => (
              <Session key={session.id} session={session} isBusy={isBusy} onEnd={() => end.mutate(session.id)} />
            ))}
          </ul>
          <ActionFailure error={end.error ?? endOthers.error} what="The device was not signed out." />
          {data.sessions.length > 1 && (
            <Button disabled={isBusy} onClick={() => endOthers.mutate()}>
              {endOthers.isPending ? 'Loading...' : 'Sign out all other devices'}
            </Button>
          )}
        </>
      ) : error ? (
        <FailureNotice error={error} what="Your devices could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </Panel>
  );
}

interface SessionProps {
  readonly session: SessionView;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
}

function Session({ session, isBusy, onEnd }: SessionProps) {
  const { device, address, startedAt, lastSeenAt, current } = session;
  const name = device || 'Unknown device';
  return (
    <li className={styles.session}>
      <div className={styles.device}>
        <p className={styles.deviceName}>{name}</p>
        {address && <p className={styles.deviceFacts}>{address}</p>}
        <p className={styles.deviceFacts}>
          Signed in <Moment at={startedAt} />
        </p>
        {!current && (
          <p className={styles.deviceFacts}>
            Last used <Moment at={lastSeenAt} />
          </p>
        )}
      </div>
      {current ? (
        <span className={styles.current}>This device</span>
      ) : (
        <Button
          disabled={isBusy}
          aria-label={`Sign out ${name}, signed in ${newYorkMoment(startedAt)}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
