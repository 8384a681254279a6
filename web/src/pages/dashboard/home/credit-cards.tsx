import { Link } from 'react-router';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { useCredits } from '../../../dashboard/use-credits.js';
import { paths } from '../../../paths.js';
import styles from './credit-cards.module.css';

const cards = [
  ['Total Credits Purchased', 'purchased', 'Purchase Credits', paths.dashboardPurchase],
  ['Total Credits Used', 'used', 'SMS History', paths.dashboardMessages],
  ['Total Credits Balance', 'balance', 'Redeem Code', paths.dashboardRedeem],
] as const;

/** The account's three totals, as they change. */
export function CreditCards() {
  const { data, error, refetch } = useCredits();
  if (error && !data)
    return <FailureNotice error={error} what="Your credits could not be loaded." onRetry={() => void refetch()} />;
  return (
    <dl className={styles.cards}>
      {cards.map(([title, total, next, to]) => (
        <div key={total} className={styles.card}>
          <dt>{title}</dt>
          <dd className={data ? styles.figure : styles.loading}>
            {data ? data[total].toLocaleString('en-US') : 'Loading...'}
          </dd>
          <dd className={styles.next}>
            <Link to={to}>{next}</Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}
