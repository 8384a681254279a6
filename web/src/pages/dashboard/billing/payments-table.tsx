import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BillingRecord } from '#contract/billing.js';
import { readBilling } from '../../../api/billing.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { useTablePage } from '../../../dashboard/table-page.js';
import { DataTable, type Column } from '../../../dashboard/ui/data-table.js';
import { EmptyView } from '../../../dashboard/ui/empty-view.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { Pager } from '../../../dashboard/ui/pager.js';
import { useRefresh } from '../../../dashboard/use-refresh.js';
import { paths } from '../../../paths.js';
import { ButtonLink } from '../../../ui/button.js';
import styles from './billing.module.css';

const columns: readonly Column<BillingRecord>[] = [
  { title: 'Date', cell: ({ date }) => date },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, refunded }) => (
      <>
        {amount}
        {refunded !== null && <span className={styles.beside}>{refunded} refunded</span>}
      </>
    ),
  },
  { title: 'Credits Purchased', isNumber: true, cell: ({ credits }) => credits.toLocaleString('en-US') },
  {
    title: 'Payment Method',
    cell: ({ method, receiptUrl, date }) => (
      <>
        {method}
        {receiptUrl !== null && (
          <a
            className={styles.receipt}
            href={receiptUrl}
            target="_blank"
            rel="noreferrer"
            aria-label={`Receipt of ${date}`}
          >
            Receipt
          </a>
        )}
      </>
    ),
  },
];

/** What was paid by card, newest first. */
export function PaymentsTable() {
  const { page, setPage } = useTablePage();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.billing, page],
    queryFn: () => readBilling(page),
    placeholderData: keepPreviousData,
    // What changed while another view was open was not heard here.
    refetchOnMount: 'always',
  });
  useRefresh(queryKeys.billing);
  return (
    <>
      {error && (
        <FailureNotice error={error} what="Your billing history could not be loaded." onRetry={() => void refetch()} />
      )}
      {data?.records.length === 0 ? (
        <EmptyView
          title="No billing history available."
          text="Every purchase will be here with its date, amount and receipt."
        >
          <ButtonLink to={paths.dashboardPurchase} look="primary">
            Purchase Credits
          </ButtonLink>
        </EmptyView>
      ) : (
        (data || !error) && (
          <>
            <DataTable
              label="Payments"
              columns={columns}
              rows={data?.records}
              keyOf={({ date }, place) => `${date} ${place}`}
              isBusy={!data || isPlaceholderData}
            />
            <Pager page={data?.page ?? 1} pages={data?.pages ?? 1} onTurn={setPage} />
          </>
        )
      )}
    </>
  );
}
