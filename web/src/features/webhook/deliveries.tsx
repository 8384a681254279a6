import { type RefObject, type SubmitEvent, useRef, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import {
  type WebhookDelivery,
  webhookDeliveryFilters,
  type WebhookDeliveryFilter,
  type WebhookEventType,
  webhookEventTypes,
} from '#contract/webhooks.js';
import { deliveriesKey, deliveriesQuery, replayDeliveries } from '../../api/webhook.js';
import { Button } from '../../ui/button.js';
import { type Column, DataTable, When } from '../../ui/data-table.js';
import { Dialog } from '../../ui/dialog.js';
import { DateRange } from '../../ui/date-range.js';
import { allDays, isAll, spanOf } from '../../ui/days.js';
import { Field, Select } from '../../ui/field.js';
import { endOfNewYorkDay, startOfNewYorkDay } from '../../ui/format.js';
import { EmptyView } from '../../ui/view.js';
import {
  DeliveryDialog,
  DeliveryState,
  DeliverySubject,
  deliveryWords,
  formatWords,
} from '../../dashboard/records/delivery-dialog.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import styles from './webhook.module.css';

/** Pending deliveries are polled this often. */
const ASKED_EVERY_MS = 3_000;

const statuses: readonly (readonly [WebhookDeliveryFilter | '', string])[] = [
  ['', 'All'],
  ...webhookDeliveryFilters.map((status) => [status, deliveryWords[status]] as const),
];
const types: readonly (readonly [WebhookEventType | '', string])[] = [
  ['', 'All'],
  ...webhookEventTypes.map((type) => [type, type] as const),
];

interface Filters {
  readonly status: WebhookDeliveryFilter | '';
  readonly type: WebhookEventType | '';
  readonly search: string;
}

const none: Filters = { status: '', type: '', search: '' };

/** The webhook deliveries, newest first; the address has their filters. */
export function Deliveries({ isOff }: { isOff: boolean }) {
  const [address, setAddress] = useSearchParams();
  const filters: Filters = {
    status: statuses.find(([status]) => status === address.get('status'))?.[0] ?? '',
    type: types.find(([type]) => type === address.get('type'))?.[0] ?? '',
    search: address.get('search') ?? '',
  };
  const key = JSON.stringify(filters);
  const [isReplaying, setReplaying] = useState(false);
  const change = (chosen: Filters) =>
    setAddress(
      Object.entries(chosen).filter(([, value]) => value !== ''),
      { preventScrollReset: true },
    );
  const form = useRef<HTMLFormElement>(null);
  const clear = () => {
    change(none);
    form.current?.querySelector('select')?.focus();
  };
  return (
    <section className={styles.deliveries} aria-labelledby="deliveries">
      <div className={styles.top}>
        <h2 id="deliveries" className={styles.deliveriesTitle}>
          Deliveries
        </h2>
        <Button disabled={isOff} onClick={() => setReplaying(true)}>
          Resend…
        </Button>
      </div>
      <FilterForm ref={form} filters={filters} onFilter={change} />
      <DeliveryTable key={key} filters={filters} onClear={clear} />
      {isReplaying && <ReplayDialog onClose={() => setReplaying(false)} />}
    </section>
  );
}

interface FilterFormProps {
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
}

function FilterForm({ ref, filters, onFilter }: FilterFormProps) {
  const [typed, setTyped] = useState(filters.search);
  const [known, setKnown] = useState(filters.search);
  if (known !== filters.search) {
    // The address was changed elsewhere.
    setKnown(filters.search);
    setTyped(filters.search);
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onFilter({ ...filters, search: typed.trim() });
  };
  return (
    <form ref={ref} className={styles.filters} role="search" aria-label="Deliveries" onSubmit={submit}>
      <Select
        label="Status"
        options={statuses}
        value={filters.status}
        onChange={(status) => onFilter({ ...filters, status })}
      />
      <Select
        label="Event type"
        options={types}
        value={filters.type}
        onChange={(type) => onFilter({ ...filters, type })}
      />
      <Field
        label="Number or id"
        name="search"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        placeholder="+1 415 555 2671, SM…, OT…, msg_…"
      />
      <Button type="submit">Search</Button>
    </form>
  );
}

function DeliveryTable({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  /** The cursors of the pages up to this one; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [shown, show] = useState<string>();
  const cursor = cursors.at(-1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...deliveriesQuery({
      cursor,
      status: filters.status || undefined,
      type: filters.type || undefined,
      search: filters.search || undefined,
    }),
    // Changes made while another view was open were missed.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((one) => one.status === 'pending') ? ASKED_EVERY_MS : false,
  });
  const isFiltered = JSON.stringify(filters) !== JSON.stringify(none);
  const isEmpty = data?.deliveries.length === 0;
  const isWhole = cursors.length === 0 && data?.nextCursor === null;
  return (
    <>
      {error && (
        <FailureNotice error={error} what="Your deliveries could not be loaded." onRetry={() => void refetch()} />
      )}
      {isEmpty && isWhole && isFiltered && (
        <EmptyView title="No webhooks match these filters." text="Webhooks are kept for 30 days.">
          <Button onClick={onClear}>Clear filters</Button>
        </EmptyView>
      )}
      {isEmpty && isWhole && !isFiltered && (
        <EmptyView
          title="No webhooks have been sent yet."
          text="Each webhook is listed here with its attempts for 30 days. Send a test event to see one."
        />
      )}
      {isEmpty && !isWhole && (
        <p role="status">
          {data.nextCursor === null
            ? 'No more webhooks.'
            : 'No matches in the webhooks searched so far. Choose Next to search earlier ones.'}
        </p>
      )}
      {!isEmpty && (data || !error) && (
        <DataTable
          label="Deliveries"
          columns={columnsOpening(show)}
          rows={data?.deliveries}
          keyOf={({ id }) => id}
          isBusy={!data || isPlaceholderData}
        />
      )}
      {data && !(isEmpty && isWhole) && (
        <nav className={styles.pages} aria-label="Pages of deliveries">
          <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            Previous
          </Button>
          <Button
            disabled={!data.nextCursor || isPlaceholderData}
            onClick={() => data.nextCursor && setCursors([...cursors, data.nextCursor])}
          >
            Next
          </Button>
        </nav>
      )}
      {shown !== undefined && <DeliveryDialog id={shown} onClose={() => show(undefined)} />}
    </>
  );
}

function columnsOpening(open: (id: string) => void): readonly Column<WebhookDelivery>[] {
  return [
    {
      title: 'Date',
      cell: ({ createdAt }, before) => <When at={createdAt} before={before?.createdAt} />,
      phone: 'time',
    },
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
      phone: 'title',
    },
    { title: 'About', cell: ({ about }) => <DeliverySubject about={about} />, phone: 'text' },
    {
      title: 'Status',
      cell: ({ status, failure }) => <DeliveryState status={status} failure={failure} />,
      phone: 'state',
    },
    { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.toLocaleString('en-US') },
    {
      title: 'Next attempt',
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : <When at={nextAttemptAt} before={undefined} />),
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
