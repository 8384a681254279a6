import { useQuery } from '@tanstack/react-query';
import { creditsQuery, keysQuery } from '../../api/account.js';
import { credits } from '../../ui/credits.js';
import { MaskedSecret } from '../../ui/masked-secret.js';
import { useSession } from './dashboard-context.js';
import { useFailure } from '../failures/failures.js';
import { NotificationBell } from '../notifications/notification-bell.js';
import styles from './dashboard-header.module.css';
import { type LiveState, useLiveState } from '../live/live-events.js';

/** The user's name, balance and masked API key. */
export function DashboardHeader() {
  const session = useSession();
  // A Google profile may have no name.
  const name = session && (session.displayName || session.email);
  return (
    <header className={styles.header}>
      <p className={styles.welcome} title={name}>
        {name === undefined ? (
          'Loading...'
        ) : (
          <>
            Welcome, <bdi>{name}</bdi>
          </>
        )}
      </p>
      <LiveNote />
      <Balance />
      <NotificationBell />
      <ApiKey />
    </header>
  );
}

function Balance() {
  const { data, error, refetch } = useQuery(creditsQuery);
  if (error && !data) return <NotLoaded what="Balance" error={error} onRetry={() => void refetch()} />;
  return (
    <p className={styles.balance}>
      <span className="visually-hidden">Balance: </span>
      {data ? credits(data.balance) : <span className={styles.unknown} />}
    </p>
  );
}

function ApiKey() {
  const { data: keys, error, refetch } = useQuery(keysQuery);
  return (
    <div className={styles.key}>
      {keys ? (
        <MaskedSecret name="API Key" secret={keys.apiKey} masked={keys.masked} />
      ) : (
        error && <NotLoaded what="API key" error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

/** The views explain failures in full; the header only has room for a retry. */
function NotLoaded({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  const isExplained = useFailure(error, onRetry);
  if (isExplained) return <p className={styles.failed}>{what} not loaded.</p>;
  return (
    <button type="button" className={styles.failed} onClick={onRetry}>
      {what} not loaded. <span>Try again</span>
    </button>
  );
}

const notes: Record<LiveState, readonly [word: string, meaning: string]> = {
  live: ['Live', 'Changes appear immediately.'],
  connecting: ['Connecting...', 'Reconnecting. What you see may be out of date.'],
  ended: ['Not live', 'This dashboard is open in too many windows. Reload this one to see changes.'],
};

/** Whether live updates arrive. */
function LiveNote() {
  const state = useLiveState();
  const [word, meaning] = notes[state];
  return (
    <p className={`${styles.note} ${styles[state]}`} role="status" title={meaning}>
      <span className={styles.word}>{word}</span>
      <span className="visually-hidden"> {meaning}</span>
    </p>
  );
}
