import { useEffect, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { PackId } from '#contract/packs.js';
import { startCheckout } from '../../../api/purchases.js';
import { showToast } from '../../../ui/toast.js';
import { checkoutFailure, checkoutPage, type CheckoutFailure } from './checkout-failure.js';

interface Buying {
  readonly buy: (pack: PackId) => void;
  /** The pack whose checkout is being opened, until the browser has left. */
  readonly buying: PackId | undefined;
  readonly fault: string | undefined;
  /** Why the purchase has failed. */
  readonly failure: string | undefined;
  readonly close: () => void;
}

/** Opens a checkout and goes to its page. */
export function useBuying(): Buying {
  const [failed, setFailed] = useState<CheckoutFailure>();
  const { mutate, reset, isIdle, variables } = useMutation({
    mutationFn: startCheckout,
    onSuccess: ({ url }) => {
      try {
        window.location.assign(checkoutPage(url));
      } catch (error) {
        showToast(`Stripe checkout error: ${error instanceof Error ? error.message : String(error)}`);
        reset();
      }
    },
    onError: (error) => {
      setFailed(checkoutFailure(error));
      reset();
    },
  });
  useEffect(() => {
    // A browser that goes back may show this page as it was left.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, [reset]);
  const buy = (pack: PackId) => {
    setFailed(undefined);
    mutate(pack);
  };
  const textOf = (kind: CheckoutFailure['kind']) => (failed?.kind === kind ? failed.text : undefined);
  return {
    buy,
    buying: isIdle ? undefined : variables,
    fault: textOf('fault'),
    failure: textOf('failure'),
    close: () => setFailed(undefined),
  };
}
