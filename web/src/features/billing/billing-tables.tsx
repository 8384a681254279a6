import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type LedgerAnswer, type LedgerKind, ledgerKinds } from '#contract/histories.js';
import { tablePageSizes } from '#contract/limits.js';
import { invoiceNumber, type InvoiceView, type TopUpStatus, type TopUpView } from '#contract/billing.js';
import {
  invoicePath,
  invoicePdfPath,
  invoicesKey,
  invoicesQuery,
  ledgerCsvPath,
  ledgerKey,
  ledgerQuery,
  sealedLedgerPath,
  topUpKey,
  topUpsQuery,
} from '../../api/billing.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, DataTable, Pager } from '../../ui/data-table.js';
import { Select } from '../../ui/field.js';
import { DateRange } from '../../ui/date-range.js';
import { allDays, type Days, daysIn, spanOf } from '../../ui/days.js';
import { chipOf, chipOfDays, FilterBar, FilterPlace } from '../../ui/filter-fields.js';
import { briefTimestamp } from '../../ui/format.js';
import { SavedFilters } from '../../dashboard/records/saved-filters.js';
import { EmptyView } from '../../ui/view.js';
import { useTablePage } from '../../dashboard/frame/dashboard-context.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { kindTitles, ledgerColumns } from '../../dashboard/records/ledger-columns.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { paths } from '../../paths.js';
import { Notice } from '../../ui/surface.js';
import styles from './billing.module.css';

interface Filter extends Days {
  readonly kind: LedgerKind | '';
}

const everything: Filter = { kind: '', ...allDays };

/** Parses the filters in an address; `faults` explains rejected values. */
function filterIn(address: URLSearchParams): { filter: Filter; faults: readonly string[] } {
  const wanted = address.get('kind') ?? '';
  const kind = ledgerKinds.find((one) => one === wanted) ?? '';
  const { days, fault } = daysIn(address);
  const kindFault = kind === wanted ? [] : [`There is no movement “${wanted.slice(0, 40)}”.`];
  return { filter: { kind, ...days }, faults: [...kindFault, ...(fault === undefined ? [] : [fault])] };
}
const kinds: readonly (readonly [LedgerKind | '', string])[] = [
  ['', 'All movements'],
  ...ledgerKinds.map((kind) => [kind, kindTitles[kind]] as const),
];

/** The query string of a filtered ledger. */
function queryOf(filter: Filter): string {
  const { kind, days, from, to } = filter;
  const given = Object.entries({ tab: 'ledger', kind, days, from, to }).filter(([, value]) => value !== '');
  return new URLSearchParams(given).toString();
}

const movements = (count: number) => (count === 1 ? '1 movement' : `${count.toLocaleString('en-US')} movements`);

/** Number of matches of a search, and of all searched movements. */
function countText({ total, among, more }: LedgerAnswer): string {
  const count = total.toLocaleString('en-US');
  return more ? `${count} found.` : `${count} of ${movements(among)}.`;
}

