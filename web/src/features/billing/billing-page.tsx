import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { BillingRecord } from '#contract/billing.js';
import { billingKey, billingQuery, topUpQuery } from '../../api/billing.js';
import { topUpPaused } from '../../content/pricing.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { type Column, DataTable, Pager } from '../../ui/data-table.js';
import { briefTimestamp } from '../../ui/format.js';
import { Notice } from '../../ui/surface.js';
import { Tabs } from '../../ui/tabs.js';
import { EmptyView, View } from '../../ui/view.js';
import { useTablePage } from '../../dashboard/frame/dashboard-context.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import styles from './billing.module.css';
import { InvoicesTable, LedgerTable, TopUpsTable } from './billing-tables.js';
import { SpendTable } from './spend-table.js';

const tabs = [
  { name: 'payments', title: 'Payments' },
  { name: 'ledger', title: 'Credit ledger' },
  { name: 'spend', title: 'Spend' },
  { name: 'invoices', title: 'Invoices' },
  { name: 'top-ups', title: 'Automatic top-ups' },
] as const;

const views = {
  payments: <PaymentsTable />,
  spend: <SpendTable />,
  invoices: <InvoicesTable />,
  ledger: <LedgerTable />,
  'top-ups': <TopUpsTable />,
} as const;

export default function BillingPage() {
  const { data: topUp } = useQuery({ ...topUpQuery, refetchOnMount: 'always' });
  const [address, setAddress] = useSearchParams();
  const chosen = tabs.find(({ name }) => name === address.get('tab'))?.name ?? 'payments';
  return (
    <View title="Billing History" lead="Your payments and every change of your credits. Dates are in New York time.">
      {topUp?.paused === true && <Notice kind="bad">{topUpPaused}</Notice>}
      <Tabs
        label="Histories"
        tabs={tabs}
        chosen={chosen}
        onChoose={(tab) =>
          setAddress(tab === 'payments' ? [] : [['tab', tab]], { replace: true, preventScrollReset: true })
        }
      >
        {views[chosen]}
      </Tabs>
    </View>
  );
}

const columns: readonly Column<BillingRecord>[] = [
  { title: 'Date', cell: ({ date }) => <span title={`${date} New York time`}>{briefTimestamp(date)}</span> },
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
            aria-label={`Receipt for ${date}`}
          >
            Receipt
          </a>
        )}
      </>
    ),
  },
];

/** Card payments, newest first. */
function PaymentsTable() {
  const { page, setPage } = useTablePage();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...billingQuery(page),
    // Changes made while another view was open were missed.
    refetchOnMount: 'always',
  });
  useRefresh(billingKey);
  return (
    <>
      {error && (
        <FailureNotice error={error} what="Your billing history could not be loaded." onRetry={() => void refetch()} />
      )}
      {data?.records.length === 0 ? (
        <EmptyView
          title="No billing history available."
          text="Every purchase is listed here with its date, amount and receipt."
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
