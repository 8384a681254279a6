import { type ReactNode, useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from 'react-router';
import type { CheckoutStatusAnswer } from '#contract/billing.js';
import { creditsQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { billingKey, checkoutQuery, ledgerKey } from '../../api/billing.js';
import { paths } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Dialog } from '../../ui/dialog.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useLiveEvent } from '../../dashboard/live/live-events.js';
import styles from './purchase.module.css';
import { purchaseClaims, returnedPurchase, type ReturnedPurchase } from './checkout.js';

/**
 * Shows the outcome of a purchase once, when the browser returns from the checkout, and cleans the
 * address.
 */
export function PurchaseReturn() {
  const [returned, setReturned] = useState(unsettledPurchase);
  const { search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const arrived = returnedPurchase(search);
    if (!arrived) return;
    // Effects may run twice; the second run finds the purchase taken.
    const isNew = arrived.kind !== 'success' || arrived.sessionId === null || purchaseClaims.take(arrived.sessionId);
    void Promise.resolve(navigate(paths.dashboard, { replace: true })).then(() => isNew && setReturned(arrived));
  }, [search, navigate]);

  if (!returned) return null;
  const close = () => {
    purchaseClaims.settle();
    setReturned(undefined);
  };
  if (returned.kind === 'success' && returned.sessionId !== null)
    return <PurchaseOutcome sessionId={returned.sessionId} onClose={close} />;
  if (returned.kind === 'canceled')
    return (
      <Dialog title="Payment canceled" onClose={close}>
        You were not charged. <Link to={paths.dashboardPurchase}>Choose a pack</Link> whenever you like.
      </Dialog>
    );
  return (
    <Dialog title="Purchase failed" onClose={close}>
      Your purchase could not be completed. Please try again.
    </Dialog>
  );
}

/** The purchase this tab was waiting for before a reload. */
function unsettledPurchase(): ReturnedPurchase | undefined {
  const sessionId = purchaseClaims.unsettled();
  return sessionId === null ? undefined : { kind: 'success', sessionId };
}

const ASKED_EVERY_MS = 3_000;
const ASKED_MAX = 20;

interface PurchaseOutcomeProps {
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** The outcome of a checkout: paid, failed, or pending, which is polled for a minute. */
function PurchaseOutcome({ sessionId, onClose }: PurchaseOutcomeProps) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...checkoutQuery(sessionId),
    refetchInterval: ({ state }) =>
      state.data?.status === 'pending' && state.dataUpdateCount < ASKED_MAX ? ASKED_EVERY_MS : false,
  });
  // New credits may belong to this purchase.
  useLiveEvent('balance', () => data?.status === 'pending' && void refetch());
  const isUnknown = error !== null && failureOf(error).kind === 'refused';
  const status = isUnknown ? 'failed' : data?.status;
  useEffect(() => {
    if (status === undefined || status === 'pending') return;
    purchaseClaims.settle();
    if (status !== 'paid') return;
    for (const queryKey of [creditsQuery.queryKey, billingKey, ledgerKey]) void client.invalidateQueries({ queryKey });
  }, [status, client]);

  return (
    <Dialog title={titles[status ?? 'unknown']} onClose={onClose}>
      {status === undefined && error ? (
        <FailureNotice error={error} what={NOT_KNOWN} onRetry={() => void refetch()} />
      ) : (
        <div role="status">{wordsFor(status, data)}</div>
      )}
      {status === 'paid' && <NextSteps onLeave={onClose} />}
    </Dialog>
  );
}

/** Balance and links to uses of the credits. */
function NextSteps({ onLeave }: { readonly onLeave: () => void }) {
  const { data } = useQuery(creditsQuery);
  return (
    <p className={styles.more}>
      {data && `${credits(data.balance)}. `}
      <Link to={paths.dashboardSend} onClick={onLeave}>
        Send a message
      </Link>
      {' · '}
      <Link to={`${paths.dashboardNumbers}?tab=buy`} onClick={onLeave}>
        Get a number
      </Link>
    </p>
  );
}

const NOT_KNOWN =
  'The outcome of your purchase is not known yet. If you paid, your credits will be added automatically.';

const titles: Readonly<Record<CheckoutStatusAnswer['status'] | 'unknown', string>> = {
  paid: 'Purchase complete',
  pending: 'Payment pending',
  failed: 'Purchase failed',
  unknown: 'Your purchase',
};

function wordsFor(
  status: CheckoutStatusAnswer['status'] | undefined,
  answer: CheckoutStatusAnswer | undefined,
): ReactNode {
  if (status === 'failed') return 'Your purchase could not be completed. Please try again.';
  if (!answer) return 'Loading...';
  const { credits: bought } = answer;
  if (status === 'paid') return `Your purchase of ${bought} credits was successful!`;
  return (
    <>
      <p>
        Your payment has not arrived yet; some banks take a few days. Your {bought} credits are added as soon as it
        does, and your billing history shows it. You can close this page.
      </p>
      <p className={styles.more}>If you did not finish paying, nothing was charged.</p>
    </>
  );
}
