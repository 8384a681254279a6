import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/limits.js';
import { type WebhookAnswer, type WebhookEventType, webhookEventTypes } from '#contract/webhooks.js';
import { webhookUrlQuery } from '../../api/account.js';
import { deliveriesKey, webhookQuery, enableWebhook, rotateWebhookSecret } from '../../api/webhook.js';
import { Moment } from '../../ui/moment.js';
import { Button } from '../../ui/button.js';
import { Question } from '../../ui/dialog.js';
import { Select } from '../../ui/field.js';
import { MaskedSecret } from '../../ui/masked-secret.js';
import { Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { useTestEvent } from '../../dashboard/records/test-event.js';
import { ActionFailure } from '../../dashboard/failures/failures.js';
import { WebhookUrlForm } from '../../dashboard/records/webhook-url-form.js';
import styles from './webhook.module.css';
import { IconCircleMinus } from '../../dashboard/frame/icons.js';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '../../ui/line-icons.js';

const reasons = {
  gone: 'your server answered 410 Gone',
  failing: 'it failed for five days',
  operator: 'the operator turned it off; please contact support',
} as const;

/** Shows whether webhooks are sent; turns the webhook on again. */
export function WebhookState({ webhook }: { webhook: WebhookAnswer }) {
  const client = useQueryClient();
  const enable = useMutation({
    mutationFn: enableWebhook,
    onSuccess: (answer) => {
      client.setQueryData(webhookQuery.queryKey, answer);
      void client.invalidateQueries({ queryKey: deliveriesKey });
    },
  });
  const { disabled } = webhook;
  const { Icon, look, text } = stateOf(webhook);
  return (
    <div className={styles.stateLine}>
      <p className={`${styles.state} ${styles[look]}`}>
        <Icon size={20} aria-hidden="true" />
        <span>{text}</span>
      </p>
      {disabled && disabled.reason !== 'operator' && (
        <Button look="primary" disabled={enable.isPending} onClick={() => enable.mutate()}>
          {enable.isPending ? 'Loading...' : 'Enable'}
        </Button>
      )}
      <ActionFailure error={enable.error} what="The webhook was not turned on." />
    </div>
  );
}

export function WebhookAddress() {
  const { data: known } = useQuery(webhookUrlQuery);
  return (
    <Panel title="URL">
      <WebhookUrlForm known={known} />
    </Panel>
  );
}

function stateOf({ receiving, disabled, failingSince }: WebhookAnswer) {
  if (!receiving)
    return {
      Icon: IconCircleMinus,
      look: 'quiet',
      text: 'Off: no URL is set, so replies are not received, except those to numbers of your own.',
    } as const;
  if (disabled) {
    const text = (
      <>
        Turned off on <Moment at={disabled.at} />: {reasons[disabled.reason]}. New webhooks are kept for seven days.
      </>
    );
    return { Icon: IconCircleX, look: 'bad', text } as const;
  }
  if (failingSince !== null) {
    const text = (
      <>
        Failing since <Moment at={failingSince} />. Each webhook is tried again; after five days it is turned off.
      </>
    );
    return { Icon: IconAlertTriangle, look: 'bad', text } as const;
  }
  return { Icon: IconCircleCheck, look: 'good', text: 'On: webhooks are sent here.' } as const;
}

/** The secret that your server verifies signatures with. */
export function WebhookSecret({ webhook: { secret, maskedSecret, previousSecretEndsAt } }: { webhook: WebhookAnswer }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: rotateWebhookSecret,
    onSuccess: (answer) => {
      client.setQueryData(webhookQuery.queryKey, answer);
      setAsking(false);
      showToast('The webhook has a new secret.');
    },
    // A lost answer may have carried a new secret.
    onError: () => client.invalidateQueries({ queryKey: webhookQuery.queryKey }),
  });
  const ask = () => {
    rotate.reset();
    setAsking(true);
  };
  return (
    <Panel title="Signing secret">
      <p>Every webhook is signed with it, so your server can verify that it comes from us.</p>
      <MaskedSecret name="Signing secret" secret={secret} masked={maskedSecret} />
      {previousSecretEndsAt !== null && (
        <p>
          The previous secret also signs until <Moment at={previousSecretEndsAt} />.
        </p>
      )}
      <Button onClick={ask}>Rotate secret</Button>
      {isAsking && (
        <Question
          title="Rotate the signing secret?"
          onClose={() => setAsking(false)}
          actions={
            <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
              {rotate.isPending ? 'Loading...' : 'Rotate secret'}
            </Button>
          }
        >
          <p>
            For {limits.oldWebhookSecretHours} hours both secrets sign, so you can update your server in your own time.
            After that the old secret stops working.
          </p>
          <ActionFailure error={rotate.error} what="The secret could not be rotated." />
        </Question>
      )}
    </Panel>
  );
}

const types = webhookEventTypes.map((type) => [type, type] as const);

/** Sends a test event and shows your server's answer. */
export function WebhookTest({ isOff }: { isOff: boolean }) {
  const [type, setType] = useState<WebhookEventType>('message.received');
  const { send, isSending, result } = useTestEvent();
  return (
    <Panel title="Test event">
      <p>Sends one example event to your URL, even after the webhook was turned off. It uses no credits.</p>
      <div className={styles.testForm}>
        <Select label="Event" options={types} value={type} onChange={setType} />
        <Button disabled={isOff || isSending} onClick={() => send(type)}>
          {isSending ? 'Loading...' : 'Send test'}
        </Button>
      </div>
      {isOff && <p className={styles.testQuiet}>Set a URL first.</p>}
      {result}
    </Panel>
  );
}
