import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AlertsAnswer } from '#contract/billing.js';
import { alertsQuery } from '../../api/billing.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { paths } from '../../paths.js';
import choice from '../../ui/choice.module.css';
import { credits } from '../../ui/credits.js';
import { Field } from '../../ui/field.js';
import { Panel } from '../../ui/surface.js';
import type { InputOf } from './settings-inputs.js';
import styles from './account.module.css';

/** Fields of the emails about a low balance and about a day's spend. */
export function AlertsCard({ inputOf }: { readonly inputOf: InputOf }) {
  const { data, error, refetch } = useQuery({ ...alertsQuery, refetchOnMount: 'always' });
  // The card appears after the browser has followed the address's fragment.
  useEffect(() => {
    if (window.location.hash === '#alerts') document.getElementById('alerts')?.scrollIntoView();
  }, []);
  return (
    <Panel title="Alerts" id="alerts">
      {data ? (
        <AlertFields key={JSON.stringify({ ...data, spentToday: 0 })} alerts={data} inputOf={inputOf} />
      ) : error ? (
        <FailureNotice error={error} what="Your alerts could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status" className={styles.alertsPlace}>
          Loading...
        </p>
      )}
    </Panel>
  );
}

/** The fields are rendered again with each answer. */
function AlertFields({ alerts, inputOf }: { readonly alerts: AlertsAnswer; readonly inputOf: InputOf }) {
  return (
    <div className={styles.fields}>
      <div className={styles.alert}>
        <label className={choice.choice}>
          <input type="checkbox" name="lowCreditsMail" defaultChecked={alerts.lowCreditsMail} />
          Email me when my balance is low
        </label>
        <Field
          {...inputOf('lowCredits')}
          label="Warn me below"
          unit="credits"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={alerts.lowCredits}
        />
      </div>
      <div className={styles.alert}>
        <label className={choice.choice}>
          <input type="checkbox" name="wantsSpend" defaultChecked={alerts.dailySpend !== null} />
          Email me when a day uses many credits
        </label>
        <Field
          {...inputOf('dailySpend')}
          label="Warn me when a day uses"
          unit="credits"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={alerts.dailySpend ?? ''}
        />
      </div>
      <p className={styles.note}>
        A day is one in New York. Used today, less refunds: {credits(alerts.spentToday)}. Your{' '}
        <Link to={paths.dashboardWebhook}>webhook</Link> can get the same alerts as <code>credits.low</code> and{' '}
        <code>credits.daily_spend</code>.
      </p>
    </div>
  );
}
