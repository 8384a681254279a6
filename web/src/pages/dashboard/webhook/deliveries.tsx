import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { webhookDeliveryStatuses, type WebhookDelivery, type WebhookDeliveryStatus } from '#contract/webhooks.js';
import { readDeliveries } from '../../../api/webhook.js';
import { newYorkTime } from '../../../dashboard/date-time.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { DataTable, type Column } from '../../../dashboard/ui/data-table.js';
import { EmptyView } from '../../../dashboard/ui/empty-view.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { Select } from '../../../dashboard/ui/select.js';
import { Button } from '../../../ui/button.js';
import { DeliveryDialog } from './delivery-dialog.js';
import { DeliveryState, deliveryWords } from './delivery-state.js';
import { ReplayDialog } from './replay-dialog.js';
import styles from './deliveries.module.css';

/** An attempt that is due is made within seconds; one that waits for hours is asked about no more often than that. */
const ASKED_EVERY_MS = 3_000;

const statuses: readonly (readonly [WebhookDeliveryStatus | '', string])[] = [
  ['', 'All'],
  ...webhookDeliveryStatuses.map((status) => [status, deliveryWords[status]] as const),
];

/** What was sent, newest first. */
export function Deliveries({ isOff }: { isOff: boolean }) {
  const [status, setStatus] = useState<WebhookDeliveryStatus | ''>('');
  /** The cursors of the pages before and up to this one; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [shown, show] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const cursor = cursors.at(-1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.webhookDeliveries, { status, cursor }],
    queryFn: () => readDeliveries({ cursor, status: status || undefined }),
    placeholderData: keepPreviousData,
    // What changed while another view was open was not heard here.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((one) => one.status === 'pending') ? ASKED_EVERY_MS : false,
  });

  return (
    <section className={styles.deliveries} aria-labelledby="deliveries">
      <div className={styles.top}>
        <h2 id="deliveries" className={styles.title}>
          Deliveries
        </h2>
        <div className={styles.tools}>
          <Select
            label="Status"
            options={statuses}
            value={status}
            onChange={(chosen) => {
              setStatus(chosen);
              setCursors([]);
            }}
          />
          <Button disabled={isOff} onClick={() => setReplaying(true)}>
            Replay
          </Button>
        </div>
      </div>
      {error && (
        <FailureNotice error={error} what="Your deliveries could not be loaded." onRetry={() => void refetch()} />
      )}
      {data?.deliveries.length === 0 ? (
        <EmptyView
          title={
            status === '' ? 'No webhooks have been sent yet.' : `No ${deliveryWords[status].toLowerCase()} webhooks.`
          }
          text="Each webhook will be here with its attempts for 30 days. Send a test event to see one."
        />
      ) : (
        (data || !error) && (
          <>
            <DataTable
              label="Deliveries"
              columns={columnsOpening(show)}
              rows={data?.deliveries}
              keyOf={({ id }) => id}
              isBusy={!data || isPlaceholderData}
            />
            <nav className={styles.pages} aria-label="Pages of deliveries">
              <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                Previous
              </Button>
              <Button
                disabled={!data?.nextCursor || isPlaceholderData}
                onClick={() => data?.nextCursor && setCursors([...cursors, data.nextCursor])}
              >
                Next
              </Button>
            </nav>
          </>
        )
      )}
      {shown !== undefined && <DeliveryDialog id={shown} onClose={() => show(undefined)} />}
      {isReplaying && <ReplayDialog onClose={() => setReplaying(false)} />}
    </section>
  );
}

function columnsOpening(open: (id: string) => void): readonly Column<WebhookDelivery>[] {
  return [
    { title: 'Date', cell: ({ createdAt }) => newYorkTime(createdAt) },
    {
      title: 'Event',
      cell: ({ id, type, test }) => (
        <>
          <button type="button" className={styles.open} data-open onClick={() => open(id)}>
            {type}
          </button>
          {test && <span className={styles.test}>Test</span>}
        </>
      ),
    },
    { title: 'Status', cell: ({ status }) => <DeliveryState status={status} /> },
    { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.toLocaleString('en-US') },
    {
      title: 'Next attempt',
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : newYorkTime(nextAttemptAt)),
    },
  ];
}