/** Every ledger entry, newest first. New entries appear on the first page; later pages stay put. */
export function LedgerTable() {
  const { page, setPage, size, setSize } = useTablePage();
  const [address, setAddress] = useSearchParams();
  const { filter, faults } = filterIn(address);
  /** Number of the entry below which a search continues. */
  const [older, setOlder] = useState<number>();
  /** The newest entry when paging started. */
  const [anchor, setAnchor] = useState<number>();
  // Other filters, also saved ones, begin at the newest entry.
  const [known, setKnown] = useState(queryOf(filter));
  if (known !== queryOf(filter)) {
    setKnown(queryOf(filter));
    setOlder(undefined);
    setAnchor(undefined);
  }
  const query = { ...spanOf(filter), kind: filter.kind || undefined };
  const below = older ?? (page > 1 ? anchor : undefined);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...ledgerQuery({ ...query, page, size, order: 'newest', continue: below }),
    // Changes made while another view was open were missed.
    refetchOnMount: 'always',
  });
  useRefresh(ledgerKey);
  const change = (next: Partial<Filter>) =>
    setAddress(queryOf({ ...filter, ...next }), { replace: true, preventScrollReset: true });
  const turn = (next: number) => {
    setAnchor(next > 1 ? (anchor ?? data?.anchor) : undefined);
    setPage(next);
  };
  const searchFrom = (row: number | undefined) => {
    setOlder(row);
    setAnchor(undefined);
    setPage(1);
  };
  const count = [filter.kind, filter.days || filter.from || filter.to].filter(Boolean).length;

  return (
    <>
      <FilterBar
        chips={[...chipOf('Movement', filter.kind, kinds, () => change({ kind: '' })), ...chipOfDays(filter, change)]}
        faults={faults}
        onClear={() => change(everything)}
        more={<SavedFilters view="ledger" query={queryOf(filter)} isSet={count > 0} />}
      >
        <FilterPlace>
          <Select label="Movement" options={kinds} value={filter.kind} onChange={(kind) => change({ kind })} />
        </FilterPlace>
        <FilterPlace>
          <DateRange value={filter} onChange={change} />
        </FilterPlace>
      </FilterBar>
      <div className={styles.line}>
        <p role="status">{data ? (count > 0 ? countText(data) : movements(data.among)) : 'Loading...'}</p>
        <div className={styles.exports}>
          <ButtonLink to={ledgerCsvPath(query)} reloadDocument download>
            Export CSV
          </ButtonLink>
          <ButtonLink
            to={sealedLedgerPath}
            reloadDocument
            download
            title="All entries, with signatures that prove them"
          >
            Export with seals
          </ButtonLink>
        </div>
      </div>
      {error && (
        <FailureNotice error={error} what="Your credit ledger could not be loaded." onRetry={() => void refetch()} />
      )}
      {data?.total === 0 ? (
        <EmptyView
          title="No movements of credits found."
          text={
            data.searchedTo === null
              ? 'Purchases, codes, messages and refunds are listed here.'
              : `Nothing back to ${briefTimestamp(data.searchedTo)}.`
          }
        />
      ) : (
        (data || !error) && (
          <>
            <DataTable
              label="Credit ledger"
              columns={ledgerColumns}
              rows={data?.rows}
              keyOf={({ date, source }, place) => `${date} ${source} ${place}`}
              isBusy={!data || isPlaceholderData}
            />
            <Pager
              page={data?.page ?? 1}
              pages={data?.pages ?? 1}
              onTurn={turn}
              size={size}
              sizes={tablePageSizes}
              onSize={(rows) => {
                setAnchor(undefined);
                setSize(rows);
              }}
            />
          </>
        )
      )}
      {data?.more && data.continue !== null && (
        <p className={styles.more}>
          Searched back to {briefTimestamp(data.searchedTo ?? '')}.{' '}
          <Button onClick={() => searchFrom(data.continue ?? undefined)}>Search older ones</Button>
        </p>
      )}
      {older !== undefined && (
        <p className={styles.more}>
          <Button onClick={() => searchFrom(undefined)}>Back to the newest</Button>
        </p>
      )}
    </>
  );
}

/** New payments get their invoices within seconds, without an event of the account. */
const ASKED_EVERY_MS = 5_000;

const titleOf = ({ number, kind }: InvoiceView) =>
  `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${invoiceNumber(number)}`;

const invoiceColumns: readonly Column<InvoiceView>[] = [
  { title: 'Date', cell: ({ date }) => <span title={`${date} New York time`}>{briefTimestamp(date)}</span> },
  {
    title: 'Document',
    cell: (invoice) => (
      <a href={invoicePath(invoice.number)} target="_blank" rel="noreferrer">
        {titleOf(invoice)}
      </a>
    ),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount }) => amount },
  { title: 'Credits', isNumber: true, cell: ({ credits }) => credits.toLocaleString('en-US') },
  { title: 'Corrects', cell: ({ corrects }) => (corrects === null ? '' : invoiceNumber(corrects)) },
  {
    title: 'File',
    cell: (invoice) => (
      <a href={invoicePdfPath(invoice.number)} download aria-label={`PDF of ${titleOf(invoice)}`}>
        PDF
      </a>
    ),
  },
];

