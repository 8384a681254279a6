import { useQuery } from '@tanstack/react-query';
import { readKeys } from '../../api/account.js';
import { queryKeys } from '../../dashboard/query-keys.js';
import { useSession } from '../../dashboard/session.js';
import { MaskedSecret } from '../../dashboard/ui/masked-secret.js';
import { useCredits } from '../../dashboard/use-credits.js';
import { credits } from '../../ui/credits.js';
import styles from './dashboard-header.module.css';
import { LiveNote } from './live-note.js';

/** Who is here, the balance, and the key that programs sign with: masked until it is asked for. */
export function DashboardHeader() {
  const { displayName } = useSession();
  return (
    <header className={styles.header}>
      <p className={styles.welcome} title={displayName}>
        Welcome, <bdi>{displayName}</bdi>
      </p>
      <LiveNote />
      <Balance />
      <ApiKey />
    </header>
  );
}

function Balance() {
  const { data, error, refetch } = useCredits();
  if (error && !data) return <NotLoaded what="Balance" onRetry={() => void refetch()} />;
  return (
    <p className={styles.balance}>
      <span className="visually-hidden">Balance: </span>
      {data ? credits(data.balance) : 'Loading...'}
    </p>
  );
}

function ApiKey() {
  const { data: keys, error, refetch } = useQuery({ queryKey: queryKeys.keys, queryFn: readKeys });
  return (
    <div className={styles.key}>
      {keys ? (
        <MaskedSecret name="API Key" secret={keys.apiKey} masked={keys.masked} />
      ) : (
        error && <NotLoaded what="API key" onRetry={() => void refetch()} />
      )}
    </div>
  );
}

/** The views say why in their own words: here there is room for another try. */
function NotLoaded({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <button type="button" className={styles.failed} onClick={onRetry}>
      {what} not loaded. <span>Try again</span>
    </button>
  );
}
