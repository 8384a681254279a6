import { useEffect } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type AlertsAnswer, alertsBody, dailySpendMax } from '#contract/billing.js';
import { limits } from '#contract/limits.js';
import { alertsQuery, changeAlerts } from '../../api/billing.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { credits } from '../../ui/credits.js';
import { Field } from '../../ui/field.js';
import { foundBy, formText, useForm } from '../../ui/form.js';
import { wholeNumber } from '../../ui/format.js';
import { Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import styles from './account.module.css';

/** Emails about a low balance and about a day's spend. */
export function AlertsCard() {
  const { data, error, refetch } = useQuery({ ...alertsQuery, refetchOnMount: 'always' });
  // The card appears after the address was followed.
  useEffect(() => {
    if (window.location.hash === '#alerts') document.getElementById('alerts')?.scrollIntoView();
  }, []);
  return (
    <Panel title="Alerts" id="alerts">
      {data ? (
        <AlertsForm key={JSON.stringify({ ...data, spentToday: 0 })} alerts={data} />
      ) : error ? (
        <FailureNotice error={error} what="Your alerts could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </Panel>
  );
}

const upTo = (max: number) => `A whole number from 1 to ${max.toLocaleString('en-US')}.`;
const faultTexts = { lowCredits: upTo(limits.lowCreditsMax), dailySpend: upTo(dailySpendMax) };

/** The form is rendered again with each answer. */
function AlertsForm({ alerts }: { alerts: AlertsAnswer }) {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: changeAlerts,
    onSuccess: (answer) => {
      client.setQueryData(alertsQuery.queryKey, answer);
      showToast('Your alerts were saved.');
    },
  });
  const { inputOf, isSending, failure, onSubmit } = useForm({
    read: (form) => {
      const given = {
        lowCreditsMail: form.has('lowCreditsMail'),
        lowCredits: wholeNumber(formText(form, 'lowCredits')),
        dailySpend: form.has('wantsSpend') ? wholeNumber(formText(form, 'dailySpend')) : null,
      };
      return foundBy(alertsBody, given, faultTexts);
    },
    send: mutateAsync,
  });
  return (
    <form className={styles.fields} onSubmit={onSubmit} noValidate>
      <div className={styles.alert}>
        <label className={choice.choice}>
          <input type="checkbox" name="lowCreditsMail" defaultChecked={alerts.lowCreditsMail} />
          Email me when my balance is low
        </label>
        <Field
          {...inputOf('lowCredits')}
          label="Low is fewer credits than"
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
          label="Many is this number or more"
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
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Loading...' : 'Save alerts'}
      </Button>
      <ActionFailure error={failure} what="Your alerts were not saved." />
    </form>
  );
}
