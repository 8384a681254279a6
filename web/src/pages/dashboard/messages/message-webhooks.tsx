import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { WebhookDelivery } from '#contract/webhooks.js';
import { readDeliveriesAbout } from '../../../api/webhook-deliveries.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { DataTable, type Column } from '../../../dashboard/ui/data-table.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { DeliveryDialog } from '../webhook/delivery-dialog.js';
import { DeliveryState } from '../webhook/delivery-state.js';
import styles from './message-webhooks.module.css';

/** Attempts are not told by live events: while one is to come, it is asked for. */
const ASKED_EVERY_MS = 3_000;

/** What the account's webhook was told about a message: each leads to its attempts, and to sending it again. */
export function MessageWebhooks({ messageId }: { messageId: string }) {
  const [shown, show] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.webhookDeliveries, 'about', messageId],
    queryFn: () => readDeliveriesAbout(messageId),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'pending') ? ASKED_EVERY_MS : false,
  });
  return (
    <section className={styles.webhooks} aria-label="Webhooks">
      <h2 className={styles.title}>Webhooks</h2>
      {error && <FailureNotice error={error} what="The webhooks could not be loaded." onRetry={() => void refetch()} />}
      {data?.deliveries.length === 0 && (
        <p className={styles.none}>Your webhook has not been told about this message.</p>
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
