import { useEffect, useRef } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { activityKey, activityQuery } from '../../api/account.js';
import { deliverabilityKey } from '../../api/messages.js';
import { useLiveEvent } from '../../dashboard/live/live-events.js';

/** Days of the chart and the figures, until others are chosen. */
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

/** Reads the figures of the Home view again while messages change, at most every two seconds. */
export function useFreshActivity(): void {
  const client = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: activityKey });
    void client.invalidateQueries({ queryKey: deliverabilityKey });
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
