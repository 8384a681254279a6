import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import {
  type WebhookDelivery,
  webhookDeliveryFilters,
  type WebhookDeliveryFilter,
  type WebhookEventType,
  webhookEventTypes,
} from '#contract/webhooks.js';
import { limits } from '#contract/limits.js';
import { deliveriesKey, deliveriesQuery, replayDeliveries } from '../../api/webhook.js';
import { Button } from '../../ui/button.js';
import { type Column, DataTable, When } from '../../ui/data-table.js';
import { Dialog } from '../../ui/dialog.js';
import { DateRange } from '../../ui/date-range.js';
import { allDays, isAll, spanOf } from '../../ui/days.js';
import { Select } from '../../ui/field.js';
import { chipOf, FilterBar, FilterPlace, SearchField } from '../../ui/filter-fields.js';
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
  const tab = address.get('tab') ?? '';
  const change = (chosen: Filters) =>
    setAddress(
      Object.entries({ tab, ...chosen }).filter(([, value]) => value !== ''),
      { replace: true, preventScrollReset: true },
    );
  return (
    <section className={styles.deliveries} aria-label="Deliveries">
      <div className={styles.top}>
        <div className={styles.filters}>
          <DeliveryFilters filters={filters} onFilter={change} />
        </div>
        <Button disabled={isOff} onClick={() => setReplaying(true)}>
          Resend…
        </Button>
      </div>
      <DeliveryTable key={key} filters={filters} />
      {isReplaying && <ReplayDialog onClose={() => setReplaying(false)} />}
    </section>
  );
}

/** The deliveries of these filters, newest first, from a cursor on if given. */
const queryOf = ({ status, type, search }: Filters, cursor?: string) =>
  deliveriesQuery({ cursor, status: status || undefined, type: type || undefined, search: search || undefined });

interface DeliveryFiltersProps {
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
}

function DeliveryFilters({ filters, onFilter }: DeliveryFiltersProps) {
  const { status, type, search } = filters;
  // The table below requests the deliveries; this query only checks whether there are any.
  const { data } = useQuery({ ...queryOf(none), enabled: false });
  if (!isFiltered(filters) && data?.deliveries.length === 0 && data.nextCursor === null) return null;
  const change = (changed: Partial<Filters>) => onFilter({ ...filters, ...changed });
  return (
    <FilterBar
      isSearched={search !== ''}
      chips={[
        ...chipOf('Status', status, statuses, () => change({ status: '' })),
        ...chipOf('Event', type, types, () => change({ type: '' })),
      ]}
      onClear={() => onFilter(none)}
      search={
        <SearchField
          label="Number or id"
          placeholder="Number or id"
          value={search}
          maxLength={limits.searchCharactersMax}
          onChange={(value) => change({ search: value.trim() })}
        />
      }
    >
      <FilterPlace>
        <Select label="Status" options={statuses} value={status} onChange={(value) => change({ status: value })} />
      </FilterPlace>
      <FilterPlace>
        <Select label="Event type" options={types} value={type} onChange={(value) => change({ type: value })} />
      </FilterPlace>
    </FilterBar>
  );
}

function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

function DeliveryTable({ filters }: { filters: Filters }) {
  /** Cursors of the pages up to the shown page; the first page has no cursor. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [shown, show] = useState<string>();
  const cursor = cursors.at(-1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...queryOf(filters, cursor),
    // Changes made while another view was open were missed.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((one) => one.status === 'pending') ? ASKED_EVERY_MS : false,
  });
  const isEmpty = data?.deliveries.length === 0;
  const isWhole = cursors.length === 0 && data?.nextCursor === null;
  return (
    <>
      {error && (
        <FailureNotice error={error} what="Your deliveries could not be loaded." onRetry={() => void refetch()} />
      )}
      {isEmpty && isWhole && isFiltered(filters) && (
        <EmptyView title="No webhooks match these filters." text="Webhooks are kept for 30 days." />
      )}
      {isEmpty && isWhole && !isFiltered(filters) && (
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
