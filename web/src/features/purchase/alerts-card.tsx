import { type SubmitEvent, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AlertsAnswer, dailySpendMax } from '#contract/billing.js';
import { limits } from '#contract/limits.js';
import { alertsQuery, changeAlerts } from '../../api/billing.js';
import { Button } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { Field, formText } from '../../ui/field.js';
import { wholeNumberIn } from '../../ui/format.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure, FailureNotice } from '../dashboard/failures.js';
import styles from './purchase.module.css';

/** E-mails about a low balance and about a day's spend. */
export function AlertsCard() {
  const { data, error, refetch } = useQuery({ ...alertsQuery, refetchOnMount: 'always' });
  return (
    <section aria-labelledby="alerts">
      <Card>
        <h2 id="alerts" className={styles.cardTitle}>
          Alerts
        </h2>
        {data ? (
          <AlertsForm key={JSON.stringify({ ...data, spentToday: 0 })} alerts={data} />
        ) : error ? (
          <FailureNotice error={error} what="Your alerts could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <p role="status">Loading...</p>
        )}
      </Card>
    </section>
  );
}

interface Faults {
  readonly low?: string | undefined;
  readonly spend?: string | undefined;
}

/** The form is uncontrolled: it is rendered again with each answer. */
function AlertsForm({ alerts }: { alerts: AlertsAnswer }) {
  const client = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const save = useMutation({
    mutationFn: changeAlerts,
    onSuccess: (answer) => {
      client.setQueryData(alertsQuery.queryKey, answer);
      showToast('Your alerts were saved.');
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const lowCredits = wholeNumberIn(formText(form, 'lowCredits'), 1, limits.lowCreditsMax);
    const spend = wholeNumberIn(formText(form, 'dailySpend'), 1, dailySpendMax);
    const wantsSpend = form.has('wantsSpend');
    setFaults({
      low: lowCredits === undefined ? faultOf(limits.lowCreditsMax) : undefined,
      spend: wantsSpend && spend === undefined ? faultOf(dailySpendMax) : undefined,
    });
    if (lowCredits === undefined || (wantsSpend && spend === undefined)) return;
    const dailySpend = wantsSpend && spend !== undefined ? spend : null;
    save.mutate({ lowCreditsMail: form.has('lowCreditsMail'), lowCredits, dailySpend });
  };
  return (
    <form className={styles.cardForm} onSubmit={submit} noValidate>
      <div className={styles.choice}>
        <label className={styles.check}>
          <input type="checkbox" name="lowCreditsMail" defaultChecked={alerts.lowCreditsMail} />
          Email me when my balance falls below
        </label>
        <Field
          label="Credits left"
          name="lowCredits"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(alerts.lowCredits)}
          fault={faults.low}
        />
      </div>
      <div className={styles.choice}>
        <label className={styles.check}>
          <input type="checkbox" name="wantsSpend" defaultChecked={alerts.dailySpend !== null} />
          Email me when a day uses
        </label>
        <Field
          label="Credits per New York day"
          name="dailySpend"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={alerts.dailySpend ?? ''}
          fault={faults.spend}
        />
      </div>
      <p className={styles.note}>
        Used today, less refunds: {credits(alerts.spentToday)}. A webhook gets the same alerts as{' '}
        <code>credits.low</code> and <code>credits.daily_spend</code>.
      </p>
      <Button type="submit" disabled={save.isPending}>
        {save.isPending ? 'Loading...' : 'Save alerts'}
      </Button>
      <ActionFailure error={save.error} what="Your alerts were not saved." />
    </form>
  );
}

function faultOf(max: number): string {
  return `A whole number from 1 to ${max.toLocaleString('en-US')}.`;
}
