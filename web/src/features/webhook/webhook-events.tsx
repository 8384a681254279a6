import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import {
  type OptionalWebhookEvent,
  optionalWebhookEvents,
  type WebhookAnswer,
  type WebhookEventType,
} from '#contract/webhooks.js';
import { changeWebhookEvents, webhookQuery } from '../../api/webhook.js';
import { ActionFailure } from '../../dashboard/failures/failures.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { eventGroups, isOptional } from './event-groups.js';
import styles from './webhook.module.css';

const eventMeanings: Readonly<Record<WebhookEventType, string>> = {
  'message.received': 'A reply arrived. Always sent.',
  'message.scheduled': 'A message that leaves later was accepted.',
  'message.sent': 'The carrier accepted a message.',
  'message.rerouted': 'A message was handed to another route.',
  'message.delivered': 'A message was delivered.',
  'message.undelivered': 'A message was not delivered, and was refunded.',
  'message.failed': 'A message was not sent, and was refunded.',
  'message.canceled': 'You canceled a message, and it was refunded.',
  'message.media_ready': 'Files of an earlier reply have arrived.',
  'otp.sent': 'The carrier accepted a one-time password.',
  'otp.verified': 'A one-time password was verified.',
  'otp.failed': 'A one-time password had too many wrong attempts.',
  'otp.expired': 'A one-time password expired.',
  'otp.blocked': 'The fraud guard refused a one-time password.',
  'credits.low': 'Your balance fell below the number under Alerts.',
  'credits.daily_spend': 'A New York day used the number under Alerts.',
  'number.active': 'You bought a number, or its late rent was paid.',
  'number.past_due': 'Your balance does not cover a rent (days 0, 3, 6).',
  'number.released': 'A number is not yours any more.',
  'number.filtered': 'Carriers filter a number, so it left its pools.',
};

/** Sent events per group, and a button for the choice. A refetch keeps unsaved choices. */
export function WebhookEvents({ webhook: { events, lowCredits } }: { webhook: WebhookAnswer }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <Panel title="Events">
      <dl className={styles.counts}>
        {eventGroups.map(({ title, types }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{countText(types, events)}</dd>
          </div>
        ))}
      </dl>
      <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        Choose events
      </Button>
      <div id={id} className={styles.choice} hidden={!isOpen}>
        {isOpen && <EventChoices saved={events} lowCredits={lowCredits} />}
      </div>
    </Panel>
  );
}

function isSent(type: WebhookEventType, wanted: readonly WebhookEventType[]): boolean {
  return !isOptional(type) || wanted.includes(type);
}

function countText(types: readonly WebhookEventType[], wanted: readonly WebhookEventType[]): string {
  return `${types.filter((type) => isSent(type, wanted)).length} of ${types.length}`;
}

interface EventChoicesProps {
  readonly saved: readonly OptionalWebhookEvent[];
  readonly lowCredits: number;
}

function EventChoices({ saved, lowCredits }: EventChoicesProps) {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(saved);
  const save = useMutation({
    mutationFn: changeWebhookEvents,
    onSuccess: (answer) => {
      client.setQueryData(webhookQuery.queryKey, answer);
      showToast('Webhook events saved.');
    },
  });
  const choose = (types: readonly OptionalWebhookEvent[], isOn: boolean) =>
    setWanted((before) =>
      optionalWebhookEvents.filter((type) => (types.includes(type) ? isOn : before.includes(type))),
    );
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ events: [...wanted], lowCredits });
      }}
    >
      {eventGroups.map(({ title, types }) => {
        const optional = types.filter(isOptional);
        const areAll = optional.every((type) => wanted.includes(type));
        return (
          <fieldset key={title} className={styles.group}>
            <legend>
              {title} <span className={styles.groupCount}>{countText(types, wanted)}</span>
            </legend>
            <button
              type="button"
              className={styles.all}
              aria-label={`${areAll ? 'None' : 'All'} of ${title}`}
              onClick={() => choose(optional, !areAll)}
            >
              {areAll ? 'None' : 'All'}
            </button>
            {types.map((type) => (
              <EventChoice
                key={type}
                type={type}
                isOn={isSent(type, wanted)}
                onChange={isOptional(type) ? (isOn) => choose([type], isOn) : undefined}
              />
            ))}
          </fieldset>
        );
      })}
      <p className={styles.low}>
        Credits are low below {lowCredits.toLocaleString('en-US')}.{' '}
        <Link to={`${paths.dashboardAccount}#alerts`}>Change it under Alerts</Link>
      </p>
      <Button type="submit" look="primary" disabled={save.isPending}>
        {save.isPending ? 'Loading...' : 'Save events'}
      </Button>
      <ActionFailure error={save.error} what="Your events were not saved." />
    </form>
  );
}

interface EventChoiceProps {
  readonly type: WebhookEventType;
  readonly isOn: boolean;
  /** Undefined for an event that is always sent. */
  readonly onChange: ((isOn: boolean) => void) | undefined;
}

function EventChoice({ type, isOn, onChange }: EventChoiceProps) {
  const id = useId();
  return (
    <div className={`${choice.choice} ${styles.event}`}>
      <input
        id={id}
        type="checkbox"
        name={type}
        checked={isOn}
        disabled={onChange === undefined}
        aria-describedby={`${id}-words`}
        onChange={({ target }) => onChange?.(target.checked)}
      />
      <label htmlFor={id}>{type}</label>
      <p id={`${id}-words`}>{eventMeanings[type]}</p>
    </div>
  );
}
