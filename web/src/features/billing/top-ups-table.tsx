import { useQuery } from '@tanstack/react-query';
import type { TopUpStatus, TopUpView } from '#contract/top-ups.js';
import { topUpKey, topUpsQuery } from '../../api/top-up.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { type Column, DataTable, Pager } from '../../ui/data-table.js';
import { EmptyView } from '../../ui/view.js';
import { useTablePage } from '../dashboard/dashboard-context.js';
import { FailureNotice } from '../dashboard/failures.js';
import { useRefresh } from '../dashboard/live-events.js';

const outcomes: Readonly<Record<TopUpStatus, string>> = {
  pending: 'Being charged',
  action_required: 'Waits for your confirmation',
  paid: 'Paid',
  declined: 'Declined',
  expired: 'Not confirmed in time; not charged',
  failed: 'No answer from the bank; not charged',
};

const columns: readonly Column<TopUpView>[] = [
  { title: 'Date', cell: ({ date }) => date },
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
        text="Save a card and turn automatic top-up on, and every charge and every failed attempt will be here."
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
            columns={columns}
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
