import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../../paths.js';
import { Dialog } from '../../../dashboard/ui/dialog.js';
import { PurchaseOutcome } from './purchase-outcome.js';
import { purchaseClaims } from './purchase-claims.js';
import { returnedPurchase, type ReturnedPurchase } from './returned-purchase.js';

/** Tells, once, what became of a purchase when the browser comes back from the checkout, and takes it out of the address. */
export function PurchaseReturn() {
  const [returned, setReturned] = useState(unsettledPurchase);
  const { search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const arrived = returnedPurchase(search);
    if (!arrived) return;
    // Effects may run twice: who comes second finds it taken.
    const isNew = arrived.kind === 'failed' || arrived.sessionId === null || purchaseClaims.take(arrived.sessionId);
    void Promise.resolve(navigate(paths.dashboard, { replace: true })).then(() => isNew && setReturned(arrived));
  }, [search, navigate]);

  if (!returned) return null;
  const close = () => {
    purchaseClaims.settle();
    setReturned(undefined);
  };
  if (returned.kind === 'success' && returned.sessionId !== null)
    return <PurchaseOutcome sessionId={returned.sessionId} onClose={close} />;
  return (
    <Dialog title="Purchase failed" onClose={close}>
      Your purchase could not be completed. Please try again.
    </Dialog>
  );
}

/** What this tab waited for when it was reloaded. */
function unsettledPurchase(): ReturnedPurchase | undefined {
  const sessionId = purchaseClaims.unsettled();
  return sessionId === null ? undefined : { kind: 'success', sessionId };
}
