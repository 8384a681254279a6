import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import {
  optionalWebhookEvents,
  type WebhookAnswer,
  type WebhookEventType,
  webhookEventTypes,
} from '#contract/webhooks.js';
import { webhookKey } from '../../api/account.js';
import { changeWebhookEvents, webhookQuery } from '../../api/webhook.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { View } from '../../ui/view.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { useForm } from '../../ui/form.js';
import { Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { Deliveries } from './deliveries.js';
import { WebhookAddress, WebhookSecret, WebhookTest } from './webhook-settings.js';
import styles from './webhook.module.css';

const STATE_EVERY_MS = 10_000;

export default function WebhookPage() {
  const { data, error, refetch } = useQuery({
    ...webhookQuery,
    refetchOnMount: 'always',
    // Attempts change the state, and no live event reports them.
    refetchInterval: STATE_EVERY_MS,
  });
  useRefresh(webhookKey);
  return (
    <View
      title="Webhook"
      lead="Your server receives replies, and other events if you turn them on. Times are in New York time."
      actions={<ButtonLink to={paths.webhooks}>How it works</ButtonLink>}
    >
      {error && <FailureNotice error={error} what="Your webhook could not be loaded." onRetry={() => void refetch()} />}
      {data ? (
        <div className={styles.cards}>
          <div className={styles.column}>
            <WebhookAddress webhook={data} />
            <WebhookTest isOff={!data.receiving} />
            <WebhookSecret webhook={data} />
          </div>
          <WebhookEvents webhook={data} />
        </div>
      ) : (
        !error && (
          <p className={styles.loading} role="status">
            Loading...
          </p>
        )
      )}
      {(data || !error) && <Deliveries isOff={!data?.receiving} />}
    </View>
  );
}

/** What each event means. */
const eventMeanings: Readonly<Record<WebhookEventType, string>> = {
  'message.received': 'A reply arrived. Always sent while a URL is set.',
  'message.scheduled': 'A message that leaves later was accepted.',
  'message.sent': 'The carrier accepted a message.',
  'message.rerouted': 'A message was handed to another route.',
  'message.delivered': 'A message was delivered.',
  'message.undelivered': 'A message was not delivered; its credits were refunded.',
  'message.failed': 'A message was not sent; its credits were refunded.',
  'message.canceled': 'You canceled a message; its credits were refunded.',
  'message.media_ready': 'The files of a reply are there, which was forwarded before they were.',
  'otp.sent': 'The carrier accepted a one-time password.',
  'otp.verified': 'A one-time password was verified.',
  'otp.failed': 'A one-time password ended after too many wrong attempts.',
  'otp.expired': 'A one-time password expired.',
  'otp.blocked': 'The fraud guard refused a one-time password.',
  'credits.low': 'Your balance fell below a number of credits.',
  'credits.daily_spend': 'You used a number of credits within a New York day. Set it under Alerts.',
  'number.active': 'You bought a number, or its rent was paid after it was due.',
  'number.past_due': 'Your balance does not cover the rent of a number. Sent on days 0, 3 and 6.',
  'number.released': 'A number is not yours any more.',
  'number.filtered': 'Carriers filter the messages of a number, so it left its pools.',
};

/** Chooses the webhook's events. A refetch keeps unsaved choices. */
function WebhookEvents({ webhook: { events, lowCredits } }: { webhook: WebhookAnswer }) {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: changeWebhookEvents,
    onSuccess: (answer) => {
      client.setQueryData(webhookQuery.queryKey, answer);
      showToast('Webhook events saved.');
    },
  });
  const { isSending, failure, onSubmit } = useForm({
    read: (form) => ({ body: { events: optionalWebhookEvents.filter((type) => form.has(type)), lowCredits } }),
    send: mutateAsync,
  });
  return (
    <Panel title="Events">
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <fieldset className={choice.choices}>
          <legend className="visually-hidden">Events to receive</legend>
          {webhookEventTypes.map((type) => (
            <EventChoice key={type} type={type} isWanted={events.some((wanted) => wanted === type)} />
          ))}
        </fieldset>
        <p>
          Credits are low below {lowCredits.toLocaleString('en-US')}.{' '}
          <Link to={`${paths.dashboardAccount}#alerts`}>Change it under Alerts</Link>
        </p>
        <Button type="submit" disabled={isSending}>
          {isSending ? 'Loading...' : 'Save events'}
        </Button>
        <ActionFailure error={failure} what="Your events were not saved." />
      </form>
    </Panel>
  );
}

function EventChoice({ type, isWanted }: { type: WebhookEventType; isWanted: boolean }) {
  const id = useId();
  const isAlways = type === 'message.received';
  return (
    <div className={`${choice.choice} ${styles.event}`}>
      <input
        id={id}
        type="checkbox"
        name={type}
        defaultChecked={isAlways || isWanted}
        disabled={isAlways}
        aria-describedby={`${id}-words`}
      />
      <label htmlFor={id}>{type}</label>
      <p id={`${id}-words`}>{eventMeanings[type]}</p>
    </div>
  );
}
