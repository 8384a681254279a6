import { useEffect, type ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CheckoutStatusAnswer } from '#contract/billing.js';
import { failureOf } from '../../../api/api-failure.js';
import { readCheckout } from '../../../api/purchases.js';
import { useLiveEvent } from '../../../dashboard/live-events.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { Dialog } from '../../../dashboard/ui/dialog.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { purchaseClaims } from './purchase-claims.js';
import styles from './purchase-outcome.module.css';

const ASKED_EVERY_MS = 3_000;
const ASKED_MAX = 20;

interface PurchaseOutcomeProps {
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** What the server says of a checkout: paid, failed, or still on its way, which is asked for again for a minute. */
export function PurchaseOutcome({ sessionId, onClose }: PurchaseOutcomeProps) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.checkout(sessionId),
    queryFn: () => readCheckout(sessionId),
    refetchInterval: ({ state }) =>
      state.data?.status === 'pending' && state.dataUpdateCount < ASKED_MAX ? ASKED_EVERY_MS : false,
  });
  // Credits that arrive may be these.
  useLiveEvent('balance', () => data?.status === 'pending' && void refetch());
  const isUnknown = error !== null && failureOf(error).kind === 'refused';
  const status = isUnknown ? 'failed' : data?.status;
  useEffect(() => {
    if (status === undefined || status === 'pending') return;
    purchaseClaims.settle();
    if (status !== 'paid') return;
    for (const queryKey of [queryKeys.credits, queryKeys.billing, queryKeys.ledger])
      void client.invalidateQueries({ queryKey });
  }, [status, client]);

  return (
    <Dialog title={titles[status ?? 'unknown']} onClose={onClose}>
      {status === undefined && error ? (
        <FailureNotice error={error} what={NOT_KNOWN} onRetry={() => void refetch()} />
      ) : (
        <div role="status">{wordsFor(status, data)}</div>
      )}
    </Dialog>
  );
}

const NOT_KNOWN =
  'It is not known yet what became of your purchase. If you paid, your credits arrive without this page.';

const titles: Readonly<Record<CheckoutStatusAnswer['status'] | 'unknown', string>> = {
  paid: 'Purchase complete',
  pending: 'Payment on its way',
  failed: 'Purchase failed',
  unknown: 'Your purchase',
};

function wordsFor(
  status: CheckoutStatusAnswer['status'] | undefined,
  answer: CheckoutStatusAnswer | undefined,
): ReactNode {
  if (status === 'failed') return 'Your purchase could not be completed. Please try again.';
  if (!answer) return 'Loading...';
  const { credits } = answer;
  if (status === 'paid') return `Your purchase of ${credits} credits was successful!`;
  return (
    <>
      <p>
        Your payment has not arrived yet; some banks take a few days. Your {credits} credits are added as soon as it
        does, and your billing history shows it. You may close this page.
      </p>
      <p className={styles.more}>If you did not finish paying, nothing was charged.</p>
    </>
  );
}
