import { useQuery } from '@tanstack/react-query';
import { invoiceNumber, type InvoiceView } from '#contract/invoices.js';
import { invoicePath, invoicesKey, invoicesQuery } from '../../api/invoices.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { type Column, DataTable, Pager } from '../../ui/data-table.js';
import { Notice } from '../../ui/surface.js';
import { EmptyView } from '../../ui/view.js';
import { useTablePage } from '../dashboard/dashboard-context.js';
import { FailureNotice } from '../dashboard/failures.js';
import { useRefresh } from '../dashboard/live-events.js';

/** New payments get their invoices within seconds, without an event of the account. */
const ASKED_EVERY_MS = 5_000;

const titleOf = ({ number, kind }: InvoiceView) =>
  `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${invoiceNumber(number)}`;

const columns: readonly Column<InvoiceView>[] = [
  { title: 'Date', cell: ({ date }) => date },
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
        payments get their invoices as soon as it has. Until then, use the receipts under Payments.
      </Notice>
    );
  if (data?.invoices.length === 0)
    return (
      <EmptyView
        title="No invoices yet."
        text="Every payment gets an invoice within seconds, and every refund a credit note. Your company, address and VAT ID are on the Account page."
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
            columns={columns}
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
