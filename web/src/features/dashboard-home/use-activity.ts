import { useEffect, useRef } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { activityKey, activityQuery } from '../../api/account.js';
import type { ActivityDay } from '#contract/dashboard.js';
import { deliverabilityKey } from '../../api/messages.js';
import { spendKey, spendQuery } from '../../api/spend.js';
import { useLiveEvent } from '../../dashboard/live/live-events.js';

/** Choices of the number of days for all figures of the view. */
export const spans = [7, 30, 90] as const;

/** Number of days that is shown first. */
export const DAYS_SHOWN = 30;

const READ_EVERY_MS = 2_000;

/** Messages by day and status. */
export function useActivity(days: number) {
  return useQuery({
    ...activityQuery(days),
    // Events are only heard while this view is shown.
    refetchOnMount: 'always',
  });
}

/** Credits spent on these days, by the credit ledger; not read before the days are known. */
export function useSpend(days: readonly ActivityDay[] | undefined) {
  return useQuery({
    ...spendQuery({ from: days?.[0]?.day, to: days?.at(-1)?.day }),
    refetchOnMount: 'always',
    enabled: days !== undefined,
  });
}

/** Reads the figures of the Home view again while messages change, at most every two seconds. */
export function useFreshActivity(): void {
  const client = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: activityKey });
    void client.invalidateQueries({ queryKey: deliverabilityKey });
    void client.invalidateQueries({ queryKey: spendKey });
  };
  const readSoon = () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      readAgain();
    }, READ_EVERY_MS);
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  useLiveEvent('message', readSoon);
  useLiveEvent('many', readSoon);
  useLiveEvent('live', readAgain);
}
