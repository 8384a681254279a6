import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { WebhookDelivery } from '#contract/webhooks.js';
import { messageDeliveriesQuery } from '../../api/webhook.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { DeliveryDialog, DeliveryState } from '../dashboard/delivery-dialog.js';
import { FailureNotice } from '../dashboard/failures.js';
import styles from './message-webhooks.module.css';

/** Live events do not report attempts, so pending deliveries are polled. */
const ASKED_EVERY_MS = 3_000;

/** The webhook deliveries about a message; each opens its attempts. */
export function MessageWebhooks({ messageId }: { messageId: string }) {
  const [shown, show] = useState<string>();
  const { data, error, refetch } = useQuery({
    ...messageDeliveriesQuery(messageId),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'pending') ? ASKED_EVERY_MS : false,
  });
  return (
    <section className={styles.webhooks} aria-label="Webhooks">
      <h2 className={styles.title}>Webhooks</h2>
      {error && <FailureNotice error={error} what="The webhooks could not be loaded." onRetry={() => void refetch()} />}
      {data?.deliveries.length === 0 && (
        <p className={styles.none}>Nothing has been sent to your webhook about this message.</p>
      )}
      {data?.deliveries.length !== 0 && (data ?? !error) && (
        <DataTable
          label="Webhooks"
          columns={columnsOpening(show)}
          rows={data?.deliveries}
          keyOf={({ id }) => id}
          placesKept={1}
        />
      )}
      {shown !== undefined && <DeliveryDialog id={shown} onClose={() => show(undefined)} />}
    </section>
  );
}

function columnsOpening(open: (id: string) => void): readonly Column<WebhookDelivery>[] {
  return [
    {
      title: 'Event',
      cell: ({ id, type }) => (
        <button type="button" className={styles.open} data-open onClick={() => open(id)}>
          {type}
        </button>
      ),
    },
    { title: 'Status', cell: ({ status }) => <DeliveryState status={status} /> },
    { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.toLocaleString('en-US') },
  ];
}
