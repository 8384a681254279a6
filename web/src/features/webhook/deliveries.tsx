import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type WebhookDelivery, type WebhookDeliveryStatus, webhookDeliveryStatuses } from '#contract/webhooks.js';
import { deliveriesKey, deliveriesQuery, replayDeliveries } from '../../api/webhook.js';
import { Button } from '../../ui/button.js';
import { type Column, DataTable, When } from '../../ui/data-table.js';
import { Dialog } from '../../ui/dialog.js';
import { Select } from '../../ui/field.js';
import { DateRange } from '../../ui/date-range.js';
import { allDays, isAll, spanOf } from '../../ui/days.js';
import { endOfNewYorkDay, newYorkTime, startOfNewYorkDay } from '../../ui/format.js';
import { EmptyView } from '../../ui/view.js';
import { DeliveryDialog, DeliveryState, deliveryWords, formatWords } from '../../dashboard/records/delivery-dialog.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import styles from './webhook.module.css';

/** Pending deliveries are polled this often. */
const ASKED_EVERY_MS = 3_000;

const statuses: readonly (readonly [WebhookDeliveryStatus | '', string])[] = [
  ['', 'All'],
  ...webhookDeliveryStatuses.map((status) => [status, deliveryWords[status]] as const),
];

/** The webhook deliveries, newest first. */
export function Deliveries({ isOff }: { isOff: boolean }) {
  const [status, setStatus] = useState<WebhookDeliveryStatus | ''>('');
  /** The cursors of the pages up to this one; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [shown, show] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const cursor = cursors.at(-1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...deliveriesQuery({ cursor, status: status || undefined }),
    // Changes made while another view was open were missed.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((one) => one.status === 'pending') ? ASKED_EVERY_MS : false,
  });

  return (
    <section className={styles.deliveries} aria-labelledby="deliveries">
      <div className={styles.top}>
        <h2 id="deliveries" className={styles.deliveriesTitle}>
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
            Resend…
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
          text="Each webhook is listed here with its attempts for 30 days. Send a test event to see one."
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
    { title: 'Date', cell: ({ createdAt }, before) => <When at={createdAt} before={before?.createdAt} /> },
    {
      title: 'Event',
      cell: ({ id, type, test, callback }) => (
        <>
          <button type="button" className={styles.open} data-open onClick={() => open(id)}>
            {type}
          </button>
          {test && <span className={styles.test}>Test</span>}
          {callback && <span className={styles.test}>{formatWords[callback.format]}</span>}
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

const choices = [
  ['failed', 'Only those that failed'],
  ['all', 'All of them'],
] as const;

/** Resends the webhooks of a range of days. */
function ReplayDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [days, setDays] = useState(allDays);
  const [which, setWhich] = useState<(typeof choices)[number][0]>('failed');
  const replay = useMutation({
    mutationFn: replayDeliveries,
    onSuccess: () => client.invalidateQueries({ queryKey: deliveriesKey }),
  });
  const { from, to } = spanOf(days);
  return (
    <Dialog
      title="Resend webhooks"
      onClose={onClose}
      actions={
        <Button
          look="primary"
          disabled={isAll(days) || replay.isPending}
          onClick={() => replay.mutate({ from: startOfNewYorkDay(from), to: endOfNewYorkDay(to), which })}
        >
          {replay.isPending ? 'Loading...' : 'Resend'}
        </Button>
      }
    >
      <div className={styles.replayForm}>
        <p>Each keeps its webhook-id, so your server can recognize duplicates. Test events are skipped.</p>
        <DateRange value={days} isWhole onChange={setDays} />
        <Select label="Which" options={choices} value={which} onChange={setWhich} />
        <p role="status">{replay.data && wordsFor(replay.data)}</p>
        <ActionFailure error={replay.error} what="Nothing was resent." />
      </div>
    </Dialog>
  );
}

function wordsFor({ replayed, more }: { replayed: number; more: boolean }): string {
  if (replayed === 0) return 'There are none in this range.';
  const count = replayed === 1 ? '1 webhook is being' : `${replayed.toLocaleString('en-US')} webhooks are being`;
  return `${count} resent.${more ? ' There are more: resend again for the rest.' : ''}`;
}