/** Invoices of payments and credit notes of refunds, newest first. */
export function InvoicesTable() {
  const { page, setPage } = useTablePage();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...invoicesQuery(page),
    refetchOnMount: 'always',
    refetchInterval: ASKED_EVERY_MS,
  });
  useRefresh(invoicesKey);
  if (data && !data.available && data.invoices.length === 0)
    return (
      <Notice kind="info">
        Invoices are not available: the operator of this service has not entered its company and address yet. Your
        payments get their invoices once it has. Until then, use the receipts under Payments.
      </Notice>
    );
  if (data?.invoices.length === 0)
    return (
      <EmptyView
        title="No invoices yet."
        text={
          'Every payment gets an invoice within seconds, and every refund a credit note. Your company, ' +
          'address and VAT ID are on the Account page.'
        }
      >
        <ButtonLink to={paths.dashboardAccount} look="primary">
          Invoice details
        </ButtonLink>
      </EmptyView>
    );
  return (
    <>
      {error && (
        <FailureNotice error={error} what="Your invoices could not be loaded." onRetry={() => void refetch()} />
      )}
      {(data || !error) && (
        <>
          <DataTable
            label="Invoices"
            columns={invoiceColumns}
            rows={data?.invoices}
            keyOf={({ number }) => String(number)}
            isBusy={!data || isPlaceholderData}
          />
          <Pager page={data?.page ?? 1} pages={data?.pages ?? 1} onTurn={setPage} />
        </>
      )}
    </>
  );
}

const outcomes: Readonly<Record<TopUpStatus, string>> = {
  pending: 'Being charged',
  action_required: 'Waits for your confirmation',
  paid: 'Paid',
  declined: 'Declined',
  expired: 'Not confirmed in time; not charged',
  failed: 'No answer from the bank; not charged',
};

const topUpColumns: readonly Column<TopUpView>[] = [
  { title: 'Date', cell: ({ date }) => <span title={`${date} New York time`}>{briefTimestamp(date)}</span> },
  { title: 'Amount', isNumber: true, cell: ({ amount }) => amount },
  { title: 'Credits', isNumber: true, cell: ({ credits }) => credits.toLocaleString('en-US') },
  { title: 'Card', cell: ({ cardLast4 }) => (cardLast4 === '' ? '' : `Ending in ${cardLast4}`) },
  {
    title: 'Outcome',
    cell: ({ status, reason }) => (reason === null ? outcomes[status] : `${outcomes[status]}: ${reason}`),
  },
];

/** Every attempt to charge the saved card, newest first. */
export function TopUpsTable() {
  const { page, setPage } = useTablePage();
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...topUpsQuery(page), refetchOnMount: 'always' });
  useRefresh(topUpKey);
  if (data?.topUps.length === 0)
    return (
      <EmptyView
        title="No automatic top-ups yet."
        text="Charges and failed attempts are listed here, once a card is saved and automatic top-up is on."
      >
        <ButtonLink to={paths.dashboardPurchase} look="primary">
          Purchase Credits
        </ButtonLink>
      </EmptyView>
    );
  return (
    <>
      {error && <FailureNotice error={error} what="Your top-ups could not be loaded." onRetry={() => void refetch()} />}
      {(data || !error) && (
        <>
          <DataTable
            label="Automatic top-ups"
            columns={topUpColumns}
            rows={data?.topUps}
            keyOf={({ id }) => id}
            isBusy={!data || isPlaceholderData}
          />
          <Pager page={data?.page ?? 1} pages={data?.pages ?? 1} onTurn={setPage} />
        </>
      )}
    </>
  );
}
