import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { webhookEventTypes, type WebhookEventType } from '#contract/webhooks.js';
import { sendTestEvent } from '../../../api/webhook.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { ActionFailure } from '../../../dashboard/ui/action-failure.js';
import { Select } from '../../../dashboard/ui/select.js';
import { Button } from '../../../ui/button.js';
import { DeliveryDialog } from './delivery-dialog.js';
import { WebhookCard } from './webhook-card.js';
import styles from './webhook-test.module.css';

const types = webhookEventTypes.map((type) => [type, type] as const);

/** Sends an example, and shows what your server made of it. */
export function WebhookTest({ isOff }: { isOff: boolean }) {
  const client = useQueryClient();
  const [type, setType] = useState<WebhookEventType>('message.received');
  const [shown, show] = useState<string>();
  const test = useMutation({
    mutationFn: sendTestEvent,
    onSuccess: ({ id }) => {
      show(id);
      return client.invalidateQueries({ queryKey: queryKeys.webhookDeliveries });
    },
  });
  return (
    <WebhookCard title="Test event">
      <p>Sends an example of an event once, also while the webhook is turned off. It uses no credits.</p>
      <div className={styles.form}>
        <Select label="Event" options={types} value={type} onChange={setType} />
        <Button disabled={isOff || test.isPending} onClick={() => test.mutate(type)}>
          {test.isPending ? 'Loading...' : 'Send test'}
        </Button>
      </div>
      {isOff && <p className={styles.quiet}>Set a URL first.</p>}
      <ActionFailure error={test.error} what="No test was sent." />
      {shown !== undefined && <DeliveryDialog id={shown} onClose={() => show(undefined)} />}
    </WebhookCard>
  );
}
