import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ExposureAnswer, ExposureBound } from '#contract/exposure.js';
import { exposureQuery } from '../../api/billing.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { paths } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Panel } from '../../ui/surface.js';
import styles from './exposure-card.module.css';

/** Credits that leaked keys could spend unnoticed, and the setting that lowers them most. */
export function ExposureCard() {
  const { data, error, refetch } = useQuery({ ...exposureQuery, refetchOnMount: 'always' });
  return (
    <Panel title="If your keys leak" id="exposure">
      {data ? (
        <Exposure exposure={data} />
      ) : error ? (
        <FailureNotice error={error} what="The figure could not be computed." onRetry={() => void refetch()} />
      ) : (
        <p className={styles.loading} role="status">
          Loading...
        </p>
      )}
    </Panel>
  );
}

const bounds: Readonly<Record<ExposureBound, string>> = {
  sending_off: 'Your account may not send at the moment',
  balance: 'That is your whole balance',
  daily_limit: 'Your daily limit ends it',
  budgets: 'The budgets of your keys end it',
};

function Exposure({ exposure }: { exposure: ExposureAnswer }) {
  const [strongest] = exposure.switches;
  const named = exposure.keys.filter(({ key_id: id }) => id !== null);
  return (
    <>
      <p>
        If all keys leaked now, at most <strong className={styles.figure}>{credits(exposure.credits)}</strong> could be
        spent before you notice.
      </p>
      <p className={styles.note}>{boundText(exposure)}</p>
      {strongest && <Switch {...strongest} />}
      <p className={styles.note}>
        <Link to={`${paths.dashboardAccount}#alerts`}>Alerts</Link> tell you of a leak sooner.
      </p>
      {named.length > 0 && (
        <details className={styles.details}>
          <summary>By key</summary>
          <ul className={styles.keys}>
            {exposure.keys.map(({ key_id: id, name, credits: most }) => (
              <li key={id ?? 'account'}>
                <bdi>{id === null ? 'Your account’s own key' : name}</bdi>
                <span>{credits(most)}</span>
              </li>
            ))}
          </ul>
          <p className={styles.note}>
            These 24 hours can touch two days, so a daily budget counts twice. Your account’s own key has no budget:
            where you can, give programs keys with budgets instead.
          </p>
        </details>
      )}
    </>
  );
}

function boundText(exposure: ExposureAnswer): string {
  const { bound, top_up_credits: bought, number_credits: ofNumbers, within_hours: hours } = exposure;
  const numbers = ofNumbers > 0;
  if (bound === 'sending_off') return `${bounds.sending_off}${numbers ? ', but keys can buy numbers' : ''}.`;
  const topUp = bound === 'balance' && bought > 0 ? `, and ${credits(bought)} that automatic top-up would buy` : '';
  const also = `the replies that those messages could bring${numbers ? ' and the numbers that keys can buy' : ''}`;
  const others = bound === 'balance' ? '' : `, with ${also}`;
  return `${bounds[bound]}${topUp}${others}. This assumes that you notice within ${hours} hours.`;
}

function Switch({ text, credits: left }: ExposureAnswer['switches'][number]) {
  return (
    <div className={styles.best}>
      <p>
        <strong>Lowers it to {credits(left)}:</strong> {text}
      </p>
      <Link to={paths.dashboardPurchase}>Change it under Automatic top-up</Link>
    </div>
  );
}
