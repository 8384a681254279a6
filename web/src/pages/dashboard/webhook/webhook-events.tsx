import { useId, useState, type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/limits.js';
import {
  optionalWebhookEvents,
  webhookEventTypes,
  type WebhookAnswer,
  type WebhookEventType,
} from '#contract/webhooks.js';
import { changeWebhookEvents } from '../../../api/webhook.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { ActionFailure } from '../../../dashboard/ui/action-failure.js';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';
import { formText } from '../../../ui/form-text.js';
import { showToast } from '../../../ui/toast.js';
import { eventWords } from './event-words.js';
import { lowCreditsOf } from './low-credits.js';
import { WebhookCard } from './webhook-card.js';
import styles from './webhook-events.module.css';

/** Which events the webhook tells. The form keeps what was chosen, also while the page is read again. */
export function WebhookEvents({ webhook: { events, lowCredits } }: { webhook: WebhookAnswer }) {
  const client = useQueryClient();
  const [fault, setFault] = useState<string>();
  const change = useMutation({
    mutationFn: changeWebhookEvents,
    onSuccess: (answer) => {
      client.setQueryData(queryKeys.webhookState, answer);
      showToast('Webhook events saved.');
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const wanted = optionalWebhookEvents.filter((type) => form.has(type));
    const threshold = lowCreditsOf(formText(form, 'lowCredits'));
    setFault(
      threshold === undefined ? `A whole number from 1 to ${limits.lowCreditsMax.toLocaleString('en-US')}.` : undefined,
    );
    if (threshold !== undefined) change.mutate({ events: wanted, lowCredits: threshold });
  };
  return (
    <WebhookCard title="Events">
      <form className={styles.form} onSubmit={submit} noValidate>
        <fieldset className={styles.events}>
          <legend className="visually-hidden">Events to be told of</legend>
          {webhookEventTypes.map((type) => (
            <EventChoice key={type} type={type} isWanted={events.some((wanted) => wanted === type)} />
          ))}
        </fieldset>
        <Field
          label="Credits are low below"
          name="lowCredits"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(lowCredits)}
          fault={fault}
        />
        <Button type="submit" disabled={change.isPending}>
          {change.isPending ? 'Loading...' : 'Save events'}
        </Button>
        <ActionFailure error={change.error} what="Your events were not saved." />
      </form>
    </WebhookCard>
  );
}

function EventChoice({ type, isWanted }: { type: WebhookEventType; isWanted: boolean }) {
  const id = useId();
  const isAlways = type === 'message.received';
  return (
    <div className={styles.event}>
      <input
        id={id}
        type="checkbox"
        name={type}
        defaultChecked={isAlways || isWanted}
        disabled={isAlways}
        aria-describedby={`${id}-words`}
      />
      <label htmlFor={id}>{type}</label>
      <p id={`${id}-words`}>{eventWords[type]}</p>
    </div>
  );
}
