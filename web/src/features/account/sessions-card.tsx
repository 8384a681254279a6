import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SessionsAnswer, SessionView } from '#contract/account-settings.js';
import { endOtherSessions, endSession, sessionsQuery } from '../../api/account-settings.js';
import { Button } from '../../ui/button.js';
import { newYorkTime } from '../../ui/format.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure, FailureNotice } from '../dashboard/failures.js';
import styles from './account.module.css';

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
    // It may have ended elsewhere, or the answer was lost.
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
    <Card>
      <section className={styles.card} aria-labelledby="sessions">
        <h2 id="sessions" className={styles.title}>
          Where you are signed in
        </h2>
        <p>Sign out a device that you do not recognize, then replace your API key. Times are in New York time.</p>
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
      </section>
    </Card>
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
        <p className={styles.deviceFacts}>Signed in {newYorkTime(startedAt)}</p>
        {!current && <p className={styles.deviceFacts}>Last used {newYorkTime(lastSeenAt)}</p>}
      </div>
      {current ? (
        <span className={styles.current}>This device</span>
      ) : (
        <Button disabled={isBusy} aria-label={`Sign out ${name}, signed in ${newYorkTime(startedAt)}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}
